import { describe, expect, it, onTestFinished } from 'vitest'
import { persistentDatabase } from '../../test/databases.ts'
import { openDatabase } from '../persistence/database.ts'
import { migrate } from '../persistence/migrate.ts'
import { settings } from '../persistence/settings.ts'
import { createClock } from './clock.ts'
import { createIds } from './ids.ts'

const noon = Date.UTC(2026, 2, 1, 12)

async function database() {
  const opened = await openDatabase(await persistentDatabase())
  onTestFinished(() => opened.close())
  await migrate(opened)
  return opened
}

describe('a clock', () => {
  it('shows the system time until it is set, then continues at its rate', async () => {
    let real = 1000
    const clock = createClock(await database(), () => real, true)
    expect(await clock.now()).toBe(1000)
    await clock.set({ now: 5000 })
    real += 10
    expect(await clock.now()).toBe(5010)
    await clock.set({ advanceSeconds: 1, rate: 60 })
    real += 10
    expect(await clock.read()).toEqual({ now: 6610, rate: 60 })
    await clock.set({ rate: 0 })
    real += 10
    expect(await clock.now()).toBe(6610)
    await clock.reset()
    expect(await clock.now()).toBe(real)
  })

  it('is unchanged after a failed change', async () => {
    const opened = await database()
    let full = false
    const failing: typeof opened = {
      ...opened,
      transaction: (body, kind) =>
        opened.transaction(async (within) => {
          const done = await body(within)
          if (full) throw new Error('the disk is full')
          return done
        }, kind),
    }
    const clock = createClock(failing, () => 1000, true)
    await clock.set({ now: noon, rate: 0 })
    full = true
    await expect(clock.set({ advanceSeconds: -60 })).rejects.toThrow('the disk is full')
    expect([await clock.now(), clock.lastKnown(), clock.rewinds()]).toEqual([noon, noon, 0])
  })

  it('stops at the end of its range and can be set back', async () => {
    let real = 0
    const clock = createClock(await database(), () => real, true)
    await clock.set({ now: noon, rate: 1e300 })
    real += 1
    const end = { now: Date.UTC(9999, 11, 31), rate: 1e300 }
    expect([await clock.now(), await clock.read()]).toEqual([end.now, end])
    expect(await clock.set({ rate: 0 })).toEqual({ now: end.now, rate: 0 })
    await clock.set({ now: noon })
    real += 1
    expect(await clock.now()).toBe(noon)
  })

  it('is the same in all processes of a world', async () => {
    const shared = await database()
    const one = createClock(shared, () => 0, false)
    const other = createClock(shared, () => 0, false)
    await one.set({ now: 1234, rate: 0 })
    expect(await other.now()).toBe(1234)
  })

  it('is read once for requests that are processed together, and again for later ones', async () => {
    const opened = await database()
    let reads = 0
    const counting: typeof opened = {
      ...opened,
      one: (...read) => {
        reads += 1
        return opened.one(...read)
      },
    }
    const clock = createClock(counting, () => 0, false)
    await Promise.all(Array.from({ length: 32 }, () => clock.worldTime()))
    expect(reads).toBe(1)
    await createClock(opened, () => 0, false).set({ now: 1234, rate: 0 })
    expect([await clock.now(), reads]).toEqual([1234, 2])
  })

  it('shows the second of two concurrent changes', async () => {
    const shared = await database()
    const clock = createClock(shared, () => 0, true)
    await clock.set({ rate: 0 })
    const first = clock.set({ now: 1000 })
    await Promise.all([first, shared.transaction((within) => clock.set({ now: 2000 }, within))])
    expect(await clock.now()).toBe(await createClock(shared, () => 0, false).now())
  })

  it('adds up concurrent advances', async () => {
    const shared = await database()
    const clocks = Array.from({ length: 8 }, () => createClock(shared, () => 0, false))
    await clocks[0]?.set({ now: 0, rate: 0 })
    await Promise.all(clocks.map((clock) => clock.set({ advanceSeconds: 1 })))
    expect(await clocks[0]?.now()).toBe(8000)
  })
})

describe('ids', () => {
  it('are 24 hexadecimal digits that sort by time, then by count, and roll over', () => {
    const ids = createIds((count) => Buffer.alloc(count, 0xff))
    const made = [ids.next(1_700_000_000_000), ids.next(1_700_000_000_000), ids.next(1_700_000_001_000)]
    expect(made).toEqual([...made].sort())
    expect(new Set(made).size).toBe(3)
    for (const id of made) expect(id).toMatch(/^[a-f0-9]{24}$/)
  })
})

describe('a setting', () => {
  it('created by two processes at the same time has the value of one of them', async () => {
    const shared = await database()
    const made = await Promise.all(['a', 'b'].map((value) => settings.once(shared, 'key', () => value)))
    expect(new Set(made).size).toBe(1)
  })
})
