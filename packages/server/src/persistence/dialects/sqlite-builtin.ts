import { checkCount, placesIn, type SqliteDriver } from './sqlite-driver.ts'

/** What we use of `node:sqlite`, which the types of the oldest Node that we run on do not know. */
interface Builtin {
  readonly DatabaseSync: new (path: string) => BuiltinFile
}

interface BuiltinFile {
  readonly isTransaction: boolean
  prepare(sql: string): BuiltinStatement
  exec(sql: string): void
  close(): void
}

interface BuiltinStatement {
  all(...values: readonly unknown[]): readonly unknown[]
  get(...values: readonly unknown[]): unknown
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

/** Not by an import, which Node refuses where it has none. */
function load(): Builtin {
  const loaded: unknown = process.getBuiltinModule('node:sqlite')
  if (!isBuiltin(loaded)) throw new Error(`Node ${process.versions.node} has no SQLite`)
  return loaded
}

const isBuiltin = (loaded: unknown): loaded is Builtin => typeof Object(loaded).DatabaseSync === 'function'

/** SQLite that is part of Node. */
export const builtin: SqliteDriver = {
  name: 'node:sqlite',
  open: (path) => {
    const { DatabaseSync } = load()
    const file = new DatabaseSync(path)
    return {
      get inTransaction() {
        return file.isTransaction
      },
      prepare: (sql) => {
        const statement = file.prepare(sql)
        const places = placesIn(sql)
        return {
          all: (values) => {
            checkCount(values, places)
            return statement.all(...values)
          },
          first: (values) => {
            checkCount(values, places)
            return statement.get(...values)
          },
        }
      },
      prepareRow: (sql) => {
        const statement = file.prepare(sql)
        statement.setReturnArrays(true)
        return (values) => {
          const found = statement.get(...values)
          return Array.isArray(found) ? found : undefined
        }
      },
      exec: (sql) => file.exec(sql),
      close: () => file.close(),
    }
  },
  resultOf: (error) => {
    const { errcode } = Object(error)
    return typeof errcode === 'number' ? errcode : undefined
  },
}
