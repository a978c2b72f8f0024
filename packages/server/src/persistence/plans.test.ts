import { readdirSync } from 'node:fs'
import Libsql from 'libsql'
import { expect, it } from 'vitest'
import { sqliteDialect } from './dialects/sqlite.ts'
import { migrations } from './migrations/index.ts'
import { builderFor, declaredStatements } from './statement.ts'

const modules = readdirSync(import.meta.dirname).filter((name) => /^[a-z-]+\.ts$/.test(name))
await Promise.all(modules.map((name) => import(new URL(name, import.meta.url).href)))

const dialect = sqliteDialect(':memory:')
const file = new Libsql(':memory:')
file.exec('CREATE TABLE migrations (id INTEGER PRIMARY KEY, name TEXT)')
for (const query of migrations.flatMap(({ up }) => up(builderFor(dialect)))) file.exec(query.compile().sql)

const statements = declaredStatements(dialect).filter(
  ({ sql }) => sql !== 'select "id" from "migrations" order by "id"',
)

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
