import { expect, test } from 'vitest'
import type { FieldRow } from './block.ts'
import { fieldsHtml } from './fields-html.ts'
import { usualStanding } from './usual-standing.ts'

const row = (name: string, source: string): FieldRow => ({
  ...{ anchor: `field.${name}`, name, depth: 0, type: 'string', required: false, notes: [], description: '' },
  ...{ constraints: [], values: [], valuesOpen: false, strength: 'stated', source },
})

test('writes the provenance that most fields share once', () => {
  const text = String(fieldsHtml([row('a', '2.1'), row('b', '2.1'), row('c', '2.3')]))
  expect(text.match(/§&nbsp;2\.1/g)).toHaveLength(1)
  expect(text.match(/§&nbsp;2\.3/g)).toHaveLength(1)
  expect(text).toContain('Fields without a mark')
})

test('needs provenance for every field, and two fields that share it', () => {
  const { strength: _, ...unknown } = row('b', '2.1')
  expect(usualStanding([row('a', '2.1'), unknown, row('c', '2.1')])).toBeUndefined()
  expect(usualStanding([row('a', '2.1'), row('b', '2.3')])).toBeUndefined()
  expect(usualStanding([])).toBeUndefined()
})
