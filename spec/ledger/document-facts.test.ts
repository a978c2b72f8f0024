import { expect, test } from 'vitest'
import type { OpenApiDocument } from '../src/model.ts'
import { documentFacts } from './document-facts.ts'

const document: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  servers: [],
  security: [],
  tags: [],
  paths: {
    '/alerts/{alertId}': {
      parameters: [{ name: 'alertId', in: 'path', required: true, schema: { type: 'string' } }],
      patch: {
        operationId: 'changeAlert',
        summary: 'Change',
        description: 'Changes.',
        tags: ['Alerts'],
        'x-strength': 'stated',
        'x-source': '4.4',
        'x-roles': ['PROJECT_OWNER'],
        parameters: [{ $ref: '#/components/parameters/pretty', name: '', in: 'query', schema: {} }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Alert' } } },
        },
        responses: {
          '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Alert' } } } },
        },
      },
    },
  },
  components: {
    schemas: {
      Alert: {
        type: 'object',
        additionalProperties: false,
        required: ['comment'],
        properties: { comment: { $ref: '#/components/schemas/Comment', description: 'Said.' } },
      },
      Comment: { type: 'string', maxLength: 200, examples: ['Seen.'] },
    },
    parameters: { pretty: { name: 'pretty', in: 'query', schema: { type: 'boolean', default: false } } },
    responses: {},
    headers: {},
    securitySchemes: {},
  },
}

const facts = documentFacts(document)

test('an operation has its method, path, parameters, body and roles', () => {
  expect(facts.get('operation:changeAlert')).toMatchObject({
    method: 'PATCH',
    path: '/alerts/{alertId}',
    pathParameters: ['alertId'],
    query: ['pretty'],
    deprecated: false,
  })
  expect(facts.get('role:changeAlert')).toEqual({ roles: ['PROJECT_OWNER'] })
  expect(facts.get('body:changeAlert')).toMatchObject({ schema: 'Alert', required: true })
  expect(facts.get('response:changeAlert')).toMatchObject({ status: 200, schema: 'Alert' })
  expect(facts.get('parameter:changeAlert.pretty')).toMatchObject({
    in: 'query',
    default: false,
    required: false,
  })
})

test('a field has the keywords of the schema that it references', () => {
  expect(facts.get('schema:Alert')).toMatchObject({
    properties: ['comment'],
    requires: ['comment'],
    closed: true,
  })
  expect(facts.get('schema:Alert.comment')).toMatchObject({ ref: 'Comment', maxLength: 200, required: true })
})

test('descriptions and examples are not facts', () => {
  expect(facts.get('schema:Comment')).toEqual({ type: 'string', maxLength: 200, closed: false })
})
