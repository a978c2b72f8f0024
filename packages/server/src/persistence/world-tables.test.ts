import { describe, expect, it } from 'vitest'
import { type Contents, readContents, writeContents } from './contents.ts'
import { openDatabase } from './database.ts'
import { sqliteDialect } from './dialects/sqlite.ts'
import { driver } from './dialects/sqlite-drivers.ts'
import { erase } from './erase.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { removal } from './removal.ts'
import { builderFor } from './statement.ts'
import { ownerColumns, ownersByTable, type WorldTable, worldTables } from './world-tables.ts'

interface Column {
  readonly name: string
  readonly type: string
}

/** Returns all tables as they are after the last migration. */
function migratedTables(): Map<string, Column[]> {
  const file = driver.open(':memory:')
  const dialect = sqliteDialect(':memory:')
  const queries = migrations.flatMap(({ up }) => up(builderFor(dialect), dialect))
  for (const query of queries) file.exec(query.compile().sql)
  const rows = file.prepare(`select name from sqlite_master where type = 'table'`).all([])
  return new Map(
    rows.map((row) => {
      const { name } = Object(row)
      const columns = file.prepare(`select name, type from pragma_table_info('${name}')`).all([])
      return [name, columns.map((column) => Object(column))]
    }),
  )
}

const tables = migratedTables()
const told = [...tables].filter(([name]) => !['settings', 'row_counts', 'nonce_uses'].includes(name))

describe('the tables with owners', () => {
  it('are all migrated tables except settings, counts and nonces', () => {
    expect([...worldTables].sort()).toEqual(told.map(([name]) => name).sort())
  })

  it.each(told)('include %s with its owner columns in the schema', (name, columns) => {
    const names = columns.map((column) => column.name)
    expect(ownersByTable[name as WorldTable]).toEqual(ownerColumns.filter((column) => names.includes(column)))
  })
})

const all = told.map(([name]) => name)
const [one, other] = ['one', 'other'] as const

/**
 * Returns contents in which every table has one row for each of two owners. An owner's organization, project and
 * cluster have the owner's name.
 */
function contentsOfBoth(): Contents {
  const rowOf = (columns: readonly Column[], owner: string) =>
    Object.fromEntries(columns.map(({ name, type }) => [name, type.toLowerCase() === 'text' ? owner : 7]))
  return {
    tables: new Map(told.map(([name, columns]) => [name, [one, other].map((own) => rowOf(columns, own))])),
    settings: new Map(),
  }
}

/**
 * Opens a database in which every table has one row for each owner. Returns a function that lists the tables that
 * contain an owner's rows.
 */
async function filled() {
  const database = await openDatabase(':memory:')
  await migrate(database)
  await database.transaction((transaction) => writeContents(transaction, contentsOfBoth()))
  const holding = async (owner: string) => {
    const { tables: found } = await database.transaction(readContents)
    const holds = (name: string) => found.get(name)?.some((row) => Object.values(row).includes(owner))
    return all.filter(holds)
  }
  return { database, holding }
}

const having = (...owners: string[]) =>
  told.flatMap(([name, columns]) => (columns.some((column) => owners.includes(column.name)) ? [name] : []))

describe('removing', () => {
  it.each([
    ['an organization', ['org_id', 'group_id'], 'organizations', removal.organization],
    ['a project', ['group_id'], 'projects', removal.project],
    ['an API key', [], 'api_keys', removal.apiKey],
    ['a service account', ['client_id'], 'service_accounts', removal.serviceAccount],
  ] as const)('%s deletes all its rows and no others', async (_, owners, own, remove) => {
    const { database, holding } = await filled()
    await remove(database, one)
    const gone = [own, ...having(...owners)]
    expect(await holding(one)).toEqual(all.filter((name) => !gone.includes(name)))
    expect(await holding(other)).toEqual(all)
    await database.close()
  })

  it('a cluster deletes all its rows and no others', async () => {
    const { database, holding } = await filled()
    await removal.cluster(database, one, one)
    const gone = ['clusters', ...having('cluster_name')]
    expect(await holding(one)).toEqual(all.filter((name) => !gone.includes(name)))
    expect(await holding(other)).toEqual(all)
    await database.close()
  })

  it('everything leaves all tables empty', async () => {
    const { database, holding } = await filled()
    await database.transaction((transaction) => erase(transaction))
    expect([...(await holding(one)), ...(await holding(other))]).toEqual([])
    await database.close()
  })
})
