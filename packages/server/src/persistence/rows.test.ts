import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from './database.ts'
import { postgresDialect } from './dialects/postgres.ts'
import { sqliteDialect } from './dialects/sqlite.ts'
import { migrate } from './migrate.ts'
import { rowsOf } from './rows.ts'
import { compile } from './statement.ts'

const rows = rowsOf('access_roles', {
  key: ['id'],
  fixed: ['group_id', 'created_at'],
  changing: ['provider', 'authorized_at', 'document'],
})
const byGroup = rows.list(['group_id'])
const pageOfGroup = rows.page(['group_id'])
const countOfGroup = rows.count(['group_id'])

async function open() {
  const database = await openDatabase(':memory:')
  onTestFinished(() => database.close())
  await migrate(database)
  return database
}

const row = (id: string, createdAt: number) => ({
  id,
  groupId: 'g',
  createdAt,
  provider: 'AWS',
  authorizedAt: null,
  document: '{}',
})

it('reads rows in order of creation, with fields in camel case', async () => {
  const database = await open()
  for (const one of [row('b', 2), row('c', 1), row('a', 2)]) await database.all(rows.insert, one)
  const ordered = [row('c', 1), row('a', 2), row('b', 2)]
  expect(await database.all(byGroup, { groupId: 'g' })).toEqual(ordered)
  expect(await database.all(byGroup, { groupId: 'other' })).toEqual([])
  expect(await database.all(pageOfGroup, { groupId: 'g', limit: 1, offset: 1 })).toEqual([row('a', 2)])
  expect(await database.one(countOfGroup, { groupId: 'g' })).toEqual({ total: 3 })
})

it.each(['put', 'update'] as const)('%s changes a row, but not its fixed columns', async (kind) => {
  const database = await open()
  for (const id of ['a', 'b']) await database.all(rows.insert, row(id, 1))
  const changed = { ...row('a', 2), groupId: 'other', provider: 'GCP', authorizedAt: 5 }
  await database.all(rows[kind], changed)
  const expected = { ...changed, groupId: 'g', createdAt: 1 }
  expect(await database.all(byGroup, { groupId: 'g' })).toEqual([expected, row('b', 1)])
})

it('locks rows only where other connections can change them', () => {
  const find = rows.find(['id'])
  const [sqlite, postgres] = [sqliteDialect(':memory:'), postgresDialect('postgres://x', { connections: 1 })]
  expect(compile(find, sqlite).sql).not.toContain('for update')
  expect(compile(find, postgres).sql).toContain('where "id" = $1 for update')
  expect(compile(rows.get(['id']), postgres).sql).not.toContain('for update')
})
