import { expect, test } from 'vitest'
import type { FieldRow } from '../content/block.ts'
import { model, textOf } from '../testing/inputs.ts'
import { fieldRows, pagesOf } from './fields.ts'

const rowsOf = (name: string): FieldRow[] => {
  const { document, id } = model.newest
  const schema = document.components.schemas[name] ?? {}
  return fieldRows({ document, linkTo: pagesOf(id), anchor: 'field', side: 'both', mark: () => '' }, schema)
}

test('every member of every schema says how strong it is', () => {
  const without = Object.keys(model.newest.document.components.schemas).flatMap((name) =>
    rowsOf(name).flatMap(({ strength, anchor }) => (strength ? [] : [`${name} ${anchor}`])),
  )
  expect(without).toEqual([])
})

test('a member that says nothing is as strong as what holds it, and one that does as it says', () => {
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

test('the example of a member is its part of the example of the page', () => {
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
  expect(['id', 'groupId', 'matchers.value'].map(example)).toEqual(['"a"', '"b"', '"c"'])
  // Of a member that the example leaves out, that of its schema.
  expect(example('eventTypeName')).toMatch(/^"[A-Z_]+"$/)
})

test('no page shows one identifier as two members of one object', () => {
  const examples = Object.keys(model.newest.document.components.schemas).filter((name) => {
    const { [name]: schema = {} } = model.newest.document.components.schemas
    const { id, groupId } = Object(schema.examples?.[0])
    return typeof id === 'string' && typeof groupId === 'string' && id !== groupId
  })
  expect(examples.length).toBeGreaterThan(3)
  for (const name of examples) {
    const text = textOf(`${model.newest.id}/schemas/${name}/index.html`)
    const shownOf = (field: string) =>
      /Example <code>(.*?)<\/code>/.exec(text.split(`id="field.${field}"`)[1] ?? '')?.[1]
    expect(shownOf('id'), name).not.toBe(shownOf('groupId'))
  }
})
