import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { breakReads, canBreakReads } from '../../../test/broken-disk.ts'
import { driverOf, drivers, isFinished } from './sqlite-drivers.ts'
import { classify, SqliteFailure } from './sqlite-failures.ts'

it.each([
  ['20.19.0', false],
  ['22.23.3', false],
  ['24.14.9', false],
  ['24.15.0', true],
  ['25.6.0', false],
  ['25.7.1', true],
  ['26.0.0', true],
])('SQLite in Node %s is stable: %s', (version, finished) => {
  expect(isFinished(version)).toBe(finished)
})

it("uses Node's SQLite if it is stable", () => {
  const ported = '@photostructure/sqlite'
  const expected = isFinished(process.versions.node) ? ['node:sqlite', ported] : [ported]
  expect(drivers.map(({ name }) => name)).toEqual(expected)
})

it('explains what a Node without any driver needs', () => {
  const { open } = driverOf('missing', createRequire(import.meta.url))
  expect(() => open(':memory:')).toThrow(
    `Node ${process.versions.node} requires the package missing for SQLite databases. ` +
      "Install the package, use Node 24.15 or later, or use PostgreSQL (Cannot find module 'missing')",
  )
})

describe.each(drivers)('SQLite through $name', (driver) => {
  const open = () => {
    const folder = mkdtempSync(join(tmpdir(), 'drivers-'))
    const path = join(folder, 'one.db')
    const file = driver.open(path)
    onTestFinished(() => {
      file.close()
      rmSync(folder, { recursive: true })
    })
    file.exec(`create table things (id text primary key, label text unique, size integer);
      insert into things values ('a', 'one', 1), ('b', null, 2)`)
    return { path, file }
  }

  it('reads and changes rows, and each row has exactly the requested columns', () => {
    const { file } = open()
    const select = file.prepare('select id, label from things where size >= ? order by id')
    const rows = [
      { id: 'a', label: 'one' },
      { id: 'b', label: null },
    ]
    expect(select.all([1])).toEqual(rows)
    expect([select.first([2]), select.first([1]), select.first([3])]).toEqual([rows[1], rows[0], undefined])
    expect(select.all([2])).toEqual([rows[1]])
    expect(file.prepare('update things set size = ? where id = ?').all([7, 'a'])).toEqual([])
    const changed = file.prepare('update things set size = size + ? returning size')
    expect(changed.all([1])).toEqual([{ size: 8 }, { size: 3 }])
  })

  it('reads one row as an array, with blobs as bytes', () => {
    const { file } = open()
    const read = file.prepareRow('select size, label, cast(id as blob) from things where id = ?')
    const [size, label, bytes] = read(['b']) ?? []
    expect([size, label]).toEqual([2, null])
    if (!(bytes instanceof Uint8Array)) expect.fail()
    expect([...bytes]).toEqual([98])
    expect(read(['c'])).toBeUndefined()
  })

  it('rejects too few and too many values', () => {
    const { file } = open()
    const statement = file.prepare('select id from things where id = ? and label = ?')
    for (const values of [['a'], ['a', 'one', 'more']]) {
      expect(() => statement.all(values)).toThrow(`${values.length} values for 2 placeholders`)
      expect(() => statement.first(values)).toThrow(RangeError)
    }
  })

  const failureOf = (act: () => unknown) => {
    try {
      act()
    } catch (error) {
      if (error instanceof SqliteFailure) return { code: error.code, kind: classify(error) }
      throw error
    }
    throw new Error('it did not fail')
  }

  it('reports SQLite failures and whether the transaction continues', () => {
    const { path, file } = open()
    const other = driver.open(path)
    const insert = other.prepare('insert into things values (?, ?, ?)')
    const unique = { code: 'SQLITE_ERROR', kind: 'unique' }
    expect(failureOf(() => insert.all(['a', 'two', 0]))).toEqual(unique)
    expect(failureOf(() => insert.first(['c', 'one', 0]))).toEqual(unique)
    expect(failureOf(() => insert.all(['c', 'one', 0]))).toEqual(unique)
    expect(failureOf(() => other.prepare('select nothing'))).toEqual({ code: 'SQLITE_ERROR' })
    expect(failureOf(() => other.prepare('select json(?)').all(['{']))).toEqual({ code: 'SQLITE_ERROR' })
    expect(file.inTransaction).toBe(false)
    file.exec('begin immediate')
    expect(file.inTransaction).toBe(true)
    expect(failureOf(() => insert.all(['d', 'four', 0]))).toEqual({
      code: 'SQLITE_BUSY',
      kind: 'unavailable',
    })
    file.exec('rollback')
    expect(insert.all(['d', 'four', 0])).toEqual([])
    other.close()
    expect(failureOf(() => driver.open(join(path, 'none', 'b.db')))).toEqual({
      code: 'SQLITE_CANTOPEN',
      kind: 'unavailable',
    })
  })

  it("reports for every kind of statement what the file can't do", () => {
    const { file } = open()
    const long = 'x'.repeat(100_000)
    const kinds = ['', ' returning id'].map((returning) =>
      file.prepare(`insert into things values (?, ?, ?)${returning}`),
    )
    const ways = kinds.flatMap(({ all, first }, at) =>
      [all, first].map((way) => () => way([`new ${at}`, long, 1])),
    )
    const limits = [
      { pragma: 'query_only = on', over: 'query_only = off', code: 'SQLITE_READONLY' },
      { pragma: 'max_page_count = 1', over: 'max_page_count = 1000000', code: 'SQLITE_FULL' },
    ]
    for (const { pragma, over, code } of limits) {
      file.exec(`pragma ${pragma}`)
      for (const way of [...ways, () => file.exec(`insert into things values ('e', '${long}', 1)`)])
        expect(failureOf(way)).toEqual({ code, kind: 'unavailable' })
      file.exec(`pragma ${over}`)
    }
    expect(file.prepare('select count(*) as total from things').first([])).toEqual({ total: 2 })
  })

  it.skipIf(process.platform === 'win32')(
    'opens the file with exactly this name, even if the name has special characters',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'drivers-'))
      const name = 'a name?vfs=none#1 %41+é.db'
      const file = driver.open(join(folder, name))
      onTestFinished(() => {
        file.close()
        rmSync(folder, { recursive: true })
      })
      file.exec('create table things (id)')
      expect(readdirSync(folder)).toContain(name)
    },
  )

  it.skipIf(!canBreakReads)('reports a failed read and returns no rows', () => {
    const { path, file } = open()
    file.exec(`with recursive numbers as (select 1 as n union all select n + 1 from numbers where n < 500)
      insert into things select 'row ' || n, printf('%0500d', n), n from numbers`)
    const again = driver.open(path)
    onTestFinished(() => again.close())
    const sum = again.prepare('select sum(length(label)) as size from things')
    breakReads(path)
    expect(failureOf(() => sum.all([]))).toEqual({ code: 'SQLITE_IOERR', kind: 'unavailable' })
  })

  it('uses the current values after it failed for others', () => {
    const { file } = open()
    const select = 'select json(?) as read, id from things where id = ?'
    const statement = file.prepare(select)
    const row = file.prepareRow(select)
    const reading = [
      (values: readonly string[]) => statement.first(values),
      (values: readonly string[]) => statement.all(values)[0],
      (values: readonly string[]) => ({ read: row(values)?.[0], id: row(values)?.[1] }),
    ]
    for (const read of reading) {
      expect(() => read(['{', 'a'])).toThrow('malformed JSON')
      expect(read(['{}', 'b'])).toEqual({ read: '{}', id: 'b' })
    }
    for (const kind of ['', ' returning id']) {
      const insert = file.prepare(`insert into things values (?, ?, ?)${kind}`)
      expect(() => insert.all(['a', `two${kind}`, 0])).toThrow('UNIQUE')
      insert.all([`c${kind}`, `two${kind}`, 0])
    }
    expect(file.prepare("select id, label from things where id like 'c%' order by id").all([])).toEqual([
      { id: 'c', label: 'two' },
      { id: 'c returning id', label: 'two returning id' },
    ])
  })
})
