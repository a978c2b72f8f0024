import { limits } from '@svc-admin/types'
import { describe, expect, it } from 'vitest'
import { projectId, startChecked } from '../../test/checked-server.ts'

const analyzers = `/groups/${projectId}/clusters/orders-eu/fts/analyzers`

describe('a validation error', () => {
  it.each([
    ['charFilters', 'htmlStrip, icuNormalize, mapping, persian'],
    ['tokenFilters', /^asciiFolding, daitchMokotoffSoundex, .*, wordDelimiterGraph$/],
  ])('lists the types of %s once', async (name, kinds) => {
    const server = await startChecked()
    const json = [{ name: 'x', tokenizer: {}, [name]: [{ type: 'unheard' }] }]
    const refused = await server.ask(analyzers, { method: 'PUT', json })
    expect(refused.at('parameters')).toEqual([`/0/${name}/0/type`])
    const [, listed] = /^The field \S+ must be one of (.*)\.$/.exec(refused.textAt('detail')) ?? []
    expect(listed).toMatch(kinds)
  })

  it.each([
    ['without a type', [{}], '/0/tokenFilters/0/type', 'is required'],
    ['that is not an object', [5], '/0/tokenFilters/0', 'must be an object'],
    [
      'with an invalid field for its type',
      [{ type: 'length', min: 'a' }],
      '/0/tokenFilters/0/min',
      'must be an integer',
    ],
  ])('for a token filter %s has one pointer', async (_, tokenFilters, pointer, why) => {
    const server = await startChecked()
    const json = [{ name: 'x', tokenizer: {}, tokenFilters }]
    const refused = await server.ask(analyzers, { method: 'PUT', json })
    expect(refused.body).toMatchObject({ detail: `The field ${pointer} ${why}.`, parameters: [pointer] })
  })

  it.each([[5], [null], [{}]])('for an open enum with the value %j requires a string', async (typeName) => {
    const server = await startChecked()
    const one = async (notifications: unknown[]) => {
      const json = { eventTypeName: 'HOST_DOWN', enabled: true, notifications }
      const refused = await server.ask(`/groups/${projectId}/alertConfigs`, { method: 'POST', json })
      return [refused.status, refused.at('detail')]
    }
    expect(await one([{ typeName }])).toEqual([400, 'The field /notifications/0/typeName must be a string.'])
    expect(await one([...Array(600).fill({ typeName: 'CARRIER_PIGEON' }), { typeName }])).toEqual([
      400,
      'The field /notifications/600/typeName must be a string.',
    ])
  })

  it('for one of two schemas reports only the errors of the intended one', async () => {
    const server = await startChecked()
    const index = `/groups/${projectId}/clusters/orders-eu/search/indexes/sales/orders/default`
    const json = { definition: { mappings: 5 } }
    const refused = await server.ask(index, { method: 'PATCH', json })
    expect(refused.body).toMatchObject({
      detail: 'The field /definition/mappings must be an object.',
      parameters: ['/definition/mappings'],
    })
  })

  it.each(['::1', '1.2.3'])('for the address %s names the format', async (address) => {
    const server = await startChecked()
    const history = `/groups/${projectId}/dbAccessHistory/clusters/orders-eu`
    const refused = await server.ask(`${history}?ipAddress=${address}`)
    expect(refused.at('detail')).toBe('The query parameter ipAddress must have the format ipv4.')
  })

  it.each([
    [
      `/groups/${projectId}/clusters/-a/fts/analyzers`,
      'The path parameter clusterName must have the format of orders-eu (Name of a cluster within its project).',
    ],
    [
      `/groups/${'G'.repeat(24)}/alerts`,
      'The path parameter groupId must have the format of 64b7e1c20f3a5d6e7f809101 (Twenty-four lowercase hexadecimal characters).',
    ],
    [
      `/groups/${projectId}/dbAccessHistory/clusters/orders-eu?ipAddress=1.2.3.400`,
      'The query parameter ipAddress must have the format ipv4.',
    ],
  ])('for %s explains the pattern', async (path, detail) => {
    const server = await startChecked()
    expect((await server.ask(path)).at('detail')).toBe(detail)
  })

  it.each([
    [
      `?itemsPerPage=${limits.itemsPerPage.maximum + 1}`,
      `itemsPerPage must be at most ${limits.itemsPerPage.maximum}`,
    ],
    ['?pageNum=0', 'pageNum must be at least 1'],
    ['?pageNum=first', 'pageNum must be an integer'],
    ['?includeCount=yes', 'includeCount must be a boolean'],
    ['?status=GONE', 'status must be one of OPEN, TRACKING, CLOSED'],
  ])('for the query %s lists the accepted values', async (query, why) => {
    const server = await startChecked()
    const refused = await server.ask(`/groups/${projectId}/alerts${query}`)
    expect(refused.at('detail')).toBe(`The query parameter ${why}.`)
  })

  const index = { database: 'sales', collectionName: 'orders', name: 'fresh', definition: {} }
  const specs = [{}, {}]
  it.each([
    ['search/indexes', { ...index, name: '' }, '/name must have at least 1 character'],
    [
      'search/indexes',
      { ...index, name: 'a'.repeat(limits.name.maxLength + 1) },
      `/name must have at most ${limits.name.maxLength} characters`,
    ],
    ['search/indexes', { ...index, name: 5 }, '/name must be a string'],
    ['search/indexes', { ...index, definition: [] }, '/definition must be an object'],
    [
      'search/indexes',
      { ...index, definition: { storedSource: 5 } },
      '/definition/storedSource must be a boolean or an object',
    ],
    ['search/deployment', { specs }, '/specs must have exactly 1 element'],
    ['search/deployment', { specs: 'one' }, '/specs must be an array'],
    ['search/deployment', { specs: [{}], size: 1 }, '/size is unknown'],
    ['search/deployment', {}, '/specs is required'],
    ['backup/snapshots', { retentionInDays: 0 }, '/retentionInDays must be at least 1'],
  ])('for a body of %s, %j, describes what is accepted', async (path, json, why) => {
    const server = await startChecked()
    const cluster = `/groups/${projectId}/clusters/orders-eu`
    const refused = await server.ask(`${cluster}/${path}`, { method: 'POST', json })
    expect(refused.at('detail')).toBe(`The field ${why}.`)
  })

  it('for an invalid email address names the format', async () => {
    const server = await startChecked()
    const path = `/groups/${projectId}/backupCompliancePolicy`
    const refused = await server.ask(path, { method: 'PUT', json: { authorizedEmail: 'nobody' } })
    expect(refused.at('detail')).toBe('The field /authorizedEmail must be an email address.')
  })

  it('for a timestamp shows the format', async () => {
    const server = await startChecked()
    const path = `/groups/${projectId}/alerts/67a1b2c30f3a5d6e7f80a001`
    const refused = await server.ask(path, { method: 'PATCH', json: { acknowledgedUntil: 'tomorrow' } })
    expect(refused.at('detail')).toBe(
      'The field /acknowledgedUntil must have the format of 2026-03-01T12:00:00Z (An ISO 8601 timestamp with an offset).',
    )
  })

  it('for an unknown field points to the field or its parent', async () => {
    const server = await startChecked()
    const pointersOf = async (json: unknown) => {
      const path = `/groups/${projectId}/alertConfigs`
      const refused = await server.ask(path, { method: 'POST', json })
      expect(refused.status).toBe(400)
      return [refused.at('parameters'), refused.textAt('detail')]
    }
    const config = { eventTypeName: 'HOST_DOWN', notifications: [] }
    const long = 'k'.repeat(2000)
    expect(await pointersOf({ ...config, [`${long}/~`]: 1 })).toEqual([
      [`/${long}~1~0`],
      `The field /${'k'.repeat(299)}… is unknown.`,
    ])
    expect(await pointersOf({ ...config, [long.repeat(3)]: 1 })).toEqual([
      [''],
      'The body contains an invalid field whose name is too long to show.',
    ])
  })

  it.each([
    ['{"typeName":"ORG","d":1e400}', '/notifications/0/d', 'a number outside the range'],
    ['{"typeName":"ORG","__proto__":{"a":1}}', '/notifications/0/__proto__', 'a field named __proto__'],
  ])('for %s has a pointer to it', async (notification, pointer, why) => {
    const server = await startChecked()
    const body = `{"eventTypeName":"HOST_DOWN","notifications":[${notification}]}`
    const refused = await server.ask(`/groups/${projectId}/alertConfigs`, { method: 'POST', body })
    expect([refused.status, refused.at('parameters')]).toEqual([400, [pointer]])
    expect(refused.at('detail')).toMatch(why)
  })
})
