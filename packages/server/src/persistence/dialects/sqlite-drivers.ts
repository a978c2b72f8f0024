import { builtin, isFinished } from './sqlite-builtin.ts'
import type { SqliteDriver } from './sqlite-driver.ts'
import { libsql } from './sqlite-libsql.ts'

/** Those that run on this Node, the one to use first. */
export const drivers: readonly SqliteDriver[] = isFinished(process.versions.node)
  ? [builtin, libsql]
  : [libsql]

export const driver: SqliteDriver = drivers[0] ?? libsql
