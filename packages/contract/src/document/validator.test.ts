import { expect, test } from 'vitest'
import { openDocument } from './document.ts'
import type { Json, JsonObject } from './json.ts'
import { createValidator } from './validator.ts'

const kind = (typeName: string, field: JsonObject): JsonObject => ({
  type: 'object',
  required: ['typeName'],
  properties: { typeName: { const: typeName }, ...field },
})

const document = openDocument('test', {
  paths: {},
  components: {
    schemas: {
      Email: kind('EMAIL', { intervalMin: { type: 'integer' }, address: { type: 'string' } }),
      Group: kind('GROUP', { intervalMin: { type: 'integer' } }),
      Some: {
        type: 'object',
        properties: {
          list: {
            type: 'array',
            items: {
              anyOf: [{ $ref: '#/components/schemas/Email' }, { $ref: '#/components/schemas/Group' }],
            },
          },
          one: { oneOf: [{ type: 'integer' }, { type: 'number' }] },
        },
      },
    },
  },
})

const messages = (value: Json): string[] =>
  createValidator(document)
    .check('/components/schemas/Some', value)
    .map(({ at, message }) => `${at} ${message}`)

test('reports the errors of the closest alternative', () => {
  expect(messages({ list: [{ typeName: 'EMAIL', intervalMin: 'x' }] })).toEqual([
    '/list/0 matches none of the alternatives: /list/0/intervalMin must be integer',
  ])
  expect(messages({ list: [{}] })).toEqual([
    "/list/0 matches none of the alternatives: /list/0 must have required property 'typeName'",
  ])
})

test('reports nothing more if no or several alternatives remain', () => {
  expect(messages({ list: [{ typeName: 'OTHER', intervalMin: 'x' }] })).toEqual([
    '/list/0 matches none of the alternatives',
  ])
  expect(messages({ one: 1 })).toEqual(['/one must match exactly one schema in oneOf'])
  expect(messages({ one: 'x' })).toEqual(['/one matches none of the alternatives: /one must be integer'])
})

test('reports the errors of the first of very many items, or else the first error, quickly', () => {
  const item = { type: 'object', required: ['a', 'b', 'c'], properties: { a: { type: 'integer' } } }
  const list = { type: 'array', items: { $ref: '#/components/schemas/Item' } }
  const many = openDocument('test', { paths: {}, components: { schemas: { Item: item, List: list } } })
  const wrongIn = (value: Json): readonly string[] =>
    createValidator(many)
      .check('/components/schemas/List', value)
      .map(({ at, keyword }) => `${at} ${keyword}`)
  const good = { a: 1, b: 1, c: 1 }
  expect(wrongIn(Array(50_000).fill({}))).toHaveLength(6000)
  expect(wrongIn(Array(50_000).fill(good))).toEqual([])
  expect(wrongIn([...Array(50_000).fill(good), { ...good, a: 'x' }])).toEqual(['/50000/a type'])
})

test('a field with unspecified content must be an object as strictly as its resource says', () => {
  const open = { 'x-strength': 'open', type: 'object', properties: { date: { type: 'string' } } }
  const reference = { $ref: '#/components/schemas/Open' }
  const resource = {
    'x-strength': 'stated',
    properties: {
      one: reference,
      other: { ...reference, 'x-strength': 'decided' },
      list: { items: reference },
    },
  }
  const opened = openDocument('test', {
    paths: {},
    components: { schemas: { Open: open, Resource: resource } },
  })
  const strengthsOf = (value: Json) =>
    createValidator(opened)
      .check('/components/schemas/Resource', value)
      .map(({ strength }) => strength)
  expect(strengthsOf({ one: 'x' })).toEqual(['stated'])
  expect(strengthsOf({ one: { date: 1 } })).toEqual(['open'])
  expect(strengthsOf({ other: 'x' })).toEqual(['decided'])
  expect(strengthsOf({ list: ['x'] })).toEqual(['open'])
})

test('an unknown field violates only our decision, even if no alternative matches because of it', () => {
  const closed = (typeName: string) => ({ ...kind(typeName, {}), additionalProperties: false })
  const request = {
    'x-strength': 'stated',
    required: ['one'],
    properties: { one: { oneOf: [closed('EMAIL'), closed('GROUP')] } },
    unevaluatedProperties: false,
  }
  const opened = openDocument('test', { paths: {}, components: { schemas: { Request: request } } })
  const errorsIn = (value: Json) =>
    createValidator(opened)
      .check('/components/schemas/Request', value)
      .map(({ strength, message }) => `${strength}: ${message}`)
  expect(errorsIn({ one: { typeName: 'EMAIL' }, '': 1 })).toEqual(['decided: must not have the field ""'])
  expect(errorsIn({ one: { typeName: 'EMAIL', x: 1 } })).toEqual([
    'decided: matches none of the alternatives: /one must not have the field "x"',
  ])
  expect(errorsIn({ one: { typeName: 'OTHER', x: 1 } })).toEqual(['stated: matches none of the alternatives'])
})

test('null is a decided error if the specification lists a field without its type', () => {
  const time = { type: 'string', format: 'date-time', 'x-strength': 'stated' }
  const reference = { $ref: '#/components/schemas/Time' }
  const fields = { listed: { ...reference, 'x-decided': { type: 'decided: Responses' } }, typed: reference }
  const schemas = { Time: time, Job: { type: 'object', properties: fields } }
  const validator = createValidator(openDocument('test', { paths: {}, components: { schemas } }))
  const strengthsOf = (value: Json) =>
    validator.check('/components/schemas/Job', value).map(({ strength }) => strength)
  expect(strengthsOf({ listed: null })).toEqual(['decided'])
  expect(strengthsOf({ listed: 7 })).toEqual(['stated'])
  expect(strengthsOf({ listed: 'soon' })).toEqual(['stated'])
  expect(strengthsOf({ typed: null })).toEqual(['stated'])
})
