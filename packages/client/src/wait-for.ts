import { type Clock, systemClock } from './clock.ts'
import { sleep, withDeadline } from './deadline.ts'

/** Milliseconds that a look has at least: the last one begins when time is up. */
const shortestLookMs = 1_000

/** A lifecycle of the specification: where the state is read, and which states lead to which while somebody waits. */
export interface Lifecycle {
  readonly field: string
  /**
   * Where no member holds the name of the state: the states that are members too, which hold where they are true, and
   * otherwise the state without the field and the one with it.
   */
  readonly byFields?:
    | { readonly flags: readonly string[]; readonly without: string; readonly withField: string }
    | undefined
  readonly transitions: readonly (readonly [from: string, to: string])[]
}

/** What is seen at each look. */
export interface WaitProgress<T> {
  readonly value: T
  /** The state, where the resource has one. */
  readonly state: string | undefined
  /** Looks so far, this one included. */
  readonly looks: number
  readonly elapsedMs: number
}

export interface WaitOptions<T, State extends string = string> {
  /** The state to wait for, or a test of the resource; a state that leads to no other ends the wait for either. */
  readonly until: State | ((value: T) => boolean)
  /** 10 minutes by default. A look that takes longer is cut off, though not within a second, and its signal aborts. */
  readonly timeoutMs?: number | undefined
  /** Milliseconds before the second look; 1 s by default. Each further wait is half as long again. */
  readonly intervalMs?: number | undefined
  /** The longest wait between looks; 30 s by default. */
  readonly maxIntervalMs?: number | undefined
  /** Ends the wait at once, and by its own signal the look that is under way. */
  readonly signal?: AbortSignal | undefined
  /** Called after each look, also the last one. What it throws ends the wait. */
  readonly onProgress?: ((progress: WaitProgress<T>) => void) | undefined
  /** Instead of the system's, for tests. */
  readonly clock?: Clock | undefined
}

/** The state was not reached, or cannot be any more. */
export class WaitError<T = unknown> extends Error {
  override name = 'WaitError'
  readonly reason: 'timeout' | 'unreachable'
  /** The last look; without a value where time was up before the first one ended. */
  readonly progress: WaitProgress<T | undefined>
  constructor(reason: 'timeout' | 'unreachable', wanted: string, progress: WaitProgress<T | undefined>) {
    const state = progress.state ?? 'its state'
    const why = reason === 'timeout' ? 'time is up' : `nothing leads from there to ${wanted}`
    super(`still waiting for ${wanted} at ${state} after ${progress.elapsedMs} ms: ${why}`)
    this.reason = reason
    this.progress = progress
  }
}

/**
 * Looks at a resource again and again until it is in a state, with growing intervals. A state from which the
 * wanted one cannot be reached any more ends the wait at once. `client.waitFor` knows the lifecycles by name.
 *
 * @param read looks once; its signal ends with the wait.
 * @example
 * const read = (signal: AbortSignal) => client.getSnapshot({ groupId, clusterName, snapshotId }, { signal })
 * await waitFor(undefined, read, { until: ({ status }) => status === 'completed', timeoutMs: 60_000 })
 * @throws WaitError with the last look in it; what `read` throws; the reason of the signal.
 */
export async function waitFor<T>(
  lifecycle: Lifecycle | undefined,
  read: (signal: AbortSignal) => PromiseLike<T>,
  options: WaitOptions<T>,
): Promise<T> {
  const { until, timeoutMs = 600_000, maxIntervalMs = 30_000, clock = systemClock, signal } = options
  const started = clock.now()
  const wanted = typeof until === 'string' ? until : 'the condition'
  const elapsed = (): number => clock.now() - started
  let interval = options.intervalMs ?? 1_000
  let last: WaitProgress<T | undefined> = { value: undefined, state: undefined, looks: 0, elapsedMs: 0 }
  for (let looks = 1; ; looks++) {
    const value = await withDeadline(async (inner) => read(inner), {
      clock,
      signal,
      timeoutMs: Math.max(timeoutMs - elapsed(), shortestLookMs),
      onTimeout: () => new WaitError('timeout', wanted, { ...last, elapsedMs: elapsed() }),
    })
    const state = readState(value, lifecycle)
    const elapsedMs = elapsed()
    const progress = { value, state, looks, elapsedMs }
    last = progress
    options.onProgress?.(progress)
    if (typeof until === 'string' ? state === until : until(value)) return value
    if (isDeadEnd(lifecycle, state, until)) throw new WaitError('unreachable', wanted, progress)
    const leftMs = timeoutMs - elapsedMs
    if (!(leftMs > 0)) throw new WaitError('timeout', wanted, progress)
    // The last look is at the deadline, however long the interval has become.
    await sleep(Math.min(interval, maxIntervalMs, leftMs), clock, signal)
    interval *= 1.5
  }
}

function readState(value: unknown, lifecycle: Lifecycle | undefined): string | undefined {
  if (lifecycle === undefined || typeof value !== 'object' || value === null) return undefined
  const { field, byFields } = lifecycle
  const held: unknown = Reflect.get(value, field)
  if (!byFields) return typeof held === 'string' ? held : undefined
  const { flags, without, withField } = byFields
  return flags.find((name) => Reflect.get(value, name) === true) ?? (held == null ? without : withField)
}

/** A state that is not in the lifecycle is a later server's, and may lead anywhere. */
function isDeadEnd(lifecycle: Lifecycle | undefined, state: string | undefined, until: unknown): boolean {
  if (!lifecycle || state === undefined || !lifecycle.transitions.flat().includes(state)) return false
  const reachable = new Set([state])
  // A set that grows while it is walked: each state is visited once.
  for (const at of reachable) {
    for (const [from, to] of lifecycle.transitions) if (from === at) reachable.add(to)
  }
  return typeof until === 'string' ? !reachable.has(until) : reachable.size === 1
}
