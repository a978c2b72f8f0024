import { createHash } from 'node:crypto'

/** The effect of an injected fault. */
export type FaultEffect =
  | { readonly kind: 'latency'; readonly milliseconds: number }
  | { readonly kind: 'status'; readonly status: 429 | 503; readonly retryAfter: number }
  /** Closes the connection after sending this many bytes of the body. */
  | { readonly kind: 'cut'; readonly bytes: number }
  /** Resets the connection without processing the request. */
  | { readonly kind: 'reset' }
  /** Rejects a valid Digest response with `stale=true`. */
  | { readonly kind: 'stale-nonce' }

/**
 * A rule that applies a fault to the next `times` requests or to a share of all requests. The same seed always selects
 * the same requests.
 */
export interface FaultRule {
  readonly operationId: string
  readonly effect: FaultEffect
  readonly times?: number
  readonly share?: number
  readonly seed: number
}

export interface Fault extends FaultRule {
  readonly id: string
  /** The number of requests that matched the rule. */
  readonly calls: number
  /** The number of requests affected by the fault. */
  readonly hits: number
}

export interface Faults {
  add(rule: FaultRule): Fault
  all(): readonly Fault[]
  /** Removes a fault. Returns false if the fault doesn't exist. */
  remove(id: string): boolean
  clear(): void
  /** Counts a new request and returns the effect of the first matching rule. */
  trigger(operationId: string): FaultEffect | undefined
  /** Returns the effect on a request with a valid Digest response. */
  triggerStaleNonce(operationId: string): FaultEffect | undefined
  /** Ends all current and future delays, because the world was removed or the server is stopping. */
  end(): void
  /** Registers a callback that runs when all delays end. Returns a function that unregisters the callback. */
  onEnd(end: () => void): () => void
}

/** The name that matches all operations. */
export const everyOperation = '*'

export function createFaults(): Faults {
  const faults = new Map<string, Fault>()
  let count = 0
  let ended = false
  const waiting = new Set<() => void>()
  const strike = (operationId: string, matches: (effect: FaultEffect) => boolean) => {
    for (const fault of faults.values()) {
      if (fault.operationId !== operationId && fault.operationId !== everyOperation) continue
      if (!matches(fault.effect)) continue
      const hit = hits(fault)
      faults.set(fault.id, { ...fault, calls: fault.calls + 1, hits: fault.hits + (hit ? 1 : 0) })
      if (hit) return fault.effect
    }
    return undefined
  }
  return {
    add: (rule) => {
      count += 1
      const fault = { ...rule, id: `fault-${count}`, calls: 0, hits: 0 }
      faults.set(fault.id, fault)
      return fault
    },
    all: () => [...faults.values()],
    remove: (id) => faults.delete(id),
    clear: () => faults.clear(),
    trigger: (operationId) => strike(operationId, (effect) => !isStaleNonce(effect)),
    triggerStaleNonce: (operationId) => strike(operationId, isStaleNonce),
    end: () => {
      ended = true
      for (const end of waiting) end()
    },
    onEnd: (end) => {
      if (ended) end()
      waiting.add(end)
      return () => waiting.delete(end)
    },
  }
}

const isStaleNonce = ({ kind }: FaultEffect): boolean => kind === 'stale-nonce'

function hits({ times, share, seed, calls, hits: before }: Fault): boolean {
  if (times !== undefined && before >= times) return false
  return share === undefined || chance(seed, calls) < share
}

/** Returns a pseudorandom number between 0 and 1 that depends only on the seed and the request number. */
function chance(seed: number, call: number): number {
  return createHash('sha256').update(`${seed} ${call}`).digest().readUInt32BE(0) / 0x1_0000_0000
}
