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

it('allows the maximum within a window, then returns the time until the window ends', async () => {
  const take = await taking()
  expect(await take(1000, 2000, 31_000, 61_000)).toEqual([undefined, undefined, 30, undefined])
})

it('counts a request that was overtaken by another in the window of the other', async () => {
  const take = await taking()
  expect(await take(1000, 999, 1000)).toEqual([undefined, undefined, 60])
})

it('treats a window in the future as ended, because the clock was set back', async () => {
  const take = await taking()
  expect(await take(200_000, 200_000, 1000, 1000, 1000)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    60,
  ])
})
