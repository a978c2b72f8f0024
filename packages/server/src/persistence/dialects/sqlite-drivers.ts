import { createRequire } from 'node:module'
import type { SqliteDriver, SqliteFile, SqliteStatement, Values } from './sqlite-driver.ts'
import { resultOfWords, SqliteFailure } from './sqlite-failures.ts'

/**
 * The parts of `node:sqlite` that the server uses. The type definitions for the oldest supported Node version don't
 * include this module.
 */
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

/**
 * The first Node versions that provide `node:sqlite` without a flag or an experimental warning (Node documentation,
 * "History").
 */
const finishedIn: readonly (readonly [major: number, minor: number])[] = [
  [24, 15],
  [25, 7],
]

/**
 * Returns whether a Node version contains a stable `node:sqlite` module.
 *
 * @param version A version number in the format of `process.versions.node`.
 */
export function isFinished(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const line = finishedIn.find(([first]) => first === major)
  return line ? minor >= line[1] : major > Math.max(...finishedIn.map(([first]) => first))
}

/**
 * The SQLite module in Node. The module isn't imported statically, because a static import would fail in Node versions
 * without the module.
 */
const builtin = driverOf('node:sqlite', (name) => process.getBuiltinModule(name))

/**
 * A package that includes binaries and has the same interface as `node:sqlite`. It's used in Node versions without a
 * stable `node:sqlite`.
 */
const ported = driverOf('@photostructure/sqlite', createRequire(import.meta.url))

/** The drivers that may work in this Node version, in order of preference. */
export const drivers: readonly SqliteDriver[] = isFinished(process.versions.node)
  ? [builtin, ported]
  : [ported]

export const driver: SqliteDriver = drivers[0] ?? ported

/**
 * Creates a driver.
 *
 * @param load Loads the module when the first file is opened, because loading a binary takes longer than opening a
 *   file.
 */
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

/**
 * Loads the module. The package that contains binaries is an optional dependency. On systems without a binary, the
 * server still works if Node includes SQLite.
 */
function expectModule(name: string, load: (name: string) => unknown): Module {
  try {
    const loaded = load(name)
    if (isModule(loaded)) return loaded
    throw new TypeError(`${name} has no DatabaseSync`)
  } catch (error) {
    throw new MissingDriverError(name, error)
  }
}

/** Thrown if no SQLite driver can be loaded. */
export class MissingDriverError extends Error {
  constructor(name: string, cause: unknown) {
    // Use only the first line of the message, because the remaining lines list the files that required the package.
    const [why] = String(cause instanceof Error ? cause.message : cause).split('\n')
    super(
      `Node ${process.versions.node} requires the package ${name} for SQLite databases. ` +
        `Install the package, use Node 24.15 or later, or use PostgreSQL (${why})`,
      { cause },
    )
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

/**
 * Returns the number of values that a statement needs, which is the number of question marks. The server's statements
 * don't contain question marks in string literals.
 */
const placesIn = (sql: string): number => sql.match(/\?/g)?.length ?? 0

/** Checks that no values are missing, because SQLite ignores missing values. */
function checkCount(values: Values, expected: number): void {
  if (values.length !== expected) throw new RangeError(`${values.length} values for ${expected} placeholders`)
}

/** Wraps a function so that its errors are converted to `SqliteFailure`. */
function told<Given, Done>(act: (given: Given) => Done) {
  return (given: Given): Done => {
    try {
      return act(given)
    } catch (error) {
      throw failureOf(error)
    }
  }
}

/**
 * Converts a driver error to `SqliteFailure`. In `@photostructure/sqlite` 1, errors from `all` contain SQLite's message
 * but no code.
 */
function failureOf(error: unknown): unknown {
  const { code, errcode } = Object(error)
  if (!(error instanceof Error) || code !== 'ERR_SQLITE_ERROR') return error
  const { message } = error
  return new SqliteFailure(message, typeof errcode === 'number' ? errcode : resultOfWords(message))
}
