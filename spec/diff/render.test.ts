import { expect, test } from 'vitest'
import type { Change } from './change.ts'
import { render } from './render.ts'

const change: Change = {
  id: 'request-property-removed #/components/schemas/AlertConfigRequest/properties/severity_override',
  class: 'breaking',
  rule: 'request-property-removed',
  location: '#/components/schemas/AlertConfigRequest/properties/severity_override',
  operations: ['createAlertConfig', 'updateAlertConfig'],
  text: 'The property severity_override is gone.',
}
const comparison = { before: '2023-01-01', after: '2024-05-30', changes: new Map([['', [change]]]) }

test('text fits 80 columns and ends with a count of each class', () => {
  const text = render(comparison, 'text')
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  expect(text.trimEnd().split('\n').at(-1)).toBe('1 breaking, 0 deprecating, 0 additive, 0 editorial')
})

test('Markdown has a heading for each class that there is and escapes what would be markup', () => {
  expect(render(comparison, 'markdown')).toBe(`# Changes from 2023-01-01 to 2024-05-30

## Breaking

- \`createAlertConfig\`, \`updateAlertConfig\`: The property severity\\_override is gone. (request-property-removed, \`${change.location}\`)
`)
})

test('Markdown says when nothing changed', () => {
  expect(render({ ...comparison, changes: new Map() }, 'markdown')).toContain('Nothing changed.')
})

test('JSON names the version of each change when several were compared', () => {
  const several = { before: 'a', after: 'b', changes: new Map([['v1.0', [change]]]) }
  expect(JSON.parse(render(several, 'json'))).toEqual({
    before: 'a',
    after: 'b',
    summary: { breaking: 1, deprecating: 0, additive: 0, editorial: 0 },
    changes: [{ version: 'v1.0', ...change }],
  })
})
