import { expect, test } from 'vitest'
import type { FieldRow } from '../content/block.ts'
import { model } from '../testing/inputs.ts'
import { fieldRows, pagesOf } from './fields.ts'

const rowsOf = (name: string): FieldRow[] => {
  const { document, id } = model.newest
  const schema = document.components.schemas[name] ?? {}
  return fieldRows({ document, linkTo: pagesOf(id), anchor: 'field', side: 'both', mark: () => '' }, schema)
}

test('gives every field of every schema a strength', () => {
  const without = Object.keys(model.newest.document.components.schemas).flatMap((name) =>
    rowsOf(name).flatMap(({ strength, anchor }) => (strength ? [] : [`${name} ${anchor}`])),
  )
  expect(without).toEqual([])
})

test('inherits the strength of the parent unless the field has its own', () => {
  const schemas = Object.entries(model.newest.document.components.schemas)
  const found = schemas.flatMap(([name, { properties = {}, ...schema }]) =>
    Object.entries(properties)
      .filter(([, field]) => !field.$ref)
      .map(([field, own]) => ({ schema, own, row: rowsOf(name).find((row) => row.name === field) })),
  )
  const silent = found.filter(({ own }) => !own['x-strength'])
  expect(silent.length).toBeGreaterThan(100)
  for (const { schema, row } of silent)
    expect([row?.strength, row?.source]).toEqual([schema['x-strength'], schema['x-source']])
  for (const { own, row } of found.filter((each) => each.own['x-strength']))
    expect(row?.strength).toBe(own['x-strength'])
})

test('shows an example only for fields that the example of the page lacks', () => {
  const { document, id } = model.newest
  const schema = document.components.schemas.AlertConfig ?? {}
  const shown = { id: 'a', groupId: 'b', matchers: [{}, { value: 'c' }] }
  const context = {
    document,
    linkTo: pagesOf(id),
    anchor: 'field',
    side: 'both',
    mark: () => '',
    shown,
  } as const
  const example = (name: string) =>
    fieldRows(context, schema).find(({ anchor }) => anchor === `field.${name}`)?.example
  expect(['id', 'groupId', 'matchers.value'].map(example)).toEqual([undefined, undefined, undefined])
  expect(example('eventTypeName')).toMatch(/^"[A-Z_]+"$/)
})
