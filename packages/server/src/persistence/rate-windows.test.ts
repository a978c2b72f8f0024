import { expect, it, onTestFinished } from 'vitest'
import { persistentDatabase } from '../../test/databases.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { rateWindows } from './rate-windows.ts'

const limit = { maximum: 2, windowSeconds: 60 }

async function taking() {
  const database = await openDatabase(await persistentDatabase())
  onTestFinished(() => database.close())
  await migrate(database)
  return (...moments: number[]) =>
    moments.reduce<Promise<(number | undefined)[]>>(
      async (before, now) => [...(await before), await rateWindows.take(database, 'name', limit, now)],
      Promise.resolve([]),
    )
}

it('as many as may be come within a window, and then it is said when it ends', async () => {
  const take = await taking()
  expect(await take(1000, 2000, 31_000, 61_000)).toEqual([undefined, undefined, 30, undefined])
})

it('a request that another one overtook counts in the window of that', async () => {
  const take = await taking()
  expect(await take(1000, 999, 1000)).toEqual([undefined, undefined, 60])
})

it('a window of a time that is yet to come is over, since the clock went back', async () => {
  const take = await taking()
  expect(await take(200_000, 200_000, 1000, 1000, 1000)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    60,
  ])
})
