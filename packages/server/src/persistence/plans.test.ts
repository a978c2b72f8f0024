import Libsql from 'libsql'
import { expect, it } from 'vitest'
import { repositoryStatements } from '../../test/repository-statements.ts'
import { sqliteDialect } from './dialects/sqlite.ts'
import { migrations } from './migrations/index.ts'
import { builderFor } from './statement.ts'

const dialect = sqliteDialect(':memory:')
const file = new Libsql(':memory:')
file.exec('CREATE TABLE migrations (id INTEGER PRIMARY KEY, name TEXT)')
for (const query of migrations.flatMap(({ up }) => up(builderFor(dialect)))) file.exec(query.compile().sql)

const statements = await repositoryStatements(dialect)

it('knows the statements of every repository', () => {
  expect(statements.length).toBeGreaterThan(40)
})

it.each(statements.map((statement) => [statement.sql, statement] as const))(
  '%s reads by an index',
  (sql, { places }) => {
    const rows: unknown[] = file.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(places.map(() => '1'))
    const plan = rows.map((row) => String(Object(row).detail))
    for (const step of plan) {
      // Sorting what was read costs more with every row that is stored.
      expect(step).not.toMatch(/TEMP B-TREE/)
      expect(step).not.toMatch(/^SCAN (?!.*USING)/)
    }
  },
)
