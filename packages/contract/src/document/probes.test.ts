import { expect, test } from 'vitest'
import { openDocument } from './document.ts'
import { flatten, pastBound, probesOf } from './probes.ts'

const labels = (
  schema: Parameters<typeof probesOf>[0],
  example: Parameters<typeof probesOf>[1],
  valid: boolean,
) =>
  probesOf(schema, example)
    .filter((probe) => probe.valid === valid)
    .map(({ label, value }) => [label, value])

test('tests the bounds of a number and one step past them', () => {
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

test('tests every number of an enum', () => {
  const schema = { type: 'integer', enum: [1, 2, 4] }
  expect(labels(schema, 1, true)).toEqual([
    ['enum 1', 1],
    ['enum 2', 2],
    ['enum 4', 4],
  ])
})

test('tests the lengths of a string with the text of the example', () => {
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

test('tests every value of an enum, one other value and the example in another letter case', () => {
  const schema = { type: 'string', enum: ['A', 'B'] }
  expect(labels(schema, 'A', true)).toEqual([
    ['enum A', 'A'],
    ['enum B', 'B'],
  ])
  expect(labels(schema, 'B', false).slice(-2)).toEqual([
    ['enum other', 'NOT_ONE_OF_THEM'],
    ['enum b', 'b'],
  ])
})

test('tests the sizes of a list and every wrong type', () => {
  const schema = { type: 'array', maxItems: 2 }
  expect(labels(schema, ['x'], true)).toEqual([['maxItems', ['x', 'x']]])
  expect(labels(schema, ['x'], false).map(([label]) => label)).toEqual([
    'type string',
    'type object',
    'type null',
    'maxItems+1',
  ])
})

test('has the strength of the schema', () => {
  const [probe] = probesOf({ type: 'boolean', 'x-strength': 'decided' }, true)
  expect(probe?.strength).toBe('decided')
})

test('a decided bound in a stated schema is decided', () => {
  const schema = { type: 'string', maxLength: 2, 'x-strength': 'stated', 'x-decided': { maxLength: 'x' } }
  const strengths = new Map(probesOf(schema, 'a').map(({ label, strength }) => [label, strength]))
  expect(strengths.get('maxLength+1')).toBe('decided')
  expect(strengths.get('type number')).toBe('stated')
})

test('tests an impossible day for a timestamp', () => {
  const schema = { type: 'string', format: 'date-time' }
  expect(labels(schema, '2026-01-01T00:00:00Z', false).slice(-2)).toEqual([
    ['format date-time', 'no such thing'],
    ['format impossible day', '2026-02-30T10:00:00Z'],
  ])
})

test('does not send anything longer than the body limit', () => {
  const tried = (schema: Parameters<typeof probesOf>[0], example: string | readonly string[]) =>
    probesOf(schema, example).filter(({ label }) => label.startsWith('max'))
  expect(tried({ type: 'string', maxLength: 100_000 }, 'a')).toEqual([])
  expect(tried({ type: 'array', maxItems: 100_000 }, ['a'])).toEqual([])
})

test('merges the parts of a schema, including what each requires', () => {
  const document = openDocument('test', {
    components: {
      schemas: {
        Base: { required: ['a'], properties: { a: { type: 'string' } } },
        Whole: {
          allOf: [{ $ref: '#/components/schemas/Base' }],
          required: ['b'],
          properties: { b: { type: 'integer' } },
        },
      },
    },
  })
  expect(flatten(document, document.follow('/components/schemas/Whole'))).toMatchObject({
    required: ['a', 'b'],
    properties: { a: { type: 'string' }, b: { type: 'integer' } },
  })
})

test('gives the items of a long list distinct names', () => {
  const probes = labels({ type: 'array', maxItems: 2 }, [{ name: 'a' }], true)
  expect(probes).toEqual([['maxItems', [{ name: 'a' }, { name: 'a1' }]]])
})

test('labels what lies past each bound', () => {
  expect(['maximum', 'minLength', 'maxItems', 'enum A', 'example'].map(pastBound)).toEqual([
    'maximum+1',
    'minLength-1',
    'maxItems+1',
    'enum other',
    'example',
  ])
  expect(['/minGram maximum', '/kind enum a b'].map(pastBound)).toEqual([
    '/minGram maximum+1',
    '/kind enum other',
  ])
})
