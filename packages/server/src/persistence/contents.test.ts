import { expect, it, onTestFinished } from 'vitest'
import { persistentDatabase } from '../../test/databases.ts'
import { readContents, writeContents } from './contents.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { settings } from './settings.ts'
import { tenants } from './tenants.ts'

async function open() {
  const database = await openDatabase(await persistentDatabase())
  onTestFinished(() => database.close())
  await migrate(database)
  return database
}

it('copies the contents of a world with its transition settings and its seeding, but not its key', async () => {
  const [from, to, empty] = [await open(), await open(), await open()]
  const names = ['transitions', 'seeded', 'nonce-key'] as const
  for (const name of names) await settings.set(from, name, `of the first: ${name}`)
  await settings.set(to, 'nonce-key', 'own')
  await tenants.putOrganization(from, { id: 'o', name: 'Own' }, 0)
  const kept = () => Promise.all(names.map((name) => settings.get(to, name)))
  const copy = async (one: typeof from) => {
    const contents = await one.transaction(readContents)
    await to.transaction((transaction) => writeContents(transaction, contents))
  }
  await copy(from)
  expect(await kept()).toEqual(['of the first: transitions', 'of the first: seeded', 'own'])
  expect(await tenants.anyOrganization(to)).toBe(true)
  await copy(empty)
  expect(await kept()).toEqual([undefined, undefined, 'own'])
  expect(await tenants.anyOrganization(to)).toBe(false)
})
