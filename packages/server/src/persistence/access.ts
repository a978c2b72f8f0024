import type {
  Connection,
  DatabaseDialect,
  Eventually,
  Pool,
  SoleConnection,
  Statement,
  TransactionKind,
} from './dialects/dialect.ts'
import { ClosedError, translated } from './failures.ts'
import { createGroupCommit } from './group-commit.ts'
import { createRetrying } from './retry.ts'
import { isRead } from './statement.ts'

export type RunStatement = <T>(sql: string, use: (statement: Statement) => Eventually<T>) => Eventually<T>

export interface TransactionStatements {
  readonly statement: RunStatement
  run(sql: string): Eventually<void>
}

/** Runs statements and transactions, and translates driver errors to the errors in `failures.ts`. */
export interface DatabaseAccess {
  /** Runs a single statement outside a transaction. */
  readonly statement: RunStatement
  transaction<T>(kind: TransactionKind, body: (within: TransactionStatements) => Promise<T>): Promise<T>
  exclusively<T>(work: () => Promise<T>): Promise<T>
  requireFile(): void
  close(): Promise<void>
}

/** Borrows a connection from the pool for each statement and transaction. Retries after conflicts. */
export function pooledAccess(pool: Pool, dialect: DatabaseDialect): DatabaseAccess {
  const retrying = createRetrying()
  let closed = false
  const acquire = async () => {
    try {
      return await pool.acquire()
    } catch (error) {
      throw closed ? new ClosedError() : error
    }
  }
  const using = async <T>(use: (connection: Connection) => Promise<T>): Promise<T> => {
    const connection = await acquire()
    try {
      return await use(connection)
    } finally {
      connection.release()
    }
  }
  const retried = <T>(use: (connection: Connection) => Promise<T>): Promise<T> =>
    retrying(() => withTranslatedErrors(dialect, using(use)))
  return {
    statement: (sql, use) => retried(async (connection) => use(connection.prepare(sql))),
    transaction: (kind, body) =>
      retried(async (connection) => {
        await connection.begin(kind)
        try {
          const result = await body(within(connection, dialect))
          // If the commit fails, for example because the disk is full, the transaction stays open and must be rolled
          // back.
          await connection.commit()
          return result
        } catch (error) {
          await connection.rollback().catch(() => undefined)
          throw error
        }
      }),
    exclusively: (work) => withTranslatedErrors(dialect, pool.exclusively(work)),
    requireFile: () => {},
    close: () => {
      closed = true
      return pool.close()
    },
  }
}

/** Translates driver errors to the errors in `failures.ts`. */
async function withTranslatedErrors<T>(dialect: DatabaseDialect, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw translated(dialect, error)
  }
}

/**
 * Uses a single connection and serves one caller at a time. Conflicts can't occur, because no other process uses the
 * file.
 */
export function singleConnectionAccess(connection: SoleConnection, dialect: DatabaseDialect): DatabaseAccess {
  const turns = createGroupCommit(connection)
  const translating = <T>(work: Promise<T>): Promise<T> => withTranslatedErrors(dialect, work)
  return {
    statement: (sql, use) => {
      const run = () => use(connection.prepare(sql))
      if (!isRead(sql)) return translating(turns.change(run))
      try {
        const seen = turns.look(run)
        return seen instanceof Promise ? translating(seen) : seen
      } catch (error) {
        throw translated(dialect, error)
      }
    },
    transaction: (_, body) => translating(turns.transaction(() => body(within(connection, dialect)))),
    exclusively: (work) => work(),
    requireFile: () => connection.requireFile(),
    close: () => translating(turns.close().then(() => connection.close())),
  }
}

function within(
  connection: { prepare(sql: string): Statement; run(sql: string): Eventually<void> },
  dialect: DatabaseDialect,
): TransactionStatements {
  return {
    statement: async (sql, use) => {
      try {
        return await use(connection.prepare(sql))
      } catch (error) {
        throw translated(dialect, error)
      }
    },
    run: (sql) => connection.run(sql),
  }
}
