import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../src/persistence/database.ts'
import { postgresDialect } from '../../src/persistence/dialects/postgres.ts'
import { migrate } from '../../src/persistence/migrate.ts'
import { migrations } from '../../src/persistence/migrations/index.ts'
import { builderFor } from '../../src/persistence/statement.ts'
import { bareDatabase } from '../databases.ts'
import { repositoryStatements } from '../repository-statements.ts'

const dialect = postgresDialect('postgres://localhost', { connections: 1 })
const statements = await repositoryStatements(dialect)

let client: pg.Client
beforeAll(async () => {
  const address = await bareDatabase()
  const database = await openDatabase(address)
  await migrate(database)
  await database.close()
  client = new pg.Client({ connectionString: address })
  await client.connect()
  // On empty tables, all plans are cheap. If PostgreSQL can avoid these plan steps here, it can also avoid them on
  // large tables.
  await client.query('set enable_seqscan = off; set enable_sort = off; set enable_incremental_sort = off')
  await client.query('set plan_cache_mode = force_generic_plan')
})
afterAll(() => client.end())

it('covers the statements of every repository', () => {
  expect(statements.length).toBeGreaterThan(100)
})

it.each(statements.map((statement, index) => [statement.sql, `plan${index}`] as const))(
  '%s uses an index',
  async (sql, name) => {
    await client.query(`prepare ${name} as ${sql}`)
    const places = new Set(sql.match(/\$\d+/g)).size
    const values = places === 0 ? '' : `(${Array.from({ length: places }, () => 'null').join(', ')})`
    const { rows } = await client.query(`explain (format json) execute ${name}${values}`)
    const nodes = nodesOf(Object(rows[0])['QUERY PLAN'][0].Plan)
    // A separate sort becomes more expensive as the table grows.
    for (const node of nodes) expect(node).not.toMatch(/Seq Scan|Sort/)
  },
)

interface Plan {
  readonly 'Node Type': string
  readonly Plans?: readonly Plan[]
}

const nodesOf = (plan: Plan): string[] => [plan['Node Type'], ...(plan.Plans ?? []).flatMap(nodesOf)]

it("has a distinct name for every index within PostgreSQL's limit of 63 bytes", () => {
  const names = migrations
    .flatMap(({ up }) => up(builderFor(dialect), dialect))
    .flatMap((query) => /^create index "([^"]+)"/.exec(query.compile().sql)?.[1]?.slice(0, 63) ?? [])
  expect(names.length).toBeGreaterThan(30)
  expect(new Set(names).size).toBe(names.length)
})
