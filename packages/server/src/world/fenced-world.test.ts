import { describe, expect, it, vi } from 'vitest'
import { startChecked } from '../../test/checked-server.ts'
import { settings } from '../persistence/settings.ts'
import { fencedWorld, retryAfterRewind } from './fenced-world.ts'
import type { World } from './world.ts'

const name = 'something that was changed'

/**
 * The two ways in which a request can change a world: with a single statement, or with several statements in a
 * transaction.
 */
const changes: readonly (readonly [string, (world: World) => Promise<unknown>])[] = [
  ['by one statement', ({ database }) => settings.set(database, name, 'by it')],
  ['by several', ({ database }) => database.transaction((within) => settings.set(within, name, 'by it'))],
]

async function startHeld() {
  const { world } = await startChecked()
  const { clock, database } = world
  const held = await fencedWorld(world, (await clock.worldTime()).rewinds)
  return { world, clock, held, kept: () => settings.get(database, name) }
}

describe('a fenced world', () => {
  it.each(changes)('accepts changes %s until it is rewound', async (_, change) => {
    const { clock, held, kept } = await startHeld()
    await clock.set({ advanceSeconds: 86_400 })
    await change(held)
    expect(await kept()).toBe('by it')
  })

  it.each(changes)('rejects changes %s that waited for the rewind', async (_, change) => {
    const { world, clock, held, kept } = await startHeld()
    const turned = world.database.transaction(async (within) => {
      await clock.reset(within)
      await settings.remove(within, name)
    })
    // On a shared database, the change may be committed before the rewind. If so, the rewind removes it.
    const outcome = change(held).then(
      () => 'UNAVAILABLE',
      ({ code }) => code,
    )
    expect(await outcome).toBe('UNAVAILABLE')
    await turned
    expect(await kept()).toBeUndefined()
    await change(await fencedWorld(world, (await clock.worldTime()).rewinds))
    expect(await kept()).toBe('by it')
  })

  it.each(changes)('retries changes %s after a rewind', async (_, change) => {
    const { world, clock, kept } = await startHeld()
    let [begun, changed] = [0, 0]
    await retryAfterRewind(world, async (held) => {
      begun += 1
      if (begun < 3) await clock.reset()
      await change(held)
      changed += 1
    })
    expect([begun, changed, await kept()]).toEqual([3, 1, 'by it'])
  })

  it('stops retrying after repeated rewinds, and throws other errors immediately', async () => {
    const { world, clock, kept } = await startHeld()
    let begun = 0
    const putBackEachTime = retryAfterRewind(world, async ({ database }) => {
      begun += 1
      await clock.reset()
      await settings.set(database, name, 'by it')
    })
    await expect(putBackEachTime).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      headers: { 'retry-after': '0' },
    })
    expect([begun, await kept()]).toEqual([11, undefined])
    const failing = vi.fn(() => Promise.reject(new Error('otherwise')))
    await expect(retryAfterRewind(world, failing)).rejects.toThrow('otherwise')
    expect(failing).toHaveBeenCalledOnce()
  })

  it("can still be read, but can't be created again", async () => {
    const { world, clock, held } = await startHeld()
    const { rewinds } = await clock.worldTime()
    await clock.reset()
    expect(await settings.get(held.database, 'clock')).toBe(await settings.get(world.database, 'clock'))
    await expect(fencedWorld(world, rewinds)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})
