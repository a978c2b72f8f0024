import { expect, test } from 'vitest'
import type { Change } from './change.ts'
import { render } from './render.ts'

const change: Change = {
  id: 'request-property-removed #/components/schemas/AlertConfigRequest/properties/severity_override',
  class: 'breaking',
  rule: 'request-property-removed',
  location: '#/components/schemas/AlertConfigRequest/properties/severity_override',
  operations: ['createAlertConfig', 'updateAlertConfig'],
  text: 'The property severity_override was removed.',
}
const comparison = { before: '2023-01-01', after: '2024-05-30', changes: new Map([['', [change]]]) }

test('renders text in 80 columns that ends with a count of each class', () => {
  const text = render(comparison, 'text')
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  expect(text.trimEnd().split('\n').at(-1)).toBe(
    '1 breaking, 0 review, 0 deprecating, 0 additive, 0 editorial',
  )
})

test('renders Markdown with a heading for each class, and escapes markup', () => {
  expect(render(comparison, 'markdown')).toBe(`# Changes from 2023-01-01 to 2024-05-30

## Breaking

- \`createAlertConfig\`, \`updateAlertConfig\`: The property severity\\_override was removed. (request-property-removed, \`${change.location}\`)
`)
})

test('renders Markdown if nothing changed', () => {
  expect(render({ ...comparison, changes: new Map() }, 'markdown')).toContain('Nothing changed.')
})

test('renders JSON with the version of each change', () => {
  const several = { before: 'a', after: 'b', changes: new Map([['v1.0', [change]]]) }
  expect(JSON.parse(render(several, 'json'))).toEqual({
    before: 'a',
    after: 'b',
    summary: { breaking: 1, review: 0, deprecating: 0, additive: 0, editorial: 0 },
    changes: [{ version: 'v1.0', ...change }],
  })
})
