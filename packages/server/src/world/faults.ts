import { createHash } from 'node:crypto'

/** What goes wrong on purpose. */
export type FaultEffect =
  | { readonly kind: 'latency'; readonly milliseconds: number }
  | { readonly kind: 'status'; readonly status: 429 | 503; readonly retryAfter: number }
  /** The connection ends after so many bytes of the body. */
  | { readonly kind: 'cut'; readonly bytes: number }
  /** The connection is reset, and nothing happens. */
  | { readonly kind: 'reset' }
  /** A right Digest response is told that its nonce is stale. */
  | { readonly kind: 'stale-nonce' }

/** When it goes wrong: each of the next `times` calls, or a share of all, by chance that is the same each time. */
export interface FaultRule {
  readonly operationId: string
  readonly effect: FaultEffect
  readonly times?: number
  readonly share?: number
  readonly seed: number
}

export interface Fault extends FaultRule {
  readonly id: string
  /** How many calls it has seen, and how many it hit. */
  readonly calls: number
  readonly hits: number
}

/** The faults of a world. */
export interface Faults {
  add(rule: FaultRule): Fault
  all(): readonly Fault[]
  /** True if there was one. */
  remove(id: string): boolean
  clear(): void
  /** What goes wrong with a call that arrives, if anything: the first rule that hits. */
  trigger(operationId: string): FaultEffect | undefined
  /** The same of a call whose Digest response has been found right: nonces of others are not looked at. */
  triggerStaleNonce(operationId: string): FaultEffect | undefined
  /** Ends every wait, for good: there is nobody left to wait for. */
  end(): void
  /** Calls back when waits shall end, until what it answers is called. */
  onEnd(end: () => void): () => void
}

/** The rule of every operation. */
export const everyOperation = '*'

export function createFaults(): Faults {
  const faults = new Map<string, Fault>()
  let count = 0
  let ended = false
  const waiting = new Set<() => void>()
  const strike = (operationId: string, concerned: (effect: FaultEffect) => boolean) => {
    for (const fault of faults.values()) {
      if (fault.operationId !== operationId && fault.operationId !== everyOperation) continue
      if (!concerned(fault.effect)) continue
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
    trigger: (operationId) => strike(operationId, (effect) => !isOfNonces(effect)),
    triggerStaleNonce: (operationId) => strike(operationId, isOfNonces),
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

const isOfNonces = ({ kind }: FaultEffect): boolean => kind === 'stale-nonce'

function hits({ times, share, seed, calls, hits: before }: Fault): boolean {
  if (times !== undefined && before >= times) return false
  return share === undefined || chance(seed, calls) < share
}

/** From 0 to 1: the same for the same seed and call, whatever else happens. */
function chance(seed: number, call: number): number {
  return createHash('sha256').update(`${seed} ${call}`).digest().readUInt32BE(0) / 0x1_0000_0000
}
