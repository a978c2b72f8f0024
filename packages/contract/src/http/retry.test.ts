import { expect, test } from 'vitest'
import type { Exchange } from './exchange.ts'
import { createRetry } from './retry.ts'

const limited = (seconds: number | undefined, status = 429): Exchange => ({
  url: '',
  request: { method: 'GET', path: '/', headers: [] },
  response: {
    status,
    reason: '',
    headers: seconds === undefined ? [] : [['Retry-After', String(seconds)]],
    body: '',
  },
  milliseconds: 0,
})

/** Counts the requests and waits if the target always asks for a retry. */
const retryWith = async (seconds: number | undefined, asking = 429, returnRateLimited = false) => {
  const waited: number[] = []
  let untimed = 0
  const onMissingRetryAfter = () => {
    untimed += 1
  }
  const wait = async (time: number) => void waited.push(time)
  let requests = 0
  const retryRequest = createRetry({ now: () => 0, wait })
  const { response } = await retryRequest(
    async () => {
      requests += 1
      if (requests > 50) throw new Error('it never ends')
      return limited(seconds, asking)
    },
    { returnRateLimited, onMissingRetryAfter },
  )
  return { asked: requests, waited, status: response.status, untimed }
}

test('gives up after four requests if the target keeps asking for a retry', async () => {
  expect(await retryWith(120)).toEqual({ asked: 4, waited: [120, 120, 120], status: 429, untimed: 0 })
})

test('never waits longer than two minutes at a time', async () => {
  expect(await retryWith(121)).toEqual({ asked: 1, waited: [], status: 429, untimed: 0 })
})

test('waits for a target that is temporarily unavailable, but not for other statuses', async () => {
  expect(await retryWith(7, 503)).toEqual({ asked: 4, waited: [7, 7, 7], status: 503, untimed: 0 })
  for (const status of [200, 301, 404, 500])
    expect(await retryWith(7, status)).toEqual({ asked: 1, waited: [], status, untimed: 0 })
})

test.each([408, 429, 503])(
  'waits longer each time for a %i without Retry-After, and reports it',
  async (asking) => {
    expect(await retryWith(undefined, asking)).toEqual({
      asked: 4,
      waited: [1, 10, 60],
      status: asking,
      untimed: 3,
    })
  },
)

test('returns a rate-limited response immediately if requested', async () => {
  for (const seconds of [7, undefined])
    expect(await retryWith(seconds, 429, true)).toEqual({ asked: 1, waited: [], status: 429, untimed: 0 })
})

test('stops waiting for a status after three failed rounds, until a wait helps', async () => {
  const waited: number[] = []
  const wait = async (time: number) => void waited.push(time)
  const retryRequest = createRetry({ now: () => 0, wait })
  const waitsFor = async (...statuses: number[]): Promise<number> => {
    waited.length = 0
    let count = 0
    await retryRequest(async () => limited(7, statuses[Math.min(count++, statuses.length - 1)]))
    return waited.length
  }
  // A wait resets the count if it helps. Responses that don't ask for a retry have no effect on it.
  for (const statuses of [[503], [503], [503, 200], [503], [503], [200], [503]]) {
    expect(await waitsFor(...statuses)).toBe(statuses.at(-1) === 200 ? statuses.length - 1 : 3)
  }
  expect([await waitsFor(503), await waitsFor(429), await waitsFor(503, 200)]).toEqual([0, 3, 0])
})

/** A target with a rate limit. Either the target's own clock or real time ends the limit. */
const limitedBy = (clock: 'own' | 'wall') => {
  const passed: string[] = []
  let open = false
  const pass = (which: 'own' | 'wall', did: string) => async (seconds: number) => {
    passed.push(`${did} ${seconds}`)
    open ||= which === clock
  }
  const retryRequest = createRetry({
    now: () => 0,
    wait: pass('wall', 'waited'),
    moveClock: pass('own', 'moved'),
  })
  return async (): Promise<readonly string[]> => {
    passed.length = 0
    open = false
    const { response } = await retryRequest(async () => limited(7, open ? 200 : 429))
    return [...passed, String(response.status)]
  }
}

test('does not wait if the limit follows a clock that can be moved', async () => {
  const asking = limitedBy('own')
  for (let times = 1; times <= 5; times += 1) expect(await asking()).toEqual(['moved 7', '200'])
})

test("waits if the limit follows another clock, and soon stops moving the target's", async () => {
  const asking = limitedBy('wall')
  for (let times = 1; times <= 3; times += 1) expect(await asking()).toEqual(['moved 7', 'waited 7', '200'])
  for (let times = 1; times <= 3; times += 1) expect(await asking()).toEqual(['waited 7', '200'])
})

test('a target that accepts some requests while the clock is moved is not mistaken for one that follows it', async () => {
  let [moved, requests] = [0, 0]
  const retryRequest = createRetry({
    now: () => 0,
    wait: async () => {},
    moveClock: async () => {
      moved += 1
      // Every second retry succeeds by chance.
      requests = moved % 2
    },
  })
  for (let times = 1; times <= 100; times += 1) {
    requests = 0
    await retryRequest(async () => limited(1, requests++ === 1 ? 200 : 429))
  }
  expect(moved).toBeLessThan(20)
})

test('reports only rate limits that need a real wait', async () => {
  const heard: number[] = []
  const onLimit = (seconds: number) => void heard.push(seconds)
  const hears = async (
    status: number,
    returnRateLimited: boolean,
    moves: boolean,
  ): Promise<readonly number[]> => {
    heard.length = 0
    let requests = 0
    const moveClock = moves ? async () => {} : undefined
    const retryRequest = createRetry({ now: () => 0, wait: async () => {}, moveClock, onLimit })
    await retryRequest(async () => limited(7, requests++ === 0 ? status : 200), { returnRateLimited })
    return [...heard]
  }
  expect(await hears(429, false, false)).toEqual([7])
  expect(await hears(429, false, true)).toEqual([])
  expect(await hears(429, true, false)).toEqual([])
  expect(await hears(503, false, false)).toEqual([])
})
