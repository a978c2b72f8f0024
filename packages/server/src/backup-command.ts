import { resolveOptions } from './options.ts'
import { kindOfDatabase, memory } from './persistence/database-address.ts'
import { backUpFile } from './persistence/dialects/sqlite-backup.ts'

export const backupUsage = `Usage: svc-admin-server backup <file> [--database <text>] [--config <file>]

Copies an SQLite database to <file>, even while a server is using the database.

To restore a backup, stop the server. Delete the database file and the files next
to it whose names end in -wal and -shm. Then copy the backup to the path of the
database file.

The command accepts the same database options as the server. For PostgreSQL, use
pg_dump.
`

/**
 * Runs the `backup` subcommand and returns the text to print.
 *
 * @throws {Error} if the arguments are invalid or there is nothing to back up.
 */
export function runBackup([target, ...argv]: readonly string[], env: NodeJS.ProcessEnv): string {
  if (target === '--help' || target === '-h') return backupUsage
  if (target === undefined || target === '' || target.startsWith('-')) {
    throw new Error(`Pass the path of the file to create.\n\n${backupUsage.trimEnd()}`)
  }
  const { database } = resolveOptions({ argv, env })
  if (database === memory)
    throw new Error(`${memory} exists only in the server's process. Use a database file`)
  if (kindOfDatabase(database) === 'postgres') throw new Error('Use pg_dump to back up a PostgreSQL database')
  const bytes = backUpFile(database, target)
  return `Backed up ${database} to ${target} (${Math.ceil(bytes / 1024)} KiB).\n`
}
