import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { migrations } from '../migrations/index.ts'
import { builderFor } from '../statement.ts'
import { sqliteDialect } from './sqlite.ts'
import type { SqliteFile } from './sqlite-driver.ts'
import { driver } from './sqlite-drivers.ts'
import { classify, SqliteFailure } from './sqlite-failures.ts'
import { anchoredPage, createStatements } from './sqlite-statements.ts'

const [fsync, corrupt] = [1034, 11]

const failure = (result: number) => new SqliteFailure('the disk failed', result)

/** Opens a file on a disk that can be made to fail after a statement has run. */
function openFailing() {
  const folder = mkdtempSync(join(tmpdir(), 'failures-'))
  const path = join(folder, 'server.db')
  const file = driver.open(path)
  onTestFinished(() => {
    file.close()
    rmSync(folder, { recursive: true })
  })
  const dialect = sqliteDialect(':memory:')
  const made = migrations.flatMap(({ up }) => up(builderFor(dialect), dialect))
  for (const sql of ['BEGIN', ...made.map((query) => query.compile().sql), 'COMMIT']) file.exec(sql)
  const failing: { at?: string; result: number } = { result: 0 }
  const ran = <T>(sql: string, response: T): T => {
    if (failing.at === undefined || !sql.startsWith(failing.at)) return response
    delete failing.at
    // If the disk fails during a transaction, SQLite itself rolls the transaction back.
    if (failing.result !== corrupt && file.inTransaction) file.exec('ROLLBACK')
    throw failure(failing.result)
  }
  const watched: SqliteFile = {
    get inTransaction() {
      return file.inTransaction
    },
    prepare: (sql) => {
      const { all, first } = file.prepare(sql)
      return { all: (values) => ran(sql, all(values)), first: (values) => ran(sql, first(values)) }
    },
    prepareRow: (sql) => {
      const read = file.prepareRow(sql)
      return (values) => ran(sql, read(values))
    },
    exec: file.exec,
    close: file.close,
  }
  const failAt = (at: string, result: number) => Object.assign(failing, { at, result })
  return { path, file: watched, failAt }
}

const set = 'insert into "settings" ("name", "value") values (?, ?)'
const change = 'update "settings" set "value" = ? where "name" = ?'
const get = 'select "value" from "settings" where "name" = ?'

it('a failed read that SQLite reports as a malformed file counts as an outage', () => {
  expect([classify(failure(corrupt)), classify(failure(fsync))]).toEqual(['unavailable', 'unavailable'])
  expect(classify(failure(1))).toBeUndefined()
})

it('a transaction ends with the change at which the file failed', () => {
  const { file, failAt } = openFailing()
  const { prepare } = createStatements(file)
  prepare(set).all(['a', '1'])
  prepare('BEGIN IMMEDIATE').all([])
  prepare(set).all(['b', '1'])
  failAt('update', corrupt)
  expect(() => prepare(change).all(['2', 'a'])).toThrow('the disk failed')
  expect(file.inTransaction).toBe(false)
  expect(['a', 'b'].map((name) => prepare(get).first([name]))).toEqual([{ value: '1' }, undefined])
})

it.each([
  ['SQLite', fsync],
  ['the server', corrupt],
])('discards the reads of a transaction that %s rolled back at a read', (_, result) => {
  const { file, failAt } = openFailing()
  const { prepare } = createStatements(file)
  prepare(set).all(['a', 'before'])
  prepare('BEGIN IMMEDIATE').all([])
  prepare(change).all(['never', 'a'])
  for (const _ of [1, 2, 3]) expect(prepare(get).first(['a'])).toEqual({ value: 'never' })
  failAt('select count(*)', result)
  expect(() => prepare('select count(*) from "settings"').first([])).toThrow('the disk failed')
  expect(prepare(get).first(['a'])).toEqual({ value: 'before' })
})

it.each([fsync, corrupt])(
  'a deep page that fails with %i reports that error, and the next page is read',
  (result) => {
    const { file, failAt } = openFailing()
    const insert = file.prepare(
      `insert into export_buckets (id, group_id, role_id, document, created_at) values (?, 'g', '', '{"a":1}', 1)`,
    )
    for (const id of ['a', 'b', 'c', 'd']) insert.all([id])
    const page =
      'select "id", "document" from "export_buckets" where "group_id" = ? order by "created_at", "id" limit ? offset ?'
    const read = anchoredPage(file, page, 2)
    const deep = () => read(['', '', 'g', 1, 3])
    failAt('select moved', result)
    expect(deep).toThrow('the disk failed')
    expect(file.inTransaction).toBe(false)
    expect(deep()).toMatchObject({ rows: 1 })
  },
)

it('checks again for changes by other connections after the check failed', () => {
  const { path, file, failAt } = openFailing()
  let said = false
  const commits = { maybe: () => said, close: () => {} }
  const { prepare } = createStatements(file, commits)
  prepare(set).all(['a', 'before'])
  for (const _ of [1, 2, 3]) prepare(get).first(['a'])
  const other = driver.open(path)
  onTestFinished(() => other.close())
  other.exec(`update settings set value = 'after'`)
  said = true
  failAt('PRAGMA data_version', fsync)
  expect(() => prepare(get).first(['a'])).toThrow('the disk failed')
  said = false
  expect(prepare(get).first(['a'])).toEqual({ value: 'after' })
})
