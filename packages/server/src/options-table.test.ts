import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { optionsTable } from './options-table.ts'

it('is in the README', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  // To update the README, run `npx tsx --conditions=@svc-admin/source packages/server/deploy/options.ts`.
  expect(readme).toContain(optionsTable())
})
