import type { OpenApiDocument, Schema } from '@svc-admin/spec'
import { describe, expect, test } from 'vitest'
import { createTypeWriter, type Direction } from './schema-type.ts'

function write(schema: Schema, direction: Direction = 'read', schemas: Record<string, Schema> = {}): string {
  const empty = { parameters: {}, responses: {}, headers: {}, securitySchemes: {} }
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: { title: 'test', version: '1' },
    servers: [],
    security: [],
    tags: [],
    paths: {},
    components: { ...empty, schemas },
  }
  return createTypeWriter(document).type(schema, direction).replace(/\s+/g, ' ')
}

describe('the type of a schema', () => {
  test.each<[string, Schema, string]>([
    ['text', { type: 'string' }, 'string'],
    ['a number', { type: 'integer' }, 'number'],
    ['one of several kinds', { type: ['string', 'null'] }, 'string | null'],
    ['a closed enumeration', { type: 'string', enum: ['a', "it's"] }, "'a' | 'it\\'s'"],
    ['an open enumeration', { type: 'string', 'x-known-values': ['a', 'b'] }, "'a' | 'b' | (string & {})"],
    ['an open list of numbers', { type: 'integer', 'x-known-values': [1, 2] }, '1 | 2 | (number & {})'],
    ['a constant', { const: 'x' }, "'x'"],
    ['a list of a union', { type: 'array', items: { enum: ['a', 'b'] } }, "('a' | 'b')[]"],
    ['a choice', { oneOf: [{ type: 'string' }, { type: 'boolean' }] }, 'string | boolean'],
    ['a combination', { allOf: [{ type: 'string' }, { enum: ['a', 'b'] }] }, "string & ('a' | 'b')"],
    ['anything', {}, 'unknown'],
    ['a free object', { type: 'object' }, '{ [name: string]: unknown }'],
    ['a map', { type: 'object', additionalProperties: { type: 'number' } }, '{ [name: string]: number }'],
    ['an empty closed object', { type: 'object', additionalProperties: false }, '{ }'],
  ])('of %s', (_, schema, expected) => {
    expect(write(schema)).toBe(expected)
  })

  test('of an object tells what may be left out, and quotes odd names', () => {
    const schema: Schema = {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'string', description: 'The first.' }, 'x-b': { type: 'number' } },
    }
    expect(write(schema)).toBe("{ /** The first. */ a: string 'x-b'?: number }")
  })
})

describe('fields of one direction', () => {
  const schemas: Record<string, Schema> = {
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

  test('are left out in the other', () => {
    const hook = schemas.Hook ?? {}
    expect(write(hook, 'read', schemas)).toBe('{ id?: string }')
    expect(write(hook, 'write', schemas)).toBe('{ secret?: string }')
  })

  test('make two named types of whatever holds them, and of nothing else', () => {
    const named = (component: string, direction: Direction): string =>
      write({ $ref: `#/components/schemas/${component}` }, direction, schemas)
    expect([named('Config', 'read'), named('Config', 'write')]).toEqual(['Config', 'ConfigInput'])
    expect([named('Plain', 'read'), named('Plain', 'write')]).toEqual(['Plain', 'Plain'])
  })
})

test('a schema that refers to itself comes to an end', () => {
  const schemas = { Tree: { type: 'object', properties: { next: { $ref: '#/components/schemas/Tree' } } } }
  expect(write({ $ref: '#/components/schemas/Tree' }, 'write', schemas)).toBe('Tree')
})
