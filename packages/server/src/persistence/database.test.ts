import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Database, DuplicateError, openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { type Slots, statement } from './statement.ts'

const folder = mkdtempSync(join(tmpdir(), 'database-'))
afterAll(() => rmSync(folder, { recursive: true }))

const put = statement((db, $: Slots<{ name: string; value: string }>) =>
  db.insertInto('settings').values({ name: $('name'), value: $('value') }),
)
const get = statement((db, $: Slots<{ name: string }>) =>
  db.selectFrom('settings').select('value').where('name', '=', $('name')),
)

async function open(address = ':memory:'): Promise<Database> {
  const database = await openDatabase(address)
  onTestFinished(() => database.close())
  await migrate(database)
  return database
}

describe('a database', () => {
  it('answers a statement with the rows that fit its values', async () => {
    const database = await open()
    await database.all(put, { name: 'a', value: '1' })
    expect(await database.one(get, { name: 'a' })).toEqual({ value: '1' })
    expect(await database.all(get, { name: 'a' })).toEqual([{ value: '1' }])
    expect(await database.one(get, { name: 'b' })).toBeUndefined()
  })

  it('answers for the values at hand, however the statement was run before', async () => {
    const database = await open()
    for (const name of ['a', 'c']) await database.all(put, { name, value: name })
    const names = Array.from({ length: 600 }, (_, index) => 'abc'[(index * 7) % 3] ?? '')
    for (const [index, name] of names.entries()) {
      const row = index % 5 < 2 ? await database.one(get, { name }) : (await database.all(get, { name }))[0]
      expect(row?.value).toBe(name === 'b' ? undefined : name)
    }
  })

  it('tells a duplicate from other failures', async () => {
    const database = await open()
    await database.all(put, { name: 'a', value: '1' })
    await expect(database.all(put, { name: 'a', value: '2' })).rejects.toThrow(DuplicateError)
  })

  it('keeps nothing of a transaction that fails', async () => {
    const database = await open()
    const failing = database.transaction(async (transaction) => {
      await transaction.all(put, { name: 'a', value: '1' })
      throw new Error('stop')
    })
    await expect(failing).rejects.toThrow('stop')
    expect(await database.one(get, { name: 'a' })).toBeUndefined()
  })

  it('shows nobody a transaction that is not finished', async () => {
    const database = await open()
    const writing = database.transaction(async (transaction) => {
      await transaction.all(put, { name: 'a', value: '1' })
      await transaction.all(put, { name: 'b', value: '1' })
      throw new Error('stop')
    })
    const [seen] = await Promise.allSettled([database.one(get, { name: 'a' }), writing])
    expect(seen).toEqual({ status: 'fulfilled', value: undefined })
  })

  it('refuses a missing value instead of binding null', async () => {
    const database = await open()
    const values: Record<string, string> = {}
    const loose = statement<Record<string, string>, unknown>((db, $) =>
      db.selectFrom('settings').select('value').where('name', '=', $('name')),
    )
    await expect(database.all(loose, values)).rejects.toThrow("No value for 'name'")
  })

  it('keeps what was written when it is opened again', async () => {
    const file = join(folder, 'kept.db')
    const first = await openDatabase(file)
    await migrate(first)
    await first.all(put, { name: 'a', value: '1' })
    await first.close()
    const second = await open(file)
    expect(await second.one(get, { name: 'a' })).toMatchObject({ value: '1' })
  })

  it('is refused to a second server, in words that say why', async () => {
    const file = join(folder, 'owned.db')
    await open(file)
    await expect(openDatabase(file)).rejects.toThrow(`${file} is in use by another server`)
  })

  it('refuses an address that no dialect knows', async () => {
    await expect(openDatabase('oracle://host/db')).rejects.toThrow('No database dialect for oracle')
  })
})

describe('migrations', () => {
  it('are numbered without gaps', () => {
    expect(migrations.map((migration) => migration.id)).toEqual(migrations.map((_, index) => index + 1))
  })

  it('run once', async () => {
    const database = await open()
    expect(await migrate(database)).toBe(0)
  })

  it('refuse a database that a newer server wrote', async () => {
    const database = await open()
    await expect(migrate(database, [])).rejects.toThrow('this server knows 0')
  })

  it('leave nothing behind when one fails', async () => {
    const database = await open()
    const broken = { id: 99, name: 'broken', up: () => [...migrations.flatMap(({ up }) => up(never))] }
    await expect(migrate(database, [...migrations, broken])).rejects.toThrow()
    expect(await migrate(database)).toBe(0)
  })
})

const never: Parameters<(typeof migrations)[number]['up']>[0] = new Proxy(Object.create(null), {})
