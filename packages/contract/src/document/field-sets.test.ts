import { expect, test } from 'vitest'
import { openDocument } from './document.ts'
import {
  bodyWith,
  changesOfFalse,
  changesOfFull,
  fieldGroupsOf,
  fieldPairs,
  fieldSets,
  oppositeFlags,
} from './field-sets.ts'
import type { Json } from './json.ts'
import { createValidator } from './validator.ts'

const schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    size: { type: 'integer', default: 1, examples: [1, 2], minimum: 1 },
    loud: { type: 'boolean', default: false },
    quick: { type: 'boolean' },
    color: { type: 'string', enum: ['red', 'blue'] },
    id: { type: 'string', examples: ['a'] },
    inner: {
      type: 'object',
      properties: {
        left: { type: 'string', examples: ['l'] },
        right: { type: 'string', examples: ['r'] },
      },
    },
  },
}

const groupsOf = (...bodies: readonly Json[]) => {
  const document = openDocument('test', { openapi: '3.1.0', components: { schemas: { Body: schema } } })
  const place = document.follow('/components/schemas/Body')
  return fieldGroupsOf(document, createValidator(document), place, bodies, (name) => name === 'id')
}

const example = { name: 'n', size: 3, inner: { left: 'x', other: 1 } }

test('groups the optional fields of the body and of its objects, without required and ignored ones', () => {
  const [outer, inner, ...more] = groupsOf(example)
  expect(more).toEqual([])
  expect(outer?.isOuter).toBe(true)
  expect(outer?.fields.map(({ name }) => name)).toEqual(['size', 'loud', 'quick', 'color', 'inner'])
  expect(outer?.base).toEqual({ name: 'n' })
  expect(inner?.isOuter).toBe(false)
  expect(inner?.fields.map(({ path }) => path.join('.'))).toEqual(['inner.left', 'inner.right'])
  expect(inner?.base).toEqual({ name: 'n', size: 3, inner: { other: 1 } })
})

test('a value is never the default, and always valid', () => {
  const [outer] = groupsOf(example, { name: 'n', size: 0 })
  const values = new Map(outer?.fields.map((field) => [field.name, field.values]))
  expect(values.get('size')).toEqual([2, 3])
  expect(values.get('loud')).toEqual([true])
  expect(values.get('color')).toEqual(['red', 'blue'])
})

test('every field occurs with and without every other field', () => {
  const [outer] = groupsOf(example)
  if (outer === undefined) expect.fail('no group')
  const sets = fieldSets(outer).map((set) => set.map(({ name }) => name))
  const names = outer.fields.map(({ name }) => name)
  for (const one of names)
    for (const other of names.filter((name) => name !== one))
      for (const [hasOne, hasOther] of [
        [true, true],
        [true, false],
        [false, false],
      ])
        expect(sets.some((set) => set.includes(one) === hasOne && set.includes(other) === hasOther)).toBe(
          true,
        )
  expect(fieldPairs(outer, 4)).toHaveLength(4)
  expect(fieldPairs(outer, 30)).toHaveLength(10)
})

test('a body has the fields of a set, with another value in the next round', () => {
  const [outer] = groupsOf(example)
  const color = outer?.fields.filter(({ name }) => name === 'color') ?? []
  if (outer === undefined) expect.fail('no group')
  expect(bodyWith(outer, color)).toEqual({ name: 'n', color: 'red' })
  expect(bodyWith(outer, color, 1)).toEqual({ name: 'n', color: 'blue' })
  expect(bodyWith(outer, [])).toEqual({ name: 'n' })
})

test('each field also changes while all others have a value', () => {
  const [outer] = groupsOf(example)
  if (outer === undefined) expect.fail('no group')
  const [full, change, ...more] = changesOfFull(outer).map((set) => bodyWith(outer, set))
  expect(full).toMatchObject({ size: 2, loud: true, quick: true, color: 'red' })
  expect(change).toEqual({ name: 'n', size: 3 })
  expect(more).toContainEqual({ name: 'n', loud: false })
  expect(more).toHaveLength(2 * outer.fields.length - 2)
})

test('each field also changes while all booleans are false', () => {
  const [outer, inner] = groupsOf(example)
  if (outer === undefined || inner === undefined) expect.fail('no group')
  const bodies = changesOfFalse(outer).map((set) => bodyWith(outer, set))
  const off = { name: 'n', loud: false, quick: false }
  expect(bodies[0]).toEqual(off)
  expect(bodies).toContainEqual({ name: 'n', color: 'red' })
  expect(bodies.slice(-4)).toEqual([off, { name: 'n', loud: true }, off, { name: 'n', quick: true }])
  expect(changesOfFalse(inner)).toEqual([])
})

test('a body that is not an object has no groups', () => {
  expect(groupsOf(['a'])).toEqual([])
  expect(groupsOf()).toEqual([])
})

test('two flags also occur with different values', () => {
  const [outer] = groupsOf(example)
  if (outer === undefined) expect.fail('no group')
  expect(oppositeFlags(outer).map((set) => bodyWith(outer, set))).toEqual([
    { name: 'n', loud: true, quick: false },
    { name: 'n', quick: true, loud: false },
  ])
})
