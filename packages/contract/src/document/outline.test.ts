import { expect, test } from 'vitest'
import { dated } from '../../test/context-over.ts'
import type { Json } from './json.ts'
import { outlineOf } from './outline.ts'

const { document } = dated('getSearchIndex').version

test.each<[string, string, Json, Json]>([
  [
    'AlertConfigRequest',
    'only the shown field of a matcher',
    { enabled: true, matchers: [{ fieldName: 'A', value: 'b' }], notifications: [{ typeName: 'SMS' }, {}] },
    { enabled: true, matchers: [{ fieldName: 'A' }], notifications: [{}, {}] },
  ],
  [
    'SearchIndex',
    'no field of a definition',
    { name: 'a', latestDefinition: { mappings: {} }, latestDefinitionVersion: { version: 7 } },
    { name: 'a', latestDefinition: {}, latestDefinitionVersion: {} },
  ],
  ['OutageSimulation', 'no field of a filter', { outageFilters: [{ type: 'A' }] }, { outageFilters: [{}] }],
])('the outline of %s has %s', (schema, _, value, outline) => {
  expect(outlineOf(document, `/components/schemas/${schema}`, value)).toEqual(outline)
})
