import type { OpenApiDocument, Schema } from '@svc-admin/spec'
import { describe, expect, test } from 'vitest'
import { createTypeWriter, type Direction, parameterDoc } from './schema-type.ts'

type Schemas = Record<string, Schema>

/** Returns a document that has one response with the given schema. */
function documentOf(schemas: Schemas, received: Schema = {}): OpenApiDocument {
  const content = { 'application/json': { schema: received } }
  return {
    openapi: '3.1.0',
    info: { title: 'test', version: '1' },
    servers: [],
    security: [],
    tags: [],
    paths: {},
    components: {
      parameters: {},
      headers: {},
      securitySchemes: {},
      schemas,
      responses: { Only: { content } },
    },
  }
}

function write(schema: Schema, direction: Direction = 'read', schemas: Schemas = {}): string {
  return createTypeWriter(documentOf(schemas)).type(schema, direction).replace(/\s+/g, ' ')
}

const refer = (component: string): Schema => ({ $ref: `#/components/schemas/${component}` })

describe('the type of a schema', () => {
  test.each<[string, Schema, string]>([
    ['a string', { type: 'string' }, 'string'],
    ['a number', { type: 'integer' }, 'number'],
    ['several types', { type: ['string', 'null'] }, 'string | null'],
    ['a closed enum', { type: 'string', enum: ['a', "it's"] }, "'a' | 'it\\'s'"],
    ['an open enum', { type: 'string', 'x-known-values': ['a', 'b'] }, "'a' | 'b' | (string & {})"],
    ['an open enum of numbers', { type: 'integer', 'x-known-values': [1, 2] }, '1 | 2 | (number & {})'],
    ['a constant', { const: 'x' }, "'x'"],
    ['an array of a union', { type: 'array', items: { enum: ['a', 'b'] } }, "('a' | 'b')[]"],
    ['a choice', { oneOf: [{ type: 'string' }, { type: 'boolean' }] }, 'string | boolean'],
    ['a combination', { allOf: [{ type: 'string' }, { enum: ['a', 'b'] }] }, "string & ('a' | 'b')"],
    ['anything', {}, 'unknown'],
    ['a free object', { type: 'object' }, '{ [name: string]: unknown }'],
    ['a map', { type: 'object', additionalProperties: { type: 'number' } }, '{ [name: string]: number }'],
    ['an empty closed object', { type: 'object', additionalProperties: false }, '{ }'],
  ])('for %s', (_, schema, expected) => {
    expect(write(schema)).toBe(expected)
  })

  test('for an object marks optional properties and quotes special names', () => {
    const schema: Schema = {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'string', description: 'The first.' }, 'x-b': { type: 'number' } },
    }
    expect(write(schema)).toBe("{ /** The first. */ a: string 'x-b'?: number }")
  })
})

describe('read-only and write-only properties', () => {
  const schemas: Schemas = {
    Hook: {
      type: 'object',
      properties: { id: { type: 'string', readOnly: true }, secret: { type: 'string', writeOnly: true } },
    },
    Config: {
      type: 'object',
      properties: { hooks: { type: 'array', items: { $ref: '#/components/schemas/Hook' } } },
    },
    Plain: { type: 'object', properties: { name: { type: 'string' } } },
  }

  test('are omitted in the other direction', () => {
    const hook = schemas.Hook ?? {}
    expect(write(hook, 'read', schemas)).toBe('{ id?: string }')
    expect(write(hook, 'write', schemas)).toBe('{ secret?: string | undefined }')
  })

  test('create two named types for each schema that contains them, and for no other', () => {
    const named = (component: string, direction: Direction): string =>
      write(refer(component), direction, schemas)
    expect([named('Config', 'read'), named('Config', 'write')]).toEqual(['Config', 'ConfigInput'])
    expect([named('Plain', 'read'), named('Plain', 'write')]).toEqual(['Plain', 'Plain'])
  })
})

test('an object schema used in both directions has two types, a string schema one', () => {
  const schemas: Schemas = {
    Page: { type: 'object', properties: { name: { type: 'string' }, state: refer('State') } },
    State: { type: 'string' },
    Request: { type: 'object', properties: { name: { type: 'string' } } },
  }
  const { name } = createTypeWriter(documentOf(schemas, refer('Page')))
  expect(['Page', 'State', 'Request'].map((component) => name(component, 'write'))).toEqual([
    'PageInput',
    'State',
    'Request',
  ])
})

describe('an open object schema', () => {
  const schema: Schema = { type: 'object', properties: { a: { type: 'string' } } }

  test.each<Schema>([{ additionalProperties: true }, { 'x-strength': 'open' }])(
    'has documented properties only, so that misspelled ones do not compile: %j',
    (mark) => {
      expect(write({ ...schema, ...mark }, 'write')).toBe('{ a?: string | undefined }')
      expect(write({ ...schema, ...mark }, 'read')).toBe('{ a?: string }')
    },
  )

  test('requires recommended properties in both directions, so that responses can be sent back', () => {
    const recommended: Schema = { ...schema, 'x-recommended': ['a'] }
    for (const direction of ['read', 'write'] as const)
      expect(write(recommended, direction)).toBe('{ a: string | undefined }')
  })

  test('rejects properties that exist only in other versions', () => {
    const open: Schema = { ...schema, 'x-strength': 'open' }
    const other = { ...open, properties: { ...open.properties, b: { type: 'string' } } }
    const writer = createTypeWriter(documentOf({ Open: open }), [documentOf({ Open: other })])
    expect(writer.type(open, 'write').replace(/\s+/g, ' ')).toBe(
      '{ a?: string | undefined /** Not in this version. */ b?: never }',
    )
    expect(writer.type(open, 'read').replace(/\s+/g, ' ')).toBe('{ a?: string }')
  })
})

test('an undocumented variant of a union differs from the documented ones, and allows any property', () => {
  const kind = (name: string, fields: Schemas): Schema => ({
    type: 'object',
    required: ['type'],
    properties: { type: { const: name }, ...fields },
  })
  const schemas: Schemas = {
    Kind: {
      anyOf: [refer('A'), refer('B'), refer('Rest')],
      discriminator: {
        propertyName: 'type',
        mapping: { a: '#/components/schemas/A', b: '#/components/schemas/B' },
      },
    },
    A: kind('a', { size: { type: 'integer' }, id: { type: 'string', readOnly: true } }),
    B: kind('b', { size: { type: 'string' } }),
    Rest: { type: 'object', properties: { type: { type: 'string' } } },
  }
  const rest = schemas.Rest ?? {}
  for (const direction of ['read', 'write'] as const)
    expect(write(rest, direction, schemas)).toBe('{ type: OtherKind [name: string]: unknown }')
})

test('supports recursive schemas', () => {
  const schemas = { Tree: { type: 'object', properties: { next: { $ref: '#/components/schemas/Tree' } } } }
  expect(write({ $ref: '#/components/schemas/Tree' }, 'write', schemas)).toBe('Tree')
})

test('comments in request types include limits and defaults', () => {
  const days: Schema = { type: 'integer', description: 'Days.', minimum: 1, default: 7 }
  const schemas: Schemas = { Days: days }
  const schema: Schema = {
    type: 'object',
    properties: { own: { ...days, maximum: 31 }, referred: { ...refer('Days'), description: 'Days there.' } },
  }
  expect(write(schema, 'write', schemas)).toBe(
    '{ /** Days. 1 to 31, default 7. */ own?: number | undefined /** Days there. At least 1, default 7. */ referred?: Days | undefined }',
  )
  expect(write(schema, 'read', schemas)).toBe(
    '{ /** Days. */ own?: number /** Days there. */ referred?: Days }',
  )
  const parameter = {
    name: 'days',
    in: 'query',
    description: 'Days asked for.',
    schema: refer('Days'),
  } as const
  expect(parameterDoc(parameter, schemas)).toBe('/** Days asked for. At least 1, default 7. */\n')
})
