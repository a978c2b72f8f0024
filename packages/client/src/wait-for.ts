import { type Clock, systemClock } from './clock.ts'
import { sleep, withDeadline } from './deadline.ts'
import { ClientError } from './errors.ts'
import { readNumbers } from './settings.ts'

/**
 * The minimum time for each read, in milliseconds. Without a minimum, the last read would have no time left because it
 * starts when the timeout is reached.
 */
const minReadMs = 1_000

const defaultTimes = { timeoutMs: 600_000, intervalMs: 1_000, maxIntervalMs: 30_000 }

/**
 * A lifecycle from the specification, with the field that contains the state, and the transitions that happen without
 * another call.
 */
export interface Lifecycle {
  readonly field: string
  /**
   * The rules for resources without a state field. `flags` are boolean fields that each represent a state. If no flag
   * is set, the presence of `field` determines the state.
   */
  readonly byFields?:
    | { readonly flags: readonly string[]; readonly without: string; readonly withField: string }
    | undefined
  readonly transitions: readonly (readonly [from: string, to: string])[]
}

/** The progress that `onProgress` receives after each read. */
export interface WaitProgress<T> {
  readonly value: T
  /** The state, if the resource has one. */
  readonly state: string | undefined
  /** The number of reads so far, including this one. */
  readonly looks: number
  readonly elapsedMs: number
}

/** Options for `waitFor`. */
export interface WaitOptions<T, State extends string = string> {
  /**
   * The state to wait for, or a condition. The wait also ends if the resource reaches a state without further
   * transitions.
   */
  readonly until: State | ((value: T) => boolean)
  /**
   * The timeout for the wait in milliseconds. Reads in progress are aborted at the timeout, but each read gets at least
   * one second. Default: 10 minutes.
   */
  readonly timeoutMs?: number | undefined
  /**
   * The number of milliseconds between the first two reads. Each later interval is 1.5 times the previous interval.
   * Default: 1 s.
   */
  readonly intervalMs?: number | undefined
  /** The maximum interval between reads in milliseconds. Default: 30 s. */
  readonly maxIntervalMs?: number | undefined
  /** Aborts the wait immediately, along with any read that is in flight. */
  readonly signal?: AbortSignal | undefined
  /** Called after each read, including the last one. If the callback throws, the wait ends. */
  readonly onProgress?: ((progress: WaitProgress<T>) => void) | undefined
  /** Replaces the system clock in tests. */
  readonly clock?: Clock | undefined
}

/**
 * Thrown if the state isn't reached in time, or can no longer be reached.
 *
 * @example
 * const read = () => client.getSnapshot({ groupId, clusterName, snapshotId })
 * const error = await client.waitFor('snapshot', read, { until: 'completed' }).catch((thrown) => thrown)
 * if (error instanceof WaitError) console.log(error.reason, error.progress.state)
 */
export class WaitError<T = unknown> extends Error {
  override name = 'WaitError'
  readonly reason: 'timeout' | 'unreachable'
  /** The last read, which has no value if the first read timed out. */
  readonly progress: WaitProgress<T | undefined>
  constructor(reason: 'timeout' | 'unreachable', wanted: string, progress: WaitProgress<T | undefined>) {
    const state = progress.state ?? 'unknown'
    const why = reason === 'timeout' ? 'timeout' : `${wanted} can no longer be reached`
    super(`waited ${progress.elapsedMs} ms for ${wanted}, the state is ${state}: ${why}`)
    this.reason = reason
    this.progress = progress
  }
}

/**
 * Polls a resource until it reaches the given state, waiting longer after each attempt. Throws if the state can no
 * longer be reached. With `client.waitFor`, you select a lifecycle by name.
 *
 * @param read Reads the resource once. The signal passed to `read` is aborted when the wait ends.
 * @example
 * const read = (signal: AbortSignal) => client.getSnapshot({ groupId, clusterName, snapshotId }, { signal })
 * await waitFor(undefined, read, { until: ({ status }) => status === 'completed', timeoutMs: 60_000 })
 * @throws WaitError with the last read, any error from `read`, or the signal's reason.
 */
export async function waitFor<T>(
  lifecycle: Lifecycle | undefined,
  read: (signal: AbortSignal) => PromiseLike<T>,
  options: WaitOptions<T>,
): Promise<T> {
  try {
    return await poll(lifecycle, read, options)
  } catch (error) {
    if (error instanceof WaitError || error instanceof ClientError) Error.captureStackTrace?.(error, waitFor)
    throw error
  }
}

async function poll<T>(
  lifecycle: Lifecycle | undefined,
  read: (signal: AbortSignal) => PromiseLike<T>,
  options: WaitOptions<T>,
): Promise<T> {
  const { until, clock = systemClock, signal } = options
  if (!['string', 'function'].includes(typeof until))
    throw new TypeError(`until is ${typeof until}: expected a state or a function`)
  const { timeoutMs, intervalMs, maxIntervalMs } = readNumbers(options, defaultTimes)
  const started = clock.now()
  const wanted = typeof until === 'string' ? until : 'the condition'
  const elapsed = (): number => clock.now() - started
  let interval = intervalMs
  let last: WaitProgress<T | undefined> = { value: undefined, state: undefined, looks: 0, elapsedMs: 0 }
  for (let looks = 1; ; looks++) {
    const value = await withDeadline(
      async (inner) => read(inner),
      { clock, signal, timeoutMs: Math.max(timeoutMs - elapsed(), minReadMs) },
      () => new WaitError('timeout', wanted, { ...last, elapsedMs: elapsed() }),
    )
    const state = readState(value, lifecycle)
    const elapsedMs = elapsed()
    const progress = { value, state, looks, elapsedMs }
    last = progress
    options.onProgress?.(progress)
    if (typeof until === 'string' ? state === until : until(value)) return value
    if (isDeadEnd(lifecycle, state, until)) throw new WaitError('unreachable', wanted, progress)
    const leftMs = timeoutMs - elapsedMs
    if (!(leftMs > 0)) throw new WaitError('timeout', wanted, progress)
    // The last read happens at the deadline, even if the next interval would be longer.
    await sleep(Math.min(interval, maxIntervalMs, leftMs), clock, signal)
    interval *= 1.5
  }
}

function readState(value: unknown, lifecycle: Lifecycle | undefined): string | undefined {
  if (lifecycle === undefined || typeof value !== 'object' || value === null) return undefined
  const { field, byFields } = lifecycle
  const fieldValue: unknown = Reflect.get(value, field)
  if (!byFields) return typeof fieldValue === 'string' ? fieldValue : undefined
  const { flags, without, withField } = byFields
  return flags.find((name) => Reflect.get(value, name) === true) ?? (fieldValue == null ? without : withField)
}

/**
 * Returns whether the resource can no longer reach the target. If the target is a condition, waiting stops in a final
 * state because the resource can no longer change. If a newer server returns a state that isn't in the lifecycle, any
 * other state may follow.
 */
function isDeadEnd(lifecycle: Lifecycle | undefined, state: string | undefined, until: unknown): boolean {
  if (!lifecycle || state === undefined || !lifecycle.transitions.flat().includes(state)) return false
  const reachable = new Set([state])
  // The loop also visits states that are added to the set while it runs.
  for (const at of reachable) {
    for (const [from, to] of lifecycle.transitions) if (from === at) reachable.add(to)
  }
  return typeof until === 'string' ? !reachable.has(until) : reachable.size === 1
}
