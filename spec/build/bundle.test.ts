import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import type { OpenApiDocument, Operation, Response } from '../src/model.ts'
import { bundle } from './bundle.ts'
import { originsOf } from './origins.ts'
import { readYaml } from './read-yaml.ts'
import { readFacts } from './sources.ts'
import { operationsOf } from './walk.ts'

const facts = readFacts()
const dates = facts.versions.filter(({ generation }) => generation === 'v2').map(({ id }) => id)
const nameOf = (reference: string) => reference.split('/').at(-1) ?? ''
let documents = new Map<string, OpenApiDocument>()

beforeAll(async () => {
  documents = await bundle(facts.versions)
})

const operation = (version: string, id: string) => {
  const document = documents.get(version)
  return document
    ? [...operationsOf(document)].find((place) => place.operation.operationId === id)?.operation
    : undefined
}

describe.each(facts.versions)('the document of $id', ({ id, mediaType }) => {
  test('has no external references and no internal markers', () => {
    const text = JSON.stringify(documents.get(id))
    expect(text.match(/"\$ref":"(?!#\/)[^"]*"/)).toBeNull()
    expect(text.match(/"\$(demo|facts|pick|set|tokenError)"/)).toBeNull()
    expect(text).not.toContain('{facts/')
  })

  test('returns media types of its own generation, with no later date', () => {
    const document = documents.get(id)
    for (const { operation: each } of document ? operationsOf(document) : [])
      for (const [status, response] of Object.entries(each.responses))
        for (const type of Object.keys(response.content ?? {}))
          if (each['x-roles'] && status.startsWith('2'))
            expect(
              mediaType === 'application/json' ? type === mediaType : type <= mediaType,
              `${each.operationId} ${type}`,
            ).toBe(true)
  })

  test('has a success response and the common errors for every operation', () => {
    const document = documents.get(id)
    for (const { operation: each } of document ? operationsOf(document) : []) {
      const statuses = Object.keys(each.responses)
      expect(statuses.filter((status) => status.startsWith('2'))).toHaveLength(1)
      expect(statuses).toEqual(expect.arrayContaining(['400', '401', '403', '429', '500', '503']))
    }
  })
})

test('lists the version in which each path was last changed', () => {
  const origins = originsOf(facts.versions)
  for (const { id } of facts.versions)
    expect(Object.keys(origins[id] ?? {})).toEqual(Object.keys(documents.get(id)?.paths ?? {}))
  const alert = '/groups/{groupId}/alerts/{alertId}'
  for (const { id } of facts.versions)
    expect(origins[id]?.[alert]).toBe(id === 'v1.0' || id < '2024-05-30' ? '2023-01-01' : '2024-05-30')
  expect(origins['v1.0']?.['/groups/{groupId}/backup/exportBuckets']).toBe('v1.0')
  expect(origins['v1.0']?.['/api/oauth/token']).toBeNull()
})

test.each(facts.versions)('every operation of $id has examples of success and a typical error', ({ id }) => {
  const document = documents.get(id)
  const examplesOf = (response: Response) => {
    const { content = {} } = response.$ref
      ? (document?.components.responses[nameOf(response.$ref)] ?? {})
      : response
    return Object.values(content).flatMap(({ schema, examples = {} }) =>
      schema ? [Object.values(examples).length] : [],
    )
  }
  for (const { operation: each } of document ? operationsOf(document) : []) {
    const responses = Object.entries(each.responses)
    const shown = (isSuccess: boolean) =>
      responses
        .filter(([status]) => status < '300' === isSuccess)
        .flatMap(([, response]) => examplesOf(response))
    // Success responses without a body have no example. Every error has a body.
    expect(Math.min(1, ...shown(true)), each.operationId).toBe(1)
    expect(shown(false).length, each.operationId).toBeGreaterThan(0)
    expect(Math.min(...shown(false)), each.operationId).toBeGreaterThan(0)
    const bodies = Object.values(each.requestBody?.content ?? {})
    for (const { examples = {} } of bodies) expect(Object.keys(examples), each.operationId).not.toEqual([])
  }
})

test('every operation has a typical error with a sentence about the demo organization', () => {
  const folder = (name: string) => fileURLToPath(new URL(`../${name}/`, import.meta.url))
  const files = ['v1.0/paths', ...dates.map((date) => `v2/${date}/paths`)].flatMap((name) =>
    existsSync(folder(name)) ? readdirSync(folder(name)).map((file) => `${name}/${file}`) : [],
  )
  const operations = files.flatMap((file) => Object.values(readYaml<Record<string, Operation>>(file)))
  const described = operations.filter((each) => typeof each?.operationId === 'string')
  expect(described.length).toBeGreaterThan(77)
  for (const each of described) expect(each['x-failure']?.detail ?? '', each.operationId).toMatch(/\w .*\.$/)
})

test('a date resolves to the newest version of each operation that is not later', () => {
  const types = (version: string) =>
    Object.keys(operation(version, 'acknowledgeAlert')?.responses['200']?.content ?? {})
  expect(types('2023-01-01')).toEqual(['application/vnd.svc.2023-01-01+json'])
  expect(types('2025-03-12')).toEqual(['application/vnd.svc.2024-05-30+json'])
  expect(types('v1.0')).toEqual(['application/json'])
})

test('responses without a body have the media type of their version', () => {
  const contents = (version: string, id: string, status: string) =>
    operation(version, id)?.responses[status]?.content
  expect(contents('v1.0', 'cutoverMigration', '202')).toEqual({ 'application/json': {} })
  expect(contents('2025-03-12', 'deleteSearchIndex', '204')).toEqual({
    'application/vnd.svc.2024-05-30+json': {},
  })
})

test('examples of a version mismatch are possible for their operation', () => {
  const detail = (version: string, id: string) => {
    const [content] = Object.values(operation(version, id)?.responses['400']?.content ?? {})
    return Object(content?.examples?.VERSION_MISMATCH?.value).detail
  }
  expect(detail('2025-03-12', 'createAlertConfig')).toBe(
    'Accept resolves to version 2023-01-01, but Content-Type resolves to no version.',
  )
  expect(detail('2025-03-12', 'updateBackupSchedule')).toBe(
    'Accept resolves to version 2024-08-05, but Content-Type resolves to version 2023-01-01.',
  )
})

test('a replaced version is deprecated in its own generation only', () => {
  expect(operation('2023-01-01', 'acknowledgeAlert')?.deprecated).toBe(true)
  expect(operation('2024-05-30', 'acknowledgeAlert')?.deprecated).toBeUndefined()
  expect(operation('v1.0', 'acknowledgeAlert')?.deprecated).toBeUndefined()
  expect(Object.keys(operation('2023-01-01', 'acknowledgeAlert')?.responses['200']?.headers ?? {})).toEqual(
    expect.arrayContaining(['Deprecation', 'Link']),
  )
})

test('the description of a deprecated operation ends with its successor', () => {
  const expanded = (version: string, id: string) => operation(version, id)?.description.split('\n\n').slice(2)
  expect(expanded('2023-01-01', 'acknowledgeAlert')).toEqual([
    'Deprecated since 2024-05-30. Use version 2024-05-30 instead.',
  ])
  expect(expanded('v1.0', 'listServerlessSnapshots')).toEqual([
    'Deprecated since 2025-03-12, with a sunset on 2026-01-31. The successor is `listFlexBackups`, which is not part of these documents.',
  ])
  expect(expanded('v1.0', 'acknowledgeAlert')).toEqual([])
  expect(Object.keys(operation('v1.0', 'getServerlessSnapshot')?.responses['200']?.headers ?? {})).toEqual(
    expect.arrayContaining(['Deprecation', 'Sunset', 'Link']),
  )
})

test('a description ends with the required roles, except for a deprecation notice', () => {
  const paragraphs = (version: string, id: string) => operation(version, id)?.description.split('\n\n')
  const roles = 'Requires the Organization Owner or Project Owner role.'
  expect(paragraphs('v1.0', 'acknowledgeAlert')?.at(-1)).toBe(roles)
  expect(paragraphs('2023-01-01', 'acknowledgeAlert')?.at(-2)).toBe(roles)
  expect(paragraphs('v1.0', 'issueToken')).toHaveLength(1)
})

test('each deprecated operation has its own date and successor in its headers', () => {
  const shown = (version: string, id: string, name: string) =>
    operation(version, id)?.responses['200']?.headers?.[name]?.example
  expect(shown('2023-01-01', 'acknowledgeAlert', 'Deprecation')).toBe('@1717027200')
  expect(shown('2023-01-01', 'getBackupSchedule', 'Deprecation')).toBe('@1722816000')
  expect(shown('2025-03-12', 'listServerlessSnapshots', 'Deprecation')).toBe('@1741737600')
  expect(shown('2025-03-12', 'listServerlessSnapshots', 'Sunset')).toBe('Sat, 31 Jan 2026 00:00:00 GMT')
  const api = 'https://svc.example/api/svc'
  const cluster = '/groups/64b7e1c20f3a5d6e7f809101/clusters/orders-eu'
  const link = (address: string) => `<${api}${address}>; rel="successor-version"`
  expect(shown('2023-01-01', 'getBackupSchedule', 'Link')).toBe(link(`/v2${cluster}/backup/schedule`))
  expect(shown('v1.0', 'listServerlessSnapshots', 'Link')).toBe(link('/v1.0#listFlexBackups'))
  // The document for 2023-01-01 doesn't contain the successor, because the successor was added later.
  expect(operation('2023-01-01', 'createSearchIndex')).toBeUndefined()
  expect(shown('2023-01-01', 'createFtsIndex', 'Link')).toBe(link(`/v2${cluster}/search/indexes`))
})

test('an error code names the parameter that each operation has', () => {
  const named = (id: string) => {
    const [content] = Object.values(operation('2025-03-12', id)?.responses['400']?.content ?? {})
    return Object(content?.examples?.TIER_NOT_SUPPORTED?.value).parameters
  }
  expect(named('listAccessLogsByCluster')).toEqual(['clusterName'])
  expect(named('listAccessLogsByHostname')).toEqual(['hostname'])
  expect(named('createSearchNodes')).toEqual(['clusterName'])
  expect(named('updateAuditingConfig')).toEqual(['/enabled', '/auditFilter'])
})

test('an operation with a sunset has its date', () => {
  const ending = [...operationsOf(documents.get('2023-01-01') ?? expect.fail('there is no document'))]
    .map(({ operation: each }) => each)
    .filter((each) => each['x-deprecation']?.sunset)
  expect(ending.length).toBeGreaterThan(0)
  for (const each of ending) expect(each['x-sunset']).toBe(each['x-deprecation']?.sunset)
})

test('a document has exactly the tags of its operations', () => {
  for (const document of documents.values()) {
    const used = new Set([...operationsOf(document)].flatMap(({ operation: each }) => each.tags))
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(used)
  }
})

test('limits in schemas equal the facts', () => {
  const schema = documents.get('v1.0')?.components.schemas.AcknowledgementComment
  expect(schema?.maxLength).toBe(facts.limits.acknowledgementComment?.maxLength)
})

test('decided limits are marked in stated schemas only', () => {
  const schemas = documents.get('2025-03-12')?.components.schemas
  expect(schemas?.ClusterName?.['x-decided']).toEqual({
    minLength: 'decided: Bounds',
    maxLength: 'decided: Bounds',
  })
  expect(schemas?.Links?.['x-decided']).toEqual({
    minItems: 'decided: Envelope, pretty, paging',
    maxItems: 'decided: Bounds',
  })
  expect(schemas?.TotalCount?.['x-decided']).toMatchObject({
    format: 'decided: Inner shapes',
    maximum: 'decided: Inner shapes',
  })
  expect(schemas?.SearchAnalyzerName?.['x-decided']).not.toHaveProperty('pattern')
  expect(schemas?.CloudProviderAccessRole?.properties?.providerName?.['x-decided']).toEqual({
    enum: 'decided: Rules inside the data',
  })
  expect(schemas?.BucketName?.['x-decided']).toBeUndefined()
  expect(schemas?.Matcher?.properties?.value?.['x-decided']).toBeUndefined()
})

test('an operation lists its decided aspects', () => {
  expect(operation('v1.0', 'issueToken')?.['x-decided']).toBeUndefined()
  expect(operation('v1.0', 'listAccessLogsByCluster')?.['x-decided']).toEqual({
    success: 'decided: Operations',
  })
  const deprecated = (id: string) => Object.keys(operation('2023-01-01', id)?.['x-decided'] ?? {})
  expect(deprecated('acknowledgeAlert')).toEqual(['address', 'success', 'deprecation'])
  expect(deprecated('createFtsIndex')).toEqual(['address', 'success', 'deprecationDate'])
  expect(deprecated('getServerlessSnapshot')).toEqual(['address', 'success', 'deprecationDate', 'sunsetDate'])
  expect(operation('2024-05-30', 'createSearchNodes')?.['x-decided']).toMatchObject({
    address: 'decided: Operations',
    roles: 'decided: Authentication and roles',
  })
  // The specification source gives these operations' roles only for the other generation.
  const roles = 'decided: Authentication and roles'
  expect(operation('v1.0', 'getSnapshot')?.['x-decided']).toMatchObject({ roles })
  expect(operation('2023-01-01', 'getSnapshot')?.['x-decided']).not.toMatchObject({ roles })
  expect(JSON.stringify(documents.get('v1.0'))).not.toMatch(/x-stated|x-decided-in/)
})

test('documented variants do not match the schema for undocumented ones', () => {
  const { Notification, OtherNotification } = documents.get('v1.0')?.components.schemas ?? {}
  const kinds = Object.keys(Notification?.discriminator?.mapping ?? {})
  expect(kinds).toEqual(expect.arrayContaining(['EMAIL']))
  expect(OtherNotification?.properties?.typeName?.not).toEqual({ enum: kinds })
})

test('Retry-After is stated for the token endpoint and decided for other operations', () => {
  const { responses, headers } = documents.get('v1.0')?.components ?? {}
  const named = (name: string) => responses?.[name]?.headers?.['Retry-After']?.$ref?.split('/').at(-1)
  expect(
    ['TokenTooManyRequests', 'TokenUnavailable', 'TooManyRequests', 'ServiceUnavailable'].map(named),
  ).toEqual(['Retry-After-Token', 'Retry-After-Token', 'Retry-After', 'Retry-After'])
  expect(headers?.['Retry-After-Token']).toMatchObject({ 'x-strength': 'stated' })
  expect(headers?.['Retry-After']).toMatchObject({ 'x-strength': 'decided' })
})

test('an operation lists its error codes', () => {
  expect(operation('2025-03-12', 'listAccessLogsByCluster')?.['x-errors']).toContain('TIER_NOT_SUPPORTED')
  expect(operation('v1.0', 'listAlerts')?.['x-errors']).not.toContain('VERSION_MISMATCH')
  expect(operation('2025-03-12', 'listAlerts')?.['x-errors']).not.toContain('INVALID_JSON')
})
