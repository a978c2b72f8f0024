import { loadDocument, loadFacts } from '@svc-admin/spec'
import { expect, test } from 'vitest'
import { declarationsOf } from './declarations.ts'
import { describeBounds } from './described-bounds.ts'

test('descriptions include the limits of numbers and the defaults of parameters', async () => {
  const { minimum, maximum, default: byDefault } = loadFacts().limits.itemsPerPage ?? expect.fail()
  const declarations = await declarationsOf(JSON.stringify(describeBounds(loadDocument('v1.0'))))
  expect(declarations).toContain(
    `@description Number of items per page. ${minimum} to ${maximum}, default ${byDefault}.`,
  )
  expect(declarations).toMatch(
    /@description Whether to include `totalCount` in the response\. Default true\./,
  )
  expect(declarations).toMatch(/@description [^\n]* 0 to 23\.\n/)
  expect(declarations).not.toMatch(/2,147,483,647|9,007,199/)
})
