import { expect, test } from 'vitest'
import { openDocument } from './document.ts'
import type { JsonObject } from './json.ts'
import { createValidator, isClosed, strongest } from './validator.ts'

const root: JsonObject = {
  openapi: '3.1.0',
  paths: {
    '/things/{id}': {
      parameters: [{ $ref: '#/components/parameters/id' }],
      get: {
        operationId: 'getThing',
        parameters: [{ name: 'q', in: 'query', schema: { type: 'integer' }, example: 5 }],
        responses: {
          200: { content: { 'application/vnd.x+json': { schema: { $ref: '#/components/schemas/Thing' } } } },
          404: { $ref: '#/components/responses/NotFound' },
        },
      },
    },
  },
  components: {
    parameters: { id: { name: 'id', in: 'path', required: true, schema: { type: 'string' } } },
    responses: { NotFound: { headers: { Link: { required: true, schema: { type: 'string' } } } } },
    schemas: {
      Thing: {
        type: 'object',
        required: ['a', 'b'],
        'x-strength': 'stated',
        properties: {
          a: { type: 'string', 'x-strength': 'decided' },
          b: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          c: { type: 'string', maxLength: 2, 'x-decided': { maxLength: 'decided: Bounds' } },
          d: { $ref: '#/components/schemas/Name', 'x-strength': 'open' },
        },
      },
      Name: { type: 'string', 'x-strength': 'stated' },
      Circle: { $ref: '#/components/schemas/Circle' },
    },
  },
}

const document = openDocument('test', root)
const operation = document.operations.get('getThing')

test('follows references of parameters and responses', () => {
  expect(operation?.parameters.map(({ name, in: where }) => `${where} ${name}`)).toEqual([
    'path id',
    'query q',
  ])
  expect(operation?.responses.get(404)?.headers).toMatchObject([{ name: 'Link', required: true }])
})

test('rejects circular references', () => {
  expect(() => document.follow('/components/schemas/Circle')).toThrow('circular reference')
})

const check = (value: Parameters<ReturnType<typeof createValidator>['check']>[1]) => {
  const place = operation?.responses.get(200)?.content.get('application/vnd.x+json')
  return createValidator(document).check(place?.pointer ?? '', value)
}

test('reports the invalid value and the strength of the fact', () => {
  expect(check({ a: 'x', b: null })).toEqual([])
  expect(check({ a: 1, b: null })).toMatchObject([{ at: '/a', keyword: 'type', strength: 'decided' }])
  expect(check({ a: 'x' })).toMatchObject([{ at: '', keyword: 'required', strength: 'stated' }])
  expect(check({ b: null })).toMatchObject([{ strength: 'decided' }])
})

test('reports a failed choice without the errors of its branches', () => {
  expect(check({ a: 'x', b: 1 })).toMatchObject([{ at: '/b', keyword: 'anyOf' }])
})

test('a keyword or a reference can be weaker than the schema', () => {
  const strengthsOf = (value: Parameters<typeof check>[0]) => check(value).map(({ strength }) => strength)
  expect(strengthsOf({ a: 'x', b: null, c: 'abc' })).toEqual(['decided'])
  expect(strengthsOf({ a: 'x', b: null, c: 1 })).toEqual(['stated'])
  expect(strengthsOf({ a: 'x', b: null, d: 1 })).toEqual(['open'])
})

test('takes the error of the strongest fact, and ranks errors without a strength below stated ones', () => {
  const schemaErrors = check({ a: 1, b: null, c: 1, d: 1 })
  expect(schemaErrors.map(({ strength }) => strength)).toEqual(['decided', 'stated', 'open'])
  expect(strongest(schemaErrors)).toMatchObject({ at: '/c', strength: 'stated' })
  const [decided, , open] = schemaErrors
  const unknown = { at: '', keyword: '', message: '', strength: undefined }
  expect(strongest([open, decided, unknown].flatMap((one) => one ?? []))).toBe(unknown)
  expect(strongest([open, decided].flatMap((one) => one ?? []))).toBe(decided)
  expect(strongest([])).toBeUndefined()
})

test('either keyword closes a schema', () => {
  expect(isClosed({ additionalProperties: false })).toBe(true)
  expect(isClosed({ unevaluatedProperties: false })).toBe(true)
  expect(isClosed({ additionalProperties: {} })).toBe(false)
  expect(isClosed(false)).toBe(false)
})

test('a parameter of an operation overrides the one of its path', () => {
  const ref = { $ref: '#/components/parameters/p%7B1%7D~1' }
  const { operations } = openDocument('test', {
    paths: {
      '/a': {
        parameters: [
          { name: 'q', in: 'query', schema: { type: 'string' } },
          { name: 'q', in: 'header', schema: { type: 'string' } },
        ],
        get: {
          operationId: 'a',
          parameters: [{ name: 'q', in: 'query', schema: { type: 'integer' } }, ref],
          responses: { 200: {}, default: {}, '4XX': {} },
        },
      },
    },
    components: { parameters: { 'p{1}/': { name: 'far', in: 'query', schema: {} } } },
  })
  const { parameters, responses } = operations.get('a') ?? {}
  expect(parameters?.map(({ name, in: place, schema }) => [name, place, schema.value.type])).toEqual([
    ['q', 'header', 'string'],
    ['q', 'query', 'integer'],
    ['far', 'query', undefined],
  ])
  expect([...(responses?.keys() ?? [])]).toEqual([200])
})

test('caches results by schema and value', () => {
  const { check: fits } = createValidator(document)
  const value = { a: 'x', b: null }
  for (let time = 0; time < 2; time += 1) {
    expect(fits('/components/schemas/Thing', value)).toEqual([])
    expect(fits('/components/schemas/Name', value)).toMatchObject([{ at: '', keyword: 'type' }])
  }
})
