import { expect, test } from 'vitest'
import { openDocument } from './document.ts'
import type { JsonObject } from './json.ts'
import { mutationsOf } from './mutations.ts'
import { createValidator } from './validator.ts'

const schema: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 3 },
    tags: {
      type: 'array',
      maxItems: 2,
      items: { type: 'object', required: ['key'], properties: { key: { type: 'string' } } },
    },
  },
}

const document = openDocument('test', {
  openapi: '3.1.0',
  paths: {},
  components: { schemas: { Thing: schema } },
})
const place = document.follow('/components/schemas/Thing')
const body = { name: 'abc', tags: [{ key: 'k' }] }
const mutations = [...mutationsOf(document, createValidator(document), place, [body])(() => true)]
const of = (label: string) => mutations.find((mutation) => mutation.label === label)

test('leaves out each required field, also in nested objects', () => {
  expect(of('/name missing')?.body).toEqual({ tags: [{ key: 'k' }] })
  expect(of('/tags/0/key missing')?.body).toEqual({ name: 'abc', tags: [{}] })
})

test('adds an unknown field only if the schema is closed', () => {
  expect(of('/noSuchField unknown')?.body).toMatchObject({ noSuchField: 1 })
  expect(of('/tags/0/noSuchField unknown')).toBeUndefined()
})

test('changes one field at a time', () => {
  expect(of('/name maxLength+1')?.body).toEqual({ name: 'abcc', tags: [{ key: 'k' }] })
  expect(of('/tags maxItems+1')?.body).toMatchObject({ tags: [{ key: 'k' }, { key: 'k' }, { key: 'k' }] })
})

test('labels nothing valid that the schema rejects, and vice versa', () => {
  const validator = createValidator(document)
  for (const { body, valid } of mutations)
    expect(validator.check(place.pointer, body).length === 0).toBe(valid)
})

test('prefers a valid body that has the field or the value', () => {
  const kinds: JsonObject = {
    type: 'object',
    required: ['kind'],
    properties: {
      kind: { type: 'string', enum: ['one', 'two'] },
      count: { type: 'integer', maximum: 5 },
      parts: {
        type: 'array',
        examples: [[{ size: 1 }]],
        items: { type: 'object', required: ['size'], properties: { size: { type: 'integer' } } },
      },
    },
  }
  const other = openDocument('test', {
    openapi: '3.1.0',
    paths: {},
    components: { schemas: { Thing: kinds } },
  })
  const bodies = [{ kind: 'one' }, { kind: 'two', count: 2 }]
  const place = other.follow('/components/schemas/Thing')
  const all = [...mutationsOf(other, createValidator(other), place, bodies)(() => true)]
  const bodyOf = (label: string) => all.find((mutation) => mutation.label === label)?.body
  expect(bodyOf('/count maximum')).toEqual({ kind: 'two', count: 5 })
  expect(bodyOf('/kind enum two')).toEqual({ kind: 'two', count: 2 })
  expect(bodyOf('/parts/0/size missing')).toEqual({ kind: 'one', parts: [{}] })
})

const mutationsByLabel = (schema: JsonObject, body: JsonObject) => {
  const opened = openDocument('test', { components: { schemas: { Thing: schema } } })
  const all = mutationsOf(opened, createValidator(opened), opened.follow('/components/schemas/Thing'), [body])
  return new Map([...all(() => true)].map((mutation) => [mutation.label, mutation]))
}

test('believes the schema over its own label', () => {
  const ofText = mutationsByLabel(
    { properties: { a: { type: 'string', minLength: 2, pattern: '^ab+$' } } },
    { a: 'abb' },
  )
  expect(ofText.has('/a type number')).toBe(true)
  // A two-letter text matches the pattern, so the schema agrees with this label.
  expect([...ofText.keys()]).toContain('/a minLength')
  const crossed = mutationsByLabel(
    { properties: { a: { type: 'string', maxLength: 5, pattern: '^.{1,3}$' } } },
    { a: 'abc' },
  )
  expect(crossed.has('/a maxLength')).toBe(false)
  expect(crossed.has('/a maxLength+1')).toBe(true)
})

test('a mutation is as strong as the strongest fact that it violates', () => {
  const schema: JsonObject = {
    'x-strength': 'stated',
    required: ['a'],
    properties: {
      a: { type: 'string', maxLength: 3, 'x-decided': { maxLength: 'decided: Bounds' } },
      b: { type: 'string', 'x-strength': 'decided' },
    },
  }
  const mutations = mutationsByLabel(schema, { a: 'abc', b: 'b' })
  const labels = ['/a maxLength+1', '/a type number', '/a missing', '/b type number']
  expect(labels.map((label) => mutations.get(label)?.strength)).toEqual([
    ...['decided', 'stated', 'stated'],
    'decided',
  ])
})

test('strengths next to a reference take precedence', () => {
  const field = { $ref: '#/components/schemas/Provider', 'x-decided': { enum: 'decided: Rules' } }
  const referring = openDocument('test', {
    openapi: '3.1.0',
    paths: {},
    components: {
      schemas: {
        Role: { type: 'object', properties: { provider: field, other: { $ref: field.$ref } } },
        Provider: { type: 'string', enum: ['AWS', 'GCP'], 'x-strength': 'stated' },
      },
    },
  })
  const role = referring.follow('/components/schemas/Role')
  const bodies = [{ provider: 'AWS', other: 'AWS' }]
  const all = [...mutationsOf(referring, createValidator(referring), role, bodies)(() => true)]
  const strengthOf = (label: string) => all.find((mutation) => mutation.label === label)?.strength
  expect(strengthOf('/provider enum GCP')).toBe('decided')
  expect(strengthOf('/other enum GCP')).toBe('stated')
})

test('rejecting an enum value in another letter case is our decision', () => {
  const schema: JsonObject = {
    'x-strength': 'stated',
    properties: { unit: { type: 'string', enum: ['DAYS', 'WEEKS', 'days'] } },
  }
  const ofWeeks = mutationsByLabel(schema, { unit: 'WEEKS' })
  expect(ofWeeks.get('/unit enum weeks')).toMatchObject({ body: { unit: 'weeks' }, strength: 'decided' })
  expect(ofWeeks.get('/unit enum other')?.strength).toBe('stated')
  // The document lists this value in both letter cases.
  expect(mutationsByLabel(schema, { unit: 'DAYS' }).get('/unit enum days')?.valid).toBe(true)
})

test('repeats an invalid item behind a valid one, once for each field', () => {
  const schema: JsonObject = {
    properties: {
      parts: {
        type: 'array',
        maxItems: 3,
        items: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string', pattern: '^[a-z]\\w*$' },
            size: { type: 'integer', minimum: 1 },
          },
        },
      },
    },
  }
  const mutations = mutationsByLabel(schema, { parts: [{ name: 'one', size: 1 }] })
  const second = [...mutations].filter(([label]) => label.startsWith('/parts/1'))
  const one = { name: 'one', size: 1 }
  expect(second.map(([label, { body, at, valid }]) => [label, at, valid, body])).toEqual([
    ['/parts/1 type null', '/parts/1', false, { parts: [one, null] }],
    ['/parts/1/name pattern', '/parts/1/name', false, { parts: [one, { name: 'ne!', size: 1 }] }],
    ['/parts/1/size minimum-1', '/parts/1/size', false, { parts: [one, { name: 'one1', size: 0 }] }],
  ])
})

test('repeats no item in a list that must not have two', () => {
  const parts = { type: 'array', maxItems: 1, items: { type: 'string', minLength: 1 } }
  const labels = [...mutationsByLabel({ properties: { parts } }, { parts: ['a'] }).keys()]
  expect(labels).toContain('/parts/0 minLength-1')
  expect(labels.filter((label) => label.startsWith('/parts/1'))).toEqual([])
})

test('goes three levels deep and no further', () => {
  const deep: JsonObject = ['d', 'c', 'b', 'a'].reduce<JsonObject>(
    (within, name) => ({ type: 'object', properties: { [name]: within } }),
    { type: 'string' },
  )
  const labels = [...mutationsByLabel(deep, { a: { b: { c: { d: 'x' } } } }).keys()]
  expect(labels).toContain('/a/b/c type string')
  expect(labels.filter((label) => label.startsWith('/a/b/c/d'))).toEqual([])
})

test('a bound is as strong at its value as past it', () => {
  const open: JsonObject = {
    type: 'object',
    'x-strength': 'stated',
    properties: {
      inner: {
        type: 'object',
        'x-strength': 'open',
        properties: { count: { type: 'integer', minimum: 1, maximum: 5 } },
      },
    },
  }
  const other = openDocument('test', { openapi: '3.1.0', paths: {}, components: { schemas: { Open: open } } })
  const place = other.follow('/components/schemas/Open')
  const all = mutationsOf(other, createValidator(other), place, [{ inner: { count: 3 } }])
  const bounds = [...all(({ at, valid }) => at === '/inner/count' && valid)]
  expect(bounds.map(({ strength }) => strength)).toEqual(['open', 'open'])
})

test('validates only the wanted mutations', () => {
  const validator = createValidator(document)
  let checks = 0
  const counting = {
    check(...[pointer, value]: Parameters<typeof validator.check>) {
      checks += 1
      return validator.check(pointer, value)
    },
  }
  const missing = mutationsOf(document, counting, place, [body])(({ kind }) => kind === 'missing')
  expect(checks).toBe(0)
  const [first] = missing
  expect([first?.label, checks]).toEqual(['/name missing', 1])
})
