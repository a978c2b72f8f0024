import { expect, test } from 'vitest'
import type { FieldRow } from './block.ts'
import { fieldsHtml } from './fields-html.ts'
import { sharedProvenance } from './shared-provenance.ts'

const row = (name: string, source: string, more: Partial<FieldRow> = {}): FieldRow => ({
  anchor: `field.${name}`,
  name,
  depth: 0,
  type: 'string',
  required: false,
  notes: [],
  description: '',
  constraints: [],
  values: [],
  valuesOpen: false,
  strength: 'stated',
  source,
  ...more,
})

test('writes the provenance that most fields share once', () => {
  const text = String(fieldsHtml([row('a', '2.1'), row('b', '2.1'), row('c', '2.3')]))
  expect(text.match(/§ 2\.1|§&nbsp;2\.1/g)).toHaveLength(1)
  expect(text.match(/§&nbsp;2\.3/g)).toHaveLength(1)
  expect(text).toContain('Unmarked fields: from the source, § 2.1.')
})

test('needs provenance for every field, and two fields that share it', () => {
  const { strength: _, ...unknown } = row('b', '2.1')
  expect(sharedProvenance([row('a', '2.1'), unknown, row('c', '2.1')]).lines).toEqual([])
  expect(sharedProvenance([row('a', '2.1'), row('b', '2.3')]).lines).toEqual([])
  expect(sharedProvenance([]).lines).toEqual([])
})

test('writes once why fields are required, if the reason is the same for all', () => {
  const mark = '[our decision](/decisions/#responses "Why")'
  const decided = { required: true, requiredMark: mark }
  const same = sharedProvenance([row('a', '1', decided), row('b', '1', decided), row('c', '1')])
  expect(same.lines.at(-1)).toBe(`Why fields are required: ${mark}.`)
  expect(same.rows.some(({ requiredMark }) => requiredMark)).toBe(false)
  const mixed = sharedProvenance([row('a', '1', decided), row('b', '1', { required: true })])
  expect(mixed.rows[0]?.requiredMark).toBe(mark)
  const present = { notes: [`always present ${mark}`] }
  const response = sharedProvenance([row('a', '1', present), row('b', '1', present)])
  expect(response.lines.at(-1)).toBe(`Why fields are always present: ${mark}.`)
  expect(response.rows[0]?.notes).toEqual(['always present'])
})
