import { expect, test } from 'vitest'
import type { ErrorCodeFact, Facts, OpenApiDocument, Operation, VersionFact } from '../src/model.ts'
import { attachErrors } from './errors.ts'
import { attachHeaders } from './headers.ts'
import { readFacts } from './sources.ts'

const facts = readFacts()
const versionOf = (generation: string): VersionFact => {
  const version = facts.versions.find((one) => one.generation === generation)
  return version ?? expect.fail(`there is no ${generation}`)
}
const row = (status: number, appliesTo: string): ErrorCodeFact => {
  const [first] = Object.values(facts.errorCodes)
  return first ? { ...first, status, appliesTo, when: `${appliesTo}.` } : expect.fail('there are no codes')
}
const catalogue: Facts = {
  ...facts,
  errorCodes: {
    EVERY: row(400, 'every'),
    BODY: row(400, 'body'),
    V2: row(406, 'v2'),
    V2_BODY: row(415, 'v2Body'),
    ROLE: row(403, 'role'),
    PATH: row(404, 'pathParameters'),
    SUNSET: row(410, 'sunset'),
    DECLARED: row(409, 'declared'),
    NONE: row(400, 'none'),
  },
}

const parameters = { id: { name: 'id', in: 'path' as const, schema: {} } }
const body = { content: {} }

/** Returns a document with one operation and its error responses. */
const attached = (
  changes: Partial<Operation>,
  generation = 'v2',
  isApi = true,
): [Operation, OpenApiDocument] => {
  const operation: Operation = {
    operationId: 'do',
    summary: '',
    description: '',
    tags: [],
    responses: {},
    'x-strength': 'stated' as const,
    'x-source': '1',
    ...(isApi && { 'x-roles': ['PROJECT_OWNER'] }),
    ...changes,
  }
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: { title: '', version: '1' },
    servers: [],
    tags: [],
    security: [],
    paths: { '/a': { get: operation } },
    components: { schemas: {}, parameters, responses: {}, headers: {}, securitySchemes: {} },
  }
  attachErrors(document, versionOf(generation), catalogue)
  return [operation, document]
}

test.each([
  ['without special properties', {}, 'v2', ['EVERY', 'V2', 'ROLE']],
  ['in the older generation', {}, 'v1.0', ['EVERY', 'ROLE']],
  ['for any role', { 'x-roles': ['ANY'] }, 'v2', ['EVERY', 'V2']],
  ['with a body', { requestBody: body }, 'v2', ['EVERY', 'BODY', 'V2', 'V2_BODY', 'ROLE']],
  ['with a body, in the older generation', { requestBody: body }, 'v1.0', ['EVERY', 'BODY', 'ROLE']],
  ['with a parameter', { parameters: [parameters.id] }, 'v1.0', ['EVERY', 'ROLE', 'PATH']],
  [
    'with a parameter elsewhere',
    { parameters: [{ ...parameters.id, $ref: '#/components/parameters/id', in: 'query' as const }] },
    ...(['v1.0', ['EVERY', 'ROLE', 'PATH']] as const),
  ],
  ['with a sunset', { 'x-deprecation': { date: '1', sunset: '2' } }, 'v1.0', ['EVERY', 'ROLE', 'SUNSET']],
  ['deprecated without a sunset', { 'x-deprecation': { date: '1' } }, 'v1.0', ['EVERY', 'ROLE']],
  ['that declares a code', { 'x-errors': ['DECLARED'] }, 'v1.0', ['EVERY', 'ROLE', 'DECLARED']],
])('an operation %s has the codes that apply to it', (_, changes, generation, codes) => {
  const [operation] = attached(changes, generation)
  expect(operation['x-errors']).toEqual(codes)
  const statuses = new Set(codes.map((code) => String(catalogue.errorCodes[code]?.status)))
  expect(new Set(Object.keys(operation.responses))).toEqual(statuses)
})

test('the token endpoint has none of these codes', () => {
  expect(attached({}, 'v2', false)[0].responses).toEqual({})
})

test('shared responses are components, with a separate one for operations with a body', () => {
  const [operation, { components }] = attached({})
  expect(operation.responses['400']?.$ref).toBe('#/components/responses/BadRequest')
  expect(components.responses.BadRequest?.['x-error-codes']).toEqual(['EVERY'])
  const [withBody, document] = attached({ requestBody: body })
  expect(withBody.responses['400']?.$ref).toBe('#/components/responses/BadRequestBody')
  expect(document.components.responses.BadRequestBody?.['x-error-codes']).toEqual(['EVERY', 'BODY'])
})

test('a code that no operation returns is only an example of its status', () => {
  const { BadRequest } = attached({})[1].components.responses
  expect(Object.keys(BadRequest?.content?.['application/json']?.examples ?? {})).toEqual(['EVERY', 'NONE'])
  expect([BadRequest?.description, BadRequest?.['x-error-codes']]).toEqual(['every.', ['EVERY']])
  const failure = { code: 'EVERY', detail: 'The cluster is called otherwise.' }
  const own = attached({ 'x-failure': failure })[0].responses['400']?.content?.['application/json']
  expect(own?.examples?.NONE?.value).toMatchObject({ error: 400, errorCode: 'NONE' })
})

test('an operation with a typical error has its own response with that example', () => {
  const failure = { code: 'EVERY', detail: 'The cluster is called otherwise.' }
  const [operation] = attached({ 'x-failure': failure })
  const content = operation.responses['400']?.content?.['application/json']
  expect(content?.examples?.EVERY?.value).toMatchObject({ errorCode: 'EVERY', detail: failure.detail })
  // `x-failure` contains the error that the documentation shows for the operation.
  expect(operation['x-failure']).toEqual(failure)
})

test('adds headers to the responses that they apply to', () => {
  const namesAt = (changes: Partial<Operation>, generation: string, on: string, isApi = true) => {
    const [operation, document] = attached({ ...changes, responses: { 200: {} } }, generation, isApi)
    attachHeaders(document, generation, { X: { on, schema: {} } }, new Map())
    const responses = Object.entries(operation.responses).map(([status, response]) => {
      const name = response.$ref?.split('/').at(-1)
      return [status, name === undefined ? response : document.components.responses[name]] as const
    })
    return responses.flatMap(([status, response]) => (response?.headers?.X ? [status] : []))
  }
  const gone = { deprecated: true, 'x-deprecation': { date: '1', sunset: '2', successor: 'do@2' } }
  const later = { deprecated: true, 'x-deprecation': { date: '1', successor: 'another' } }
  expect(namesAt({}, 'v2', 'v2Success')).toEqual(['200'])
  expect(namesAt({}, 'v1.0', 'v2Success')).toEqual([])
  expect(namesAt({}, 'v2', 'v2Success', false)).toEqual([])
  expect(namesAt(gone, 'v2', 'sunset')).toEqual(['200'])
  expect(namesAt(later, 'v2', 'sunset')).toEqual([])
  expect(namesAt(gone, 'v2', 'successor')).toEqual(['200'])
  expect(namesAt(later, 'v2', 'successor')).toEqual(['200'])
  expect(namesAt({}, 'v2', '200, 403')).toEqual(['200', '403'])
  expect(namesAt({}, 'v2', '200', false)).toEqual([])
})
