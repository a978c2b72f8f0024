import { expect, test } from 'vitest'
import { createPrerequisites, type Prerequisites } from './prerequisites.ts'
import { createTargetTime } from './target-time.ts'

const never = createPrerequisites({ baseUrl: 'http://127.0.0.1', things: {}, roles: {} })

const timeOn = (more: Partial<Prerequisites>) => {
  const wall = { now: 5000 }
  const time = createTargetTime({ ...never, advanceClock: async () => {}, ...more }, () => wall.now)
  return { wall, ...time }
}

test('time passes like real time, plus every clock change', async () => {
  const { wall, now, prerequisites } = timeOn({})
  const began = now()
  wall.now += 1000
  await prerequisites.advanceClock(30)
  await prerequisites.advanceClock(60)
  expect(now() - began).toBe(91_000)
})

test('a failed clock change has no effect', async () => {
  const { now, prerequisites } = timeOn({ advanceClock: () => Promise.reject(new Error('no')) })
  const began = now()
  await expect(prerequisites.advanceClock(60)).rejects.toThrow('no')
  expect(now()).toBe(began)
})

test.each([
  [60, 60_000],
  [1, 1000],
  // Renewing a token earlier than necessary does no harm.
  [0, 1000],
])('a second of real time on a clock with rate %i counts as %i milliseconds', async (rate, passed) => {
  const { wall, now, prerequisites } = timeOn({ readClock: async () => ({ now: 0, rate }) })
  await prerequisites.readClock()
  await prerequisites.advanceClock(10)
  const began = now()
  wall.now += 1000
  await prerequisites.readClock()
  expect(now() - began).toBe(passed)
})
