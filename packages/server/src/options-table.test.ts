import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { optionsTable } from './options-table.ts'

it('stands in the README as it follows from the options', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  // `npx tsx --conditions=@svc-admin/source packages/server/deploy/options.ts` prints it.
  expect(readme).toContain(optionsTable())
})
