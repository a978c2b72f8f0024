import type Libsql from 'libsql'
import type { SqlValue, Statement } from './dialect.ts'

/** The statements of a file, each prepared on its first use. */
export interface Statements {
  prepare(sql: string): Statement
  /** Runs a statement without values that is not worth preparing. */
  run(sql: string): void
  /** Lets go of them all: libsql keeps a closed file's locks until they are collected. */
  clear(): void
}

type Values = readonly SqlValue[]
type Run<T> = (values: Values) => T

/** A statement that is done when it returns. */
interface Prepared extends Statement {
  readonly all: Run<readonly unknown[]>
  readonly first: Run<unknown>
}

export function createStatements(file: Libsql.Database): Statements {
  const known = new Map<string, Statement>()
  const counts = createCounts()
  return {
    prepare: (sql) => {
      const before = known.get(sql)
      if (before) return before
      const prepared = counts.kept(sql, prepareOn(file, sql))
      known.set(sql, prepared)
      return prepared
    },
    run: (sql) => {
      counts.forget()
      file.exec(sql)
    },
    clear: () => known.clear(),
  }
}

/**
 * libsql binds too few values in silence, so the count is checked here. And a `get` that follows an `all` on the
 * same statement answers with the row of the values before: each has a statement of its own.
 */
function prepareOn(file: Libsql.Database, sql: string): Prepared {
  const statement = file.prepare(sql)
  const { reader } = statement
  const expected = sql.match(/\?/g)?.length ?? 0
  const check = (values: Values) => {
    if (values.length !== expected) throw new RangeError(`${values.length} values for ${expected} places`)
  }
  const joined = isPage(sql, statement) ? joinedRows(file, sql) : undefined
  const all = (values: Values) => {
    check(values)
    const together = joined?.(values)
    if (together) return together
    if (reader) return statement.all(values)
    statement.run(values)
    return []
  }
  let single: Run<unknown> | undefined
  return {
    all,
    // `get` takes a third of the time of `all`, but it stops at the first row, before a change with RETURNING is
    // done with the others.
    first: sql.startsWith('select')
      ? (values) => {
          check(values)
          single ??= firstRow(file.prepare(sql))
          return single(values)
        }
      : (values) => all(values)[0],
  }
}

/** libsql adds a member of its own to a row that `get` returns as an object: as an array it comes without. */
function firstRow(statement: Libsql.Statement): Run<unknown> {
  const names = statement.columns().map(({ name }) => name)
  statement.raw()
  return (values) => {
    const found: unknown = statement.get(values)
    if (!Array.isArray(found)) return undefined
    const row: Record<string, unknown> = {}
    for (let at = 0; at < names.length; at += 1) row[names[at] ?? ''] = found[at]
    return row
  }
}

/** Whether a statement reads a page of documents: those are many, and long. */
function isPage(sql: string, statement: Libsql.Statement): boolean {
  if (!/^select .* limit \? offset \?$/s.test(sql)) return false
  const names = statement.columns().map(({ name }) => name)
  return names.join() === 'id,document'
}

/** What neither an identifier nor JSON text holds as it is. */
const unit = '\u001f'
const record = '\u001e'

/**
 * Reads a page as one text, and takes it apart here: a row that crosses from the driver costs more than what it
 * holds. Undefined where the parts are not as many as the rows, so that nothing depends on what the rows hold.
 */
function joinedRows(file: Libsql.Database, sql: string): Run<readonly unknown[] | undefined> {
  // The limit within keeps the order (SQLite, "The ORDER BY clause of a subquery is omitted if …", (1)).
  const statement = file.prepare(
    `select count(*), group_concat(id || char(31) || document, char(30)) from (${sql})`,
  )
  statement.raw()
  return (values) => {
    const found: unknown = statement.get(values)
    if (!Array.isArray(found)) return undefined
    const [count, text] = found
    if (count === 0) return []
    if (typeof text !== 'string') return undefined
    const parts = text.split(record)
    if (parts.length !== count) return undefined
    const rows: unknown[] = []
    for (const part of parts) {
      const at = part.indexOf(unit)
      if (at === -1) return undefined
      rows.push({ id: part.slice(0, at), document: part.slice(at + 1) })
    }
    return rows
  }
}

/** How many answers are kept for a table. */
const countLimit = 1000

/**
 * Keeps what was counted of a table until something in it changes: nobody else can change the file, and to count
 * takes as long as there is something to count.
 */
function createCounts() {
  const counted = new Map<string, Map<string, unknown>>()
  const forget = () => {
    for (const ofTable of counted.values()) ofTable.clear()
  }
  const keeping = (table: string, { all, first }: Prepared): Prepared => {
    const ofStatement = new Map<string, unknown>()
    counted.set(`${table} ${counted.size}`, ofStatement)
    const keptFirst = (values: Values) => {
      const key = JSON.stringify(values)
      const before = ofStatement.get(key)
      if (before !== undefined) return before
      const row = first(values)
      if (ofStatement.size >= countLimit) ofStatement.clear()
      ofStatement.set(key, row)
      return row
    }
    return { all, first: keptFirst }
  }
  const forgetting = (run: Prepared['all'], forgetBefore: () => void): Prepared['all'] => {
    return (values) => {
      forgetBefore()
      try {
        return run(values)
      } catch (error) {
        // It may have ended the transaction, and taken back what was counted in it.
        forget()
        throw error
      }
    }
  }
  return {
    forget,
    kept: (sql: string, statement: Prepared): Prepared => {
      const [, table] = /^select count\(\*\) as "total" from "(\w+)" where /.exec(sql) ?? []
      if (table) return keeping(table, statement)
      if (sql.startsWith('select')) return statement
      const [, changed] = /^(?:insert into|update|delete from) "(\w+)"/.exec(sql) ?? []
      const forgetTable = () => {
        for (const [name, ofStatement] of counted) if (name.startsWith(`${changed} `)) ofStatement.clear()
      }
      const takesBack = sql.startsWith('ROLLBACK')
      const all = forgetting(statement.all, takesBack ? forget : forgetTable)
      return { all, first: (values) => all(values)[0] }
    },
  }
}
