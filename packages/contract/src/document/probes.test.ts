import { expect, test } from 'vitest'
import { probesOf } from './probes.ts'

const labels = (
  schema: Parameters<typeof probesOf>[0],
  example: Parameters<typeof probesOf>[1],
  valid: boolean,
) =>
  probesOf(schema, example)
    .filter((probe) => probe.valid === valid)
    .map(({ label, value }) => [label, value])

test('tries the bounds of a number and one step past them', () => {
  const schema = { type: 'integer', minimum: 1, maximum: 500 }
  expect(labels(schema, 5, true)).toEqual([
    ['minimum', 1],
    ['maximum', 500],
  ])
  expect(labels(schema, 5, false)).toEqual(
    expect.arrayContaining([
      ['minimum-1', 0],
      ['maximum+1', 501],
    ]),
  )
})

test('tries the lengths of a string with the text of the example', () => {
  const schema = { type: 'string', minLength: 2, maxLength: 4 }
  expect(labels(schema, 'abc', true)).toEqual([
    ['minLength', 'ab'],
    ['maxLength', 'abcc'],
  ])
  expect(labels(schema, 'abc', false)).toEqual(
    expect.arrayContaining([
      ['minLength-1', 'a'],
      ['maxLength+1', 'abccc'],
    ]),
  )
})

test('counts characters, not code units', () => {
  expect(labels({ type: 'string', maxLength: 2 }, '😀', true)).toEqual([['maxLength', '😀😀']])
})

test('tries every value of an enumeration and one that is in none', () => {
  const schema = { type: 'string', enum: ['A', 'B'] }
  expect(labels(schema, 'A', true)).toEqual([
    ['enum A', 'A'],
    ['enum B', 'B'],
  ])
  expect(labels(schema, 'A', false).at(-1)).toEqual(['enum other', 'NOT_ONE_OF_THEM'])
})

test('tries the sizes of a list and every wrong type', () => {
  const schema = { type: 'array', maxItems: 2 }
  expect(labels(schema, ['x'], true)).toEqual([['maxItems', ['x', 'x']]])
  expect(labels(schema, ['x'], false).map(([label]) => label)).toEqual([
    'type string',
    'type object',
    'type null',
    'maxItems+1',
  ])
})

test('carries the strength of the schema', () => {
  const [probe] = probesOf({ type: 'boolean', 'x-strength': 'decided' }, true)
  expect(probe?.strength).toBe('decided')
})

test('gives the things of a long list different names', () => {
  const probes = labels({ type: 'array', maxItems: 2 }, [{ name: 'a' }], true)
  expect(probes).toEqual([['maxItems', [{ name: 'a' }, { name: 'a1' }]]])
})
