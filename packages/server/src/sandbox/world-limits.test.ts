import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../persistence/database.ts'
import { memory } from '../persistence/database-address.ts'
import { migrate } from '../persistence/migrate.ts'
import { createWorld } from '../world/world.ts'
import { createWorlds, mainWorld, worldLimits } from './worlds.ts'

it('a sandbox rejects more worlds and snapshots than its limits, until one is deleted', async () => {
  const database = await openDatabase(memory)
  await migrate(database)
  const options = { nonceLifetime: 1, tokenLifetime: 1, sandbox: true }
  const worlds = createWorlds(await createWorld(database, options), options, { worlds: 2, snapshots: 1 })
  onTestFinished(async () => {
    await worlds.close()
    await database.close()
  })
  await worlds.create({ id: 'one' })
  await expect(worlds.create({ id: 'two' })).rejects.toThrow(
    'The sandbox already has 2 worlds, which is the maximum. Delete a world first',
  )
  await worlds.remove('one')
  await worlds.create({ id: 'two' })
  const main = worlds.find(mainWorld)
  const { id } = await worlds.snapshots.take(main)
  await expect(worlds.snapshots.take(main)).rejects.toThrow(
    'The sandbox already has 1 snapshots, which is the maximum. Delete a snapshot first',
  )
  worlds.snapshots.remove(id)
  await worlds.snapshots.take(main)
})

it('the control document names the limits', () => {
  const document = readFileSync(new URL('../../../../spec/control/openapi.yaml', import.meta.url), 'utf8')
  const text = document.replaceAll(/\s+/g, ' ')
  expect(text).toContain(`A sandbox has at most ${worldLimits.worlds} worlds, including the main world.`)
  expect(text).toContain(`A sandbox stores at most ${worldLimits.snapshots} snapshots.`)
})
