import { createRequire } from 'node:module'
import type { SqliteDriver, SqliteFile, SqliteStatement, Values } from './sqlite-driver.ts'
import { resultOfWords, SqliteFailure } from './sqlite-failures.ts'

/** What we use of `node:sqlite`, which the types of the oldest Node that we run on do not know. */
interface Module {
  readonly DatabaseSync: new (path: string) => DatabaseSync
}

interface DatabaseSync {
  readonly isTransaction: boolean
  prepare(sql: string): StatementSync
  exec(sql: string): void
  close(): void
}

interface StatementSync {
  all(...values: Values): readonly unknown[]
  get(...values: Values): unknown
  setReturnArrays(enabled: boolean): void
}

/** Since when Node has it without a flag and without a warning that it is experimental (its documentation, "History"). */
const finishedIn: readonly (readonly [major: number, minor: number])[] = [
  [24, 15],
  [25, 7],
]

/** @param version as `process.versions.node` has it. */
export function isFinished(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const line = finishedIn.find(([first]) => first === major)
  return line ? minor >= line[1] : major > Math.max(...finishedIn.map(([first]) => first))
}

/** SQLite that is part of Node. Not by an import, which Node refuses where it has none. */
const builtin = driverOf('node:sqlite', (name) => process.getBuiltinModule(name))

/** The same interface for a Node that has none, or none that is finished; its binaries come with the package. */
const ported = driverOf('@photostructure/sqlite', createRequire(import.meta.url))

/** Those that run on this Node, the one to use first. */
export const drivers: readonly SqliteDriver[] = isFinished(process.versions.node)
  ? [builtin, ported]
  : [ported]

export const driver: SqliteDriver = drivers[0] ?? ported

/** @param load called where a file is opened first: a binary takes longer to load than a file takes to open. */
export function driverOf(name: string, load: (name: string) => unknown): SqliteDriver {
  let loaded: Module | undefined
  return {
    name,
    open: told((path: string) => {
      loaded ??= expectModule(name, load)
      return fileOver(new loaded.DatabaseSync(path))
    }),
  }
}

/** The package is an optional dependency: a Node that has SQLite runs on systems for which it has no binary. */
function expectModule(name: string, load: (name: string) => unknown): Module {
  try {
    const loaded = load(name)
    if (isModule(loaded)) return loaded
    throw new TypeError(`${name} has no DatabaseSync`)
  } catch (error) {
    const needs = `Node ${process.versions.node} needs ${name} to open a file of SQLite, and 24.15 does not`
    throw new Error(`${needs}: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

const isModule = (loaded: unknown): loaded is Module => typeof Object(loaded).DatabaseSync === 'function'

const fileOver = (file: DatabaseSync): SqliteFile => ({
  get inTransaction() {
    return file.isTransaction
  },
  prepare: told((sql: string) => statementOver(file.prepare(sql), placesIn(sql))),
  prepareRow: told((sql: string) => {
    const statement = file.prepare(sql)
    statement.setReturnArrays(true)
    return told((values: Values) => {
      const found = statement.get(...values)
      return Array.isArray(found) ? found : undefined
    })
  }),
  exec: told((sql: string) => file.exec(sql)),
  close: () => told(() => file.close())(undefined),
})

const statementOver = (statement: StatementSync, places: number): SqliteStatement => ({
  all: told((values: Values) => {
    checkCount(values, places)
    return statement.all(...values)
  }),
  first: told((values: Values) => {
    checkCount(values, places)
    return statement.get(...values)
  }),
})

/** How many values a statement takes; ours have no question mark within a text. */
const placesIn = (sql: string): number => sql.match(/\?/g)?.length ?? 0

/** Too few values are bound in silence. */
function checkCount(values: Values, expected: number): void {
  if (values.length !== expected) throw new RangeError(`${values.length} values for ${expected} placeholders`)
}

/** What an act comes to, its failure in words of ours. */
function told<Given, Done>(act: (given: Given) => Done) {
  return (given: Given): Done => {
    try {
      return act(given)
    } catch (error) {
      throw failureOf(error)
    }
  }
}

/** What `all` of `@photostructure/sqlite` 1 fails with has SQLite's words and no number. */
function failureOf(error: unknown): unknown {
  const { code, errcode } = Object(error)
  if (!(error instanceof Error) || code !== 'ERR_SQLITE_ERROR') return error
  const { message } = error
  return new SqliteFailure(message, typeof errcode === 'number' ? errcode : resultOfWords(message))
}
