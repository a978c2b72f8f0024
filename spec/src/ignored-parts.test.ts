import { expect, test } from 'vitest'
import { ignoredPartsOf, readOnlyFields } from './ignored-parts.ts'
import type { OpenApiDocument, Operation, Schema } from './model.ts'

const schemas: Record<string, Schema> = {
  Links: { type: 'array', readOnly: true },
  Item: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string' }, note: { type: 'string' } },
  },
  Choice: {
    anyOf: [{ $ref: '#/components/schemas/Flag' }, { $ref: '#/components/schemas/Item' }],
    discriminator: { propertyName: 'kind', mapping: { flag: '#/components/schemas/Flag' } },
  },
  Flag: { type: 'object', properties: { on: { type: 'boolean' }, note: { type: ['string', 'null'] } } },
  Request: {
    type: 'object',
    additionalProperties: false,
    required: ['name'],
    properties: {
      name: { type: 'string' },
      size: { type: 'integer' },
      comment: { type: ['string', 'null'] },
      any: {},
      items: { type: 'array', items: { $ref: '#/components/schemas/Item' } },
      choice: { $ref: '#/components/schemas/Choice' },
    },
  },
  Resource: {
    allOf: [{ properties: { id: { type: 'string', readOnly: true } } }],
    properties: {
      name: { type: 'string' },
      kept: { type: 'string' },
      created: { $ref: '#/components/schemas/Links' },
      links: { $ref: '#/components/schemas/Links', readOnly: false },
    },
  },
}

const operation: Operation = {
  operationId: 'change',
  summary: '',
  description: '',
  tags: [],
  'x-strength': 'stated',
  'x-source': '',
  requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Request' } } } },
  responses: {
    200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Resource' } } } },
    400: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } } },
  },
}

const document: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: '', version: '' },
  servers: [],
  security: [],
  tags: [],
  paths: {},
  components: { schemas, parameters: {}, responses: {}, headers: {}, securitySchemes: {} },
}

const withoutIgnored = (body: unknown): unknown => {
  ignoredPartsOf(document, operation)(body)
  return body
}

test('the read-only fields of the returned resource are ignored, directly and through references', () => {
  expect(readOnlyFields(document, operation)).toEqual(['created', 'id'])
})

test('an operation without a body ignores nothing', () => {
  const { requestBody: _, ...without } = operation
  expect(readOnlyFields(document, without)).toEqual([])
})

test('removes read-only fields at the top level, regardless of their value', () => {
  expect(withoutIgnored({ name: 'a', id: 7, created: null, any: { id: 1 } })).toEqual({
    name: 'a',
    any: { id: 1 },
  })
})

test('keeps fields that are unknown, or that this operation does not write', () => {
  expect(withoutIgnored({ name: 'a', kept: 'b', other: 1 })).toEqual({ name: 'a', kept: 'b', other: 1 })
})

test('removes null from optional fields at every depth', () => {
  const body = { name: 'a', size: null, items: [{ kind: 'k', note: null }] }
  expect(withoutIgnored(body)).toEqual({ name: 'a', items: [{ kind: 'k' }] })
})

test.each([
  ['is required', { name: null }],
  ['allows null', { name: 'a', comment: null }],
  ['allows any value', { name: 'a', any: null }],
  ['is unknown', { name: 'a', other: null }],
  ['is within an open field', { name: 'a', any: { note: null } }],
  ['is an array element', { name: 'a', items: [null] }],
  ['is required within an element', { name: 'a', items: [{ kind: null }] }],
])('keeps null if the field %s', (_, body) => {
  expect(withoutIgnored(structuredClone(body))).toEqual(body)
})

test('the discriminator selects the schema of the field', () => {
  expect(withoutIgnored({ name: 'a', choice: { kind: 'flag', note: null, on: null } })).toEqual({
    name: 'a',
    choice: { kind: 'flag', note: null },
  })
})

test.each([null, 7, 'text', [null]])('leaves %j as it is', (body) => {
  expect(withoutIgnored(body)).toEqual(body)
})
