import { expect, it } from 'vitest'
import { repositoryStatements } from '../../test/repository-statements.ts'
import { sqliteDialect } from './dialects/sqlite.ts'
import { driver } from './dialects/sqlite-drivers.ts'
import { migrations } from './migrations/index.ts'
import { joinedInSqlite } from './page-text.ts'
import { builderFor } from './statement.ts'

const dialect = sqliteDialect(':memory:')
const file = driver.open(':memory:')
file.exec('CREATE TABLE migrations (id INTEGER PRIMARY KEY, name TEXT)')
for (const query of migrations.flatMap(({ up }) => up(builderFor(dialect), dialect)))
  file.exec(query.compile().sql)

const statements = await repositoryStatements(dialect)

it('covers the statements of every repository', () => {
  expect(statements.length).toBeGreaterThan(40)
})

const stepsOf = (sql: string, places: number): string[] =>
  file
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all(Array.from({ length: places }, () => '1'))
    .map((row: unknown) => String(Object(row).detail))

it.each(statements.map((statement) => [statement.sql, statement] as const))(
  '%s uses an index',
  (sql, { places }) => {
    for (const step of stepsOf(sql, places.length)) {
      // If a statement has to sort its rows, it gets slower as the table grows.
      expect(step).not.toMatch(/TEMP B-TREE/)
      expect(step).not.toMatch(/^SCAN (?!.*USING)/)
    }
  },
)

it.each(statements.filter(({ sql }) => sql.includes('count(*)')).map((one) => [one.sql, one] as const))(
  '%s counts without reading the rows',
  (sql, { places }) => {
    for (const step of stepsOf(sql, places.length)) expect(step).toMatch(/USING COVERING INDEX/)
  },
)

const pages = statements.filter(({ sql }) => /^select "id", "document" from .* limit \? offset \?$/.test(sql))

it('covers the pages that SQLite joins', () => {
  expect(pages.length).toBeGreaterThan(4)
})

it.each(pages.map((one) => [one.sql, one] as const))('%s is joined in order', (sql, { places }) => {
  const steps = stepsOf(joinedInSqlite(sql), places.length + 2).join()
  expect(steps).toMatch(/SEARCH .* USING INDEX/)
  expect(steps).not.toMatch(/TEMP B-TREE/)
})
