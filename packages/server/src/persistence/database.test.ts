import { describe, expect, it, onTestFinished } from 'vitest'
import { persistentDatabase } from '../../test/databases.ts'
import { ClosedError, type Database, DuplicateError, openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { type Slots, statement } from './statement.ts'

const put = statement((db, $: Slots<{ name: string; value: string }>) =>
  db.insertInto('settings').values({ name: $('name'), value: $('value') }),
)
const get = statement((db, $: Slots<{ name: string }>) =>
  db.selectFrom('settings').select('value').where('name', '=', $('name')),
)
const set = statement((db, $: Slots<{ name: string; value: string }>) =>
  db
    .updateTable('settings')
    .set({ value: $('value') })
    .where('name', '=', $('name')),
)
const ordered = statement((db) => db.selectFrom('settings').select('name').orderBy('name'))
const putToken = statement((db, $: Slots<{ hash: string; at: number }>) =>
  db.insertInto('tokens').values({ hash: $('hash'), client_id: '', expires_at: $('at') }),
)
const token = statement((db, $: Slots<{ hash: string }>) =>
  db.selectFrom('tokens').select('expires_at as at').where('hash', '=', $('hash')),
)
const tokens = statement((db) => db.selectFrom('tokens').select((eb) => eb.fn.countAll<number>().as('total')))

async function open(address?: string): Promise<Database> {
  const database = await openDatabase(address ?? (await persistentDatabase()))
  onTestFinished(() => database.close())
  await migrate(database)
  return database
}

describe('a database', () => {
  it('returns the rows that match the values', async () => {
    const database = await open()
    await database.all(put, { name: 'a', value: '1' })
    expect(await database.one(get, { name: 'a' })).toEqual({ value: '1' })
    expect(await database.all(get, { name: 'a' })).toEqual([{ value: '1' }])
    expect(await database.one(get, { name: 'b' })).toBeUndefined()
  })

  it('uses the current values, not the values of an earlier call', async () => {
    const database = await open()
    for (const name of ['a', 'c']) await database.all(put, { name, value: name })
    const names = Array.from({ length: 600 }, (_, index) => 'abc'[(index * 7) % 3] ?? '')
    for (const [index, name] of names.entries()) {
      const row = index % 5 < 2 ? await database.one(get, { name }) : (await database.all(get, { name }))[0]
      expect(row?.value).toBe(name === 'b' ? undefined : name)
    }
  })

  it('distinguishes duplicates from other failures', async () => {
    const database = await open()
    await database.all(put, { name: 'a', value: '1' })
    await expect(database.all(put, { name: 'a', value: '2' })).rejects.toThrow(DuplicateError)
  })

  it('stores nothing of a transaction that fails', async () => {
    const database = await open()
    const failing = database.transaction(async (transaction) => {
      await transaction.all(put, { name: 'a', value: '1' })
      throw new Error('stop')
    })
    await expect(failing).rejects.toThrow('stop')
    expect(await database.one(get, { name: 'a' })).toBeUndefined()
  })

  it('calls a guard when a change runs, and not for reads', async () => {
    const database = await open()
    let isLate = false
    const guarded = database.guarded(() => {
      if (isLate) throw new Error('too late')
    })
    await guarded.all(put, { name: 'a', value: '1' })
    expect(await guarded.transaction((within) => within.one(get, { name: 'a' }))).toEqual({ value: '1' })
    // All of these callers wait for changes from the same event loop turn.
    const waiting = [
      guarded.all(set, { name: 'a', value: '2' }),
      guarded.transaction((within) => within.all(set, { name: 'a', value: '3' })),
    ]
    isLate = true
    const outcomes = await Promise.allSettled(waiting)
    const rejected = { status: 'rejected', reason: new Error('too late') }
    expect(outcomes).toEqual([rejected, rejected])
    expect(await guarded.one(get, { name: 'a' })).toEqual({ value: '1' })
    await database.all(set, { name: 'a', value: '4' })
    expect(await guarded.all(get, { name: 'a' })).toEqual([{ value: '4' }])
  })

  it('hides the changes of an unfinished transaction', async () => {
    const database = await open()
    const writing = database.transaction(async (transaction) => {
      await transaction.all(put, { name: 'a', value: '1' })
      await transaction.all(put, { name: 'b', value: '1' })
      throw new Error('stop')
    })
    const [seen] = await Promise.allSettled([database.one(get, { name: 'a' }), writing])
    expect(seen).toEqual({ status: 'fulfilled', value: undefined })
  })

  it('rejects a missing value instead of binding null', async () => {
    const database = await open()
    const values: Record<string, string> = {}
    const loose = statement<Record<string, string>, unknown>((db, $) =>
      db.selectFrom('settings').select('value').where('name', '=', $('name')),
    )
    await expect(database.all(loose, values)).rejects.toThrow("No value for 'name'")
  })

  it('reports to later callers that it was closed', async () => {
    const database = await openDatabase(await persistentDatabase())
    await migrate(database)
    await database.close()
    const late = [database.one(get, { name: 'a' }), database.all(put, { name: 'a', value: '1' })]
    for (const one of late) await expect(one).rejects.toThrow(ClosedError)
    await expect(database.transaction(async () => 1)).rejects.toThrow(ClosedError)
  })

  it('retains data when it is opened again', async () => {
    const address = await persistentDatabase()
    const first = await openDatabase(address)
    await migrate(first)
    await first.all(put, { name: 'a', value: '1' })
    await first.close()
    const second = await open(address)
    expect(await second.one(get, { name: 'a' })).toMatchObject({ value: '1' })
  })

  it('sorts texts by their bytes, regardless of the locale of the database', async () => {
    const database = await open()
    const names = ['a', 'B', 'ä', 'Z', 'z', 'é', '_', 'a b', 'ab', '10', '9', 'Ω', '😀', '\uffee', 'a-c']
    for (const name of names) await database.all(put, { name, value: '' })
    const bytes = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect((await database.all(ordered, {})).map(({ name }) => name)).toEqual(bytes)
  })

  it('returns times and counts as numbers', async () => {
    const database = await open()
    const at = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
    await database.all(putToken, { hash: 'h', at })
    expect(await database.one(token, { hash: 'h' })).toEqual({ at })
    expect(await database.one(tokens, {})).toEqual({ total: 1 })
  })

  it("finds nothing for a name with NUL, which PostgreSQL texts can't contain", async () => {
    expect(await (await open()).one(get, { name: 'a\0b' })).toBeUndefined()
  })

  it('serializes transactions that change the same row', async () => {
    const database = await open()
    await database.all(put, { name: 'count', value: '0' })
    const add = () =>
      database.transaction(async (transaction) => {
        const before = await transaction.one(get, { name: 'count' })
        await transaction.all(set, { name: 'count', value: String(Number(before?.value) + 1) })
      })
    await Promise.all(Array.from({ length: 40 }, add))
    expect(await database.one(get, { name: 'count' })).toEqual({ value: '40' })
  })

  it('prevents two transactions from each deciding on data that the other changes', async () => {
    const database = await open()
    // At most one of the two rows may be created. Neither exists yet, so there is no row to lock.
    const claim = (name: string, other: string) =>
      database.transaction(async (transaction) => {
        const taken = await transaction.one(get, { name: other })
        if (!taken) await transaction.all(put, { name, value: '' })
        return !taken
      })
    for (let round = 0; round < 10; round += 1) {
      const [a, b] = [`a${round}`, `b${round}`]
      expect((await Promise.all([claim(a, b), claim(b, a)])).filter(Boolean)).toHaveLength(1)
    }
  })

  it('rejects an address of an unknown kind', async () => {
    await expect(openDatabase('oracle://host/db')).rejects.toThrow(
      /^The address of the database must be a file, :memory:, or postgres:/,
    )
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

  it('reject a database written by a newer server', async () => {
    const database = await open()
    await expect(migrate(database, [])).rejects.toThrow('this server supports migrations only up to 0')
  })

  it('leave no changes if one fails', async () => {
    const database = await open()
    const broken = {
      id: 99,
      name: 'broken',
      up: () => [...migrations.flatMap(({ up }) => up(never, database.dialect))],
    }
    await expect(migrate(database, [...migrations, broken])).rejects.toThrow()
    expect(await migrate(database)).toBe(0)
  })
})

const never: Parameters<(typeof migrations)[number]['up']>[0] = new Proxy(Object.create(null), {})
