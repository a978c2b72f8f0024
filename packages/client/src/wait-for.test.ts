import { describe, expect, test } from 'vitest'
import { path, rejection, response, setup } from '../test/setup.ts'
import { createTestClock, hanging, withFaults } from './testing/index.ts'
import { WaitError, type WaitOptions, waitFor } from './wait-for.ts'

const lifecycle = {
  field: 'status',
  transitions: [
    ['queued', 'inProgress'],
    ['inProgress', 'completed'],
    ['inProgress', 'failed'],
  ],
} as const

interface Snapshot {
  readonly status: string
  readonly ready?: boolean
}

function watch(states: readonly (string | Snapshot)[], options: Partial<WaitOptions<Snapshot>> = {}) {
  const clock = createTestClock()
  const started = clock.now()
  const readTimes: number[] = []
  const read = async (): Promise<Snapshot> => {
    const state = states[Math.min(readTimes.length, states.length - 1)] ?? ''
    readTimes.push(clock.now() - started)
    return typeof state === 'string' ? { status: state } : state
  }
  const work = waitFor(lifecycle, read, { until: 'completed', clock, ...options })
  return { work: clock.settle(work), readTimes, clock }
}

describe('waiting for a state', () => {
  test('reads until the state is reached, at growing intervals', async () => {
    const { work, readTimes } = watch(['queued', 'queued', 'inProgress', 'completed'])
    expect(await work).toEqual({ status: 'completed' })
    expect(readTimes).toEqual([0, 1_000, 2_500, 4_750])
  })

  test('never waits longer than maxIntervalMs between two reads', async () => {
    const { work, readTimes } = watch([...Array<string>(10).fill('queued'), 'completed'], {
      maxIntervalMs: 2_000,
    })
    await work
    expect(readTimes.at(-1)).toBe(1_000 + 1_500 + 8 * 2_000)
  })

  test('ends immediately in a state that cannot lead there anymore', async () => {
    const { work, readTimes } = watch(['queued', 'failed'])
    const error = await rejection(work)
    expect(error).toBeInstanceOf(WaitError)
    expect(error).toMatchObject({ reason: 'unreachable', progress: { state: 'failed', looks: 2 } })
    expect(readTimes).toHaveLength(2)
  })

  test('continues in a state of a newer server', async () => {
    expect(await watch(['paused', 'completed']).work).toEqual({ status: 'completed' })
  })

  test('reads once more when the timeout expires', async () => {
    const { work, readTimes } = watch(['queued', 'queued', 'completed'], { timeoutMs: 1_500 })
    expect(await work).toEqual({ status: 'completed' })
    expect(readTimes).toEqual([0, 1_000, 1_500])
  })

  test('has a timeout of ten minutes by default', async () => {
    const { work, readTimes } = watch(['queued'])
    expect(await rejection(work)).toMatchObject({ reason: 'timeout' })
    expect(readTimes.at(-1)).toBe(600_000)
  })

  test('ends when the timeout expires, with the last read in the error', async () => {
    const { work, clock } = watch(['queued'], { timeoutMs: 5_000 })
    expect(await rejection(work)).toMatchObject({
      reason: 'timeout',
      progress: { state: 'queued', looks: 5, elapsedMs: 5_000 },
    })
    expect(clock.pending).toBe(0)
  })

  test('reports each read', async () => {
    const seen: unknown[] = []
    await watch(['queued', 'completed'], {
      onProgress: ({ state, elapsedMs }) => seen.push([state, elapsedMs]),
    }).work
    expect(seen).toEqual([
      ['queued', 0],
      ['completed', 1_000],
    ])
  })

  test('accepts a condition instead of a state, and still detects a final state', async () => {
    const until = ({ ready }: Snapshot): boolean => ready === true
    expect(await watch(['queued', { status: 'inProgress', ready: true }], { until }).work).toMatchObject({
      ready: true,
    })
    expect(await rejection(watch(['queued', 'failed'], { until }).work)).toMatchObject({
      reason: 'unreachable',
    })
  })

  test('does not read if the signal is already aborted', async () => {
    const { work, readTimes } = watch(['completed'], { signal: AbortSignal.abort(new Error('enough')) })
    expect(await rejection(work)).toEqual(new Error('enough'))
    expect(readTimes).toEqual([])
  })

  test('ends during a read when the caller aborts or the timeout expires', async () => {
    const endless = () => new Promise<Snapshot>(() => undefined)
    const controller = new AbortController()
    const aborted = rejection(waitFor(lifecycle, endless, { until: 'completed', signal: controller.signal }))
    controller.abort(new Error('enough'))
    expect(await aborted).toEqual(new Error('enough'))

    const clock = createTestClock()
    const started = clock.now()
    const late = waitFor(lifecycle, endless, { until: 'completed', timeoutMs: 5_000, clock })
    expect(await rejection(clock.settle(late))).toMatchObject({ reason: 'timeout', progress: { looks: 0 } })
    expect(clock.now() - started).toBe(5_000)
  })

  test('rejects options of the wrong type before it reads', async () => {
    const { client, requests } = setup(() => response({ status: 'OPEN' }))
    const wait = (options?: object) =>
      rejection(Reflect.apply(client.waitFor, undefined, ['alert', () => client.getAlert(path), options]))
    const until = 'CLOSED'
    const times = 'the string 5: expected a number >= 0'
    expect(await wait()).toEqual(new TypeError('until is undefined: expected a state or a function'))
    expect(await wait({ until: 5 })).toEqual(new TypeError('until is number: expected a state or a function'))
    for (const name of ['timeoutMs', 'intervalMs', 'maxIntervalMs'])
      expect(await wait({ until, [name]: '5' })).toEqual(new TypeError(`${name} is ${times}`))
    // @ts-expect-error the snapshot lifecycle doesn't have this state
    void rejection(client.waitFor('snapshot', () => Promise.reject(new Error('x')), { until: 'complete' }))
    expect(requests).toHaveLength(0)
  })

  test('aborts the read when it ends', async () => {
    const { client, clock, requests } = setup(withFaults([undefined, hanging()], () => response({})))
    const aborted = () => requests.map(({ signal }) => signal?.aborted)
    const work = client.waitFor('alert', (signal) => client.getAlert(path, { signal }), {
      until: 'CLOSED',
      timeoutMs: 5_000,
      onProgress: () => expect(aborted()).toEqual([false]),
    })
    expect(await rejection(clock.settle(work))).toMatchObject({ reason: 'timeout', progress: { looks: 1 } })
    expect(requests).toHaveLength(2)
    expect(aborted()[1]).toBe(true)
    expect(clock.pending).toBe(0)
  })

  test('gives the last read at least a second', async () => {
    const clock = createTestClock()
    const read = () =>
      new Promise<Snapshot>((resolve) => clock.after(900, () => resolve({ status: 'completed' })))
    const work = waitFor(lifecycle, read, { until: 'completed', timeoutMs: 100, clock })
    expect(await clock.settle(work)).toEqual({ status: 'completed' })
  })

  test('never waits longer than maxIntervalMs before the second read either', async () => {
    const { work, readTimes } = watch(['queued', 'completed'], { intervalMs: 9_000, maxIntervalMs: 2_000 })
    await work
    expect(readTimes).toEqual([0, 2_000])
  })

  test('ends when the caller aborts', async () => {
    const controller = new AbortController()
    const { work } = watch(['queued'], {
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('enough')),
    })
    expect(await rejection(work)).toEqual(new Error('enough'))
  })

  test('rethrows errors of the read', async () => {
    const read = async () => {
      throw new Error('gone')
    }
    expect(await rejection(waitFor(lifecycle, read, { until: 'completed' }))).toEqual(new Error('gone'))
  })
})
