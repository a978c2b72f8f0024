import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const foreign = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('dialects/'),
)

it('SQL that only one database understands is only in its dialect file', () => {
  expect(foreign.length).toBeGreaterThan(20)
  for (const name of foreign) {
    expect(readFileSync(join(root, name), 'utf8')).not.toMatch(
      /\b(PRAGMA|sqlite_|json_each|rowid|pg_|::text)\b/i,
    )
  }
})
