import { describe, expect, it } from 'vitest'
import {
  type CheckedServer,
  projectId,
  type RequestOptions,
  startChecked,
} from '../../../test/checked-server.ts'

const cluster = `/groups/${projectId}/clusters/orders-eu`
const fts = `${cluster}/fts/indexes`
const indexes = `${cluster}/search/indexes`
const oldest = 'application/vnd.svc.2023-01-01+json'

const asked = (json: Record<string, unknown>): RequestOptions => ({
  method: 'POST',
  accept: oldest,
  contentType: oldest,
  json: { database: 'sales', collectionName: 'invoices', name: 'fresh', ...json },
})
const create = (server: CheckedServer, json: Record<string, unknown> = {}) => server.ask(fts, asked(json))
const createV1 = (server: CheckedServer, json: Record<string, unknown> = {}) =>
  server.askV1(fts, { ...asked(json), accept: undefined, contentType: 'application/json' })
const list = (server: CheckedServer, collection: string) =>
  server.ask(`${fts}/sales/${collection}`, { accept: oldest })
const wait = (server: CheckedServer, seconds: number) =>
  server.control('PUT', '/clock', { advanceSeconds: seconds })

const defaults = { type: 'search', analyzer: 'lucene.standard', numPartitions: 1, status: 'IN_PROGRESS' }

describe('an index in the older format', () => {
  it('has defaults for omitted fields', async () => {
    const server = await startChecked()
    const created = await create(server)
    expect([created.status, created.body]).toMatchObject([
      200,
      {
        ...defaults,
        database: 'sales',
        collectionName: 'invoices',
        name: 'fresh',
        searchAnalyzer: 'lucene.standard',
        storedSource: false,
      },
    ])
    expect(created.headers.get('deprecation')).toMatch(/^@\d+$/)
  })

  it('is returned as sent', async () => {
    const server = await startChecked()
    const sent = {
      analyzer: 'lucene.swedish',
      searchAnalyzer: 'lucene.english',
      numPartitions: 4,
      analyzers: [{ name: 'mine', tokenizer: { type: 'standard' }, tokenFilters: [{ type: 'lowercase' }] }],
      mappings: { dynamic: false, fields: { note: { type: 'string' } }, later: 1 },
      storedSource: { include: ['note'] },
      synonyms: [{ name: 's', analyzer: 'lucene.swedish', source: { collection: 'c' }, later: 1 }],
    }
    expect((await create(server, sent)).body).toMatchObject(sent)
    expect((await create(server, { name: 'all', storedSource: true })).at('storedSource')).toBe(true)
  })

  it('has one analyzer in v1.0', async () => {
    const server = await startChecked()
    const created = await createV1(server, { analyzer: 'lucene.thai' })
    expect([created.status, created.body]).toMatchObject([200, { ...defaults, analyzer: 'lucene.thai' }])
    expect(created.at('searchAnalyzer')).toBeUndefined()
    const refused = await createV1(server, { name: 'other', searchAnalyzer: 'lucene.thai' })
    expect(refused.body).toMatchObject({ error: 400, parameters: ['/searchAnalyzer'] })
  })

  it('links to itself, except in v1.0', async () => {
    const server = await startChecked()
    const created = await createV1(server)
    const place = created.textAt('links', 0, 'href').replace(`${server.url}/api/svc/v2`, '')
    expect((await server.ask(place)).at('indexID')).toBe(created.at('indexID'))
  })

  it.each([
    ['analyzer', 'lucene.klingon'],
    ['searchAnalyzer', 'mine'],
    ['numPartitions', 3],
    ['later', 1],
  ])('rejects %s %j', async (field, value) => {
    const server = await startChecked()
    const refused = await create(server, { [field]: value })
    expect(refused.body).toMatchObject({ errorCode: 'VALIDATION_ERROR', parameters: [`/${field}`] })
  })

  it('has custom analyzers with different names', async () => {
    const server = await startChecked()
    const analyzers = ['mine', 'mine'].map((name) => ({ name, tokenizer: {} }))
    expect((await create(server, { analyzers })).body).toMatchObject({
      errorCode: 'DUPLICATE_NAME',
      parameters: ['/analyzers/1/name'],
    })
  })

  it('is the same index in later versions', async () => {
    const server = await startChecked()
    const created = await create(server, { mappings: { dynamic: true } })
    const later = await server.ask(`${indexes}/sales/invoices/fresh`)
    expect(later.body).toMatchObject({
      indexID: created.at('indexID'),
      latestDefinition: { analyzer: 'lucene.standard', mappings: { dynamic: true }, numPartitions: 1 },
    })
    expect(created.at('links', 0)).toEqual(later.at('links', 0))
  })

  it('requires a cluster with Search', async () => {
    const server = await startChecked()
    const on = (name: string) => server.ask(fts.replace('orders-eu', name), asked({}))
    expect((await on('orders-archive')).at('errorCode')).toBe('TIER_NOT_SUPPORTED')
    expect((await on('nowhere')).at('errorCode')).toBe('RESOURCE_NOT_FOUND')
  })
})

describe('the list of a collection in the older format', () => {
  it('contains the same indexes as the newer one, whichever format created them', async () => {
    const server = await startChecked()
    await create(server)
    const json = { database: 'sales', collectionName: 'invoices', name: 'newer', definition: {} }
    await server.ask(indexes, { method: 'POST', json })
    await create(server, { collectionName: 'others' })
    const listed = await list(server, 'invoices')
    expect(listed.body).toMatchObject([
      { ...defaults, name: 'fresh' },
      { ...defaults, name: 'newer' },
    ])
    const newer = (await server.ask(`${indexes}/sales/invoices`)).body
    expect(Array.isArray(newer) && newer.map((one) => one.links)).toEqual([
      listed.at(0, 'links'),
      listed.at(1, 'links'),
    ])
    expect((await list(server, 'nothing')).body).toEqual([])
  })

  it('shows the settings of an index in the newer format, although the older one accepts others only', async () => {
    const server = await startChecked()
    const definition = { numPartitions: 3, analyzer: 'mine', searchAnalyzer: 'yours' }
    const json = { database: 'sales', collectionName: 'invoices', name: 'newer', definition }
    await server.ask(indexes, { method: 'POST', json })
    expect((await list(server, 'invoices')).at(0)).toMatchObject(definition)
  })

  it('shows the state of an index in the words of the older format', async () => {
    const server = await startChecked()
    const id = (await create(server)).textAt('indexID')
    const status = async (collection: string) => (await list(server, collection)).at(0, 'status')
    await wait(server, 2)
    expect(await status('invoices')).toBe('IN_PROGRESS')
    await wait(server, 10)
    expect(await status('invoices')).toBe('STEADY')
    await server.ask(`${indexes}/${id}`, { method: 'PATCH', json: { definition: {} } })
    expect(await status('invoices')).toBe('IN_PROGRESS')
    await server.ask(`${indexes}/${id}`, { method: 'DELETE' })
    expect(await status('invoices')).toBe('DELETING')
    await wait(server, 5)
    expect((await list(server, 'invoices')).body).toEqual([])
    expect(await status('shipments')).toBe('FAILED')
  })

  it('shows no settings of a vector index', async () => {
    const server = await startChecked()
    const [index] = [(await list(server, 'products')).at(0)]
    expect(index).toMatchObject({ name: 'embeddings', type: 'vectorSearch', status: 'STEADY' })
    expect(index).not.toHaveProperty('analyzer')
    expect(index).not.toHaveProperty('fields')
  })
})
