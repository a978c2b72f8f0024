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

/** How often somebody is asked who always asks for patience, and for how long it is waited. */
const retryWith = async (seconds: number | undefined, asking = 429, returnRateLimited = false) => {
  const waited: number[] = []
  let untimed = 0
  const onMissingRetryAfter = () => {
    untimed += 1
  }
  const wait = async (time: number) => void waited.push(time)
  let asked = 0
  const retryRequest = createRetry({ now: () => 0, wait })
  const { response } = await retryRequest(
    async () => {
      asked += 1
      if (asked > 50) throw new Error('it never ends')
      return limited(seconds, asking)
    },
    { returnRateLimited, onMissingRetryAfter },
  )
  return { asked, waited, status: response.status, untimed }
}

test('who asks for patience again and again is asked four times', async () => {
  expect(await retryWith(120)).toEqual({ asked: 4, waited: [120, 120, 120], status: 429, untimed: 0 })
})

test('nobody is waited for longer than two minutes at a time', async () => {
  expect(await retryWith(121)).toEqual({ asked: 1, waited: [], status: 429, untimed: 0 })
})

test('whoever is out of service for a while is waited for, and nobody who has another answer', async () => {
  expect(await retryWith(7, 503)).toEqual({ asked: 4, waited: [7, 7, 7], status: 503, untimed: 0 })
  for (const status of [200, 301, 404, 500])
    expect(await retryWith(7, status)).toEqual({ asked: 1, waited: [], status, untimed: 0 })
})

test.each([429, 503])(
  'a %i that does not say for how long is waited for longer each time, and told of',
  async (asking) => {
    expect(await retryWith(undefined, asking)).toEqual({
      asked: 4,
      waited: [1, 10, 60],
      status: asking,
      untimed: 3,
    })
  },
)

test('who asks for the limit gets it at once', async () => {
  for (const seconds of [7, undefined])
    expect(await retryWith(seconds, 429, true)).toEqual({ asked: 1, waited: [], status: 429, untimed: 0 })
})

test('nothing more is waited for with a status for which it was in vain three times, until it helps', async () => {
  const waited: number[] = []
  const wait = async (time: number) => void waited.push(time)
  const retryRequest = createRetry({ now: () => 0, wait })
  const waitsFor = async (...statuses: number[]): Promise<number> => {
    waited.length = 0
    let count = 0
    await retryRequest(async () => limited(7, statuses[Math.min(count++, statuses.length - 1)]))
    return waited.length
  }
  // What helps in between lets it count anew; what was never waited for says nothing.
  for (const statuses of [[503], [503], [503, 200], [503], [503], [200], [503]]) {
    expect(await waitsFor(...statuses)).toBe(statuses.at(-1) === 200 ? statuses.length - 1 : 3)
  }
  expect([await waitsFor(503), await waitsFor(429), await waitsFor(503, 200)]).toEqual([0, 3, 0])
})

/** A target whose limit is lifted by one of two clocks: its own, which can be moved, or the wall's. */
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

test('who limits by a clock that can be moved is not waited for', async () => {
  const asking = limitedBy('own')
  for (let times = 1; times <= 5; times += 1) expect(await asking()).toEqual(['moved 7', '200'])
})

test('who limits by another clock than the one that can be moved is waited for, and that one soon let be', async () => {
  const asking = limitedBy('wall')
  for (let times = 1; times <= 3; times += 1) expect(await asking()).toEqual(['moved 7', 'waited 7', '200'])
  for (let times = 1; times <= 3; times += 1) expect(await asking()).toEqual(['waited 7', '200'])
})

test('who lets some through while the clock is moved, and not by that, is not taken for one who limits by it', async () => {
  let [moved, asked] = [0, 0]
  const retryRequest = createRetry({
    now: () => 0,
    wait: async () => {},
    moveClock: async () => {
      moved += 1
      // By chance, every second time.
      asked = moved % 2
    },
  })
  for (let times = 1; times <= 100; times += 1) {
    asked = 0
    await retryRequest(async () => limited(1, asked++ === 1 ? 200 : 429))
  }
  expect(moved).toBeLessThan(20)
})

test('of limits of requests that true waiting alone lifts somebody hears, and of nothing else', async () => {
  const heard: number[] = []
  const onLimit = (seconds: number) => void heard.push(seconds)
  const hears = async (
    status: number,
    returnRateLimited: boolean,
    moves: boolean,
  ): Promise<readonly number[]> => {
    heard.length = 0
    let asked = 0
    const moveClock = moves ? async () => {} : undefined
    const retryRequest = createRetry({ now: () => 0, wait: async () => {}, moveClock, onLimit })
    await retryRequest(async () => limited(7, asked++ === 0 ? status : 200), { returnRateLimited })
    return [...heard]
  }
  expect(await hears(429, false, false)).toEqual([7])
  expect(await hears(429, false, true)).toEqual([])
  expect(await hears(429, true, false)).toEqual([])
  expect(await hears(503, false, false)).toEqual([])
})
