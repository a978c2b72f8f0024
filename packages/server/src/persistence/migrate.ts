import type { Database, Transaction } from './database.ts'
import type { DatabaseDialect } from './dialects/dialect.ts'
import { migrations as all } from './migrations/index.ts'
import type { Migration } from './migrations/migration.ts'
import { type Slots, statement } from './statement.ts'

const applied = statement((db) => db.selectFrom('migrations').select('id').orderBy('id'))

const record = statement((db, $: Slots<{ id: number; name: string }>) =>
  db.insertInto('migrations').values({ id: $('id'), name: $('name') }),
)

/**
 * Updates the tables to the latest version in a single transaction. Returns the number of applied migrations.
 *
 * @throws {Error} if the database was migrated by a newer server, because a downgrade would lose data.
 */
export async function migrate(database: Database, migrations: readonly Migration[] = all): Promise<number> {
  // If two processes start at the same time, the second one finds no pending migrations.
  return database.exclusively(() => migrateAlone(database, migrations))
}

async function migrateAlone(database: Database, migrations: readonly Migration[]): Promise<number> {
  // If the database user only has permission to read and write rows, `create table` fails even if the table exists.
  const known = await database.all(applied, {}).catch(() => [])
  if (known.length > 0 && missingOf(migrations, known).length === 0) return 0
  return database.transaction(async (transaction) => {
    await transaction.execute((db) => [
      db.schema
        .createTable('migrations')
        .ifNotExists()
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull()),
    ])
    const missing = missingOf(migrations, await transaction.all(applied, {}))
    for (const migration of missing) await apply(transaction, migration, database.dialect)
    return missing.length
  }, 'upkeep')
}

/**
 * Returns the migrations that haven't been applied yet.
 *
 * @throws {Error} if the database has migrations that are unknown to this server.
 */
function missingOf(migrations: readonly Migration[], rows: readonly { readonly id: number }[]): Migration[] {
  const done = new Set(rows.map(({ id }) => id))
  const newest = migrations.at(-1)?.id ?? 0
  const ahead = [...done].find((id) => id > newest)
  if (ahead)
    throw new Error(
      `The database has migration ${ahead}, but this server supports migrations only up to ${newest}`,
    )
  return migrations.filter(({ id }) => !done.has(id))
}

async function apply(
  transaction: Transaction,
  migration: Migration,
  dialect: DatabaseDialect,
): Promise<void> {
  await transaction.execute((db) => migration.up(db, dialect))
  await transaction.all(record, { id: migration.id, name: migration.name })
}
