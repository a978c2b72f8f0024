import { describe, expect, it } from 'vitest'
import { type CheckedServer, projectId, startChecked } from '../../../test/checked-server.ts'
import { downgrade } from '../../../test/demo.ts'

const cluster = `/groups/${projectId}/clusters/orders-eu`
const indexes = `${cluster}/search/indexes`
const orders = `${indexes}/sales/orders`
const ready = `${indexes}/66d2b3c40f3a5d6e7f80c001`
const vector = `${indexes}/66d2b3c40f3a5d6e7f80c002`
const broken = `${indexes}/66d2b3c40f3a5d6e7f80c003`

const definition = { mappings: { dynamic: true } }

const create = (server: CheckedServer, change: Record<string, unknown> = {}) =>
  server.ask(indexes, {
    method: 'POST',
    json: { database: 'sales', collectionName: 'orders', name: 'fresh', definition, ...change },
  })
const update = (server: CheckedServer, path: string, latest: unknown) =>
  server.ask(path, { method: 'PATCH', json: { definition: latest } })
const remove = (server: CheckedServer, path: string) => server.ask(path, { method: 'DELETE' })
const wait = (server: CheckedServer, seconds: number) =>
  server.control('PUT', '/clock', { advanceSeconds: seconds })
const fail = (server: CheckedServer, path: string, message?: string) =>
  server.control('POST', '/search-indexes/fail', {
    groupId: projectId,
    clusterName: 'orders-eu',
    indexId: path.split('/').at(-1),
    message,
  })

async function made(server: CheckedServer, change?: Record<string, unknown>): Promise<string> {
  return `${indexes}/${(await create(server, change)).textAt('indexID')}`
}

async function seen(server: CheckedServer, path: string): Promise<unknown[]> {
  const index = await server.ask(path)
  return [index.at('status'), index.at('queryable')]
}

async function names(server: CheckedServer, path: string): Promise<string[]> {
  const { body } = await server.ask(path)
  return Array.isArray(body) ? body.map((one) => one.name) : []
}

describe('a Search index', () => {
  it('is returned as sent, and found by ID and by name', async () => {
    const server = await startChecked()
    const created = await create(server)
    expect([created.status, created.body]).toMatchObject([
      201,
      {
        database: 'sales',
        collectionName: 'orders',
        name: 'fresh',
        type: 'search',
        latestDefinition: definition,
        latestDefinitionVersion: { version: 1, createdAt: '2026-03-01T12:00:00Z' },
      },
    ])
    const byId = await server.ask(`${indexes}/${created.textAt('indexID')}`)
    expect(byId.body).toEqual(created.body)
    expect((await server.ask(`${orders}/fresh`)).body).toEqual(created.body)
    expect(created.textAt('links', 0, 'href')).toBe(
      `${server.url}/api/svc/v2${indexes}/${created.textAt('indexID')}`,
    )
  })

  it('is pending, then building, then ready and queryable', async () => {
    const server = await startChecked()
    const path = await made(server)
    expect(await seen(server, path)).toEqual(['PENDING', false])
    await wait(server, 2)
    expect(await seen(server, path)).toEqual(['BUILDING', false])
    await wait(server, 10)
    expect(await seen(server, path)).toEqual(['READY', true])
    expect((await server.ask(path)).at('statusDetail')).toEqual(
      ['00', '01', '02'].map((host) => ({
        hostname: `orders-eu-shard-00-${host}.db.svc.example`,
        status: 'READY',
        queryable: true,
      })),
    )
  })

  it('shows the status of its synonyms', async () => {
    const server = await startChecked()
    const synonyms = [{ name: 'carriers', source: { collection: 'c' } }, { source: { collection: 'd' } }]
    const path = await made(server, { definition: { ...definition, synonyms } })
    expect((await server.ask(path)).body).toMatchObject({
      synonymMappingStatus: 'BUILDING',
      synonymMappingStatusDetail: [{ carriers: { status: 'BUILDING', queryable: false } }],
    })
    await wait(server, 12)
    expect((await server.ask(path)).at('synonymMappingStatus')).toBe('READY')
    await remove(server, path)
    expect((await server.ask(path)).at('synonymMappingStatus')).toBeUndefined()
  })

  it('requires a definition', async () => {
    const server = await startChecked()
    const refused = await create(server, { definition: undefined })
    expect(refused.body).toMatchObject({ error: 400, parameters: ['/definition'] })
  })

  it('can be a vector index, and have unknown fields', async () => {
    const server = await startChecked()
    const latest = {
      fields: [{ type: 'vector', path: 'v', numDimensions: 3, similarity: 'cosine' }],
      later: 1,
    }
    const created = await create(server, { type: 'vectorSearch', definition: latest })
    expect(created.body).toMatchObject({ type: 'vectorSearch', latestDefinition: latest })
  })

  it.each([['x'], [[1]], [{}]])('has fields that are objects in an array, and not %j', async (fields) => {
    const server = await startChecked()
    const path = await made(server)
    for (const refused of [
      await create(server, { definition: { fields } }),
      await create(server, { type: 'vectorSearch', definition: { fields } }),
      await update(server, path, { fields }),
    ])
      expect(refused.body).toMatchObject({
        errorCode: 'VALIDATION_ERROR',
        parameters: [Array.isArray(fields) ? '/definition/fields/0' : '/definition/fields'],
      })
    expect((await update(server, path, { fields: [{ anything: 1 }] })).status).toBe(200)
  })

  it('has custom analyzers with the same rules as for a cluster', async () => {
    const server = await startChecked()
    const of = (...analyzerNames: string[]) =>
      create(server, {
        definition: { analyzers: analyzerNames.map((name) => ({ name, tokenizer: { type: 'standard' } })) },
      })
    expect((await of('lucene.mine')).at('errorCode')).toBe('VALIDATION_ERROR')
    expect((await of('mine', 'mine')).body).toMatchObject({
      errorCode: 'DUPLICATE_NAME',
      parameters: ['/definition/analyzers/1/name'],
    })
    expect((await of('mine', 'yours')).status).toBe(201)
  })

  it("fails if it can't be built, and shows the reason", async () => {
    const server = await startChecked()
    const path = await made(server)
    await wait(server, 2)
    expect((await fail(server, path, 'No such field.')).body).toEqual({ status: 'FAILED' })
    await wait(server, 1000)
    expect((await server.ask(path)).body).toMatchObject({
      status: 'FAILED',
      queryable: false,
      statusDetail: [{ message: 'No such field.' }, {}, {}],
    })
    expect((await fail(server, path)).status).toBe(409)
    expect((await fail(server, ready)).status).toBe(409)
    expect((await fail(server, `${indexes}/66d2b3c40f3a5d6e7f80cfff`)).status).toBe(404)
  })

  it('can fail while it is pending', async () => {
    const server = await startChecked()
    const path = await made(server)
    await fail(server, path)
    expect(await seen(server, path)).toEqual(['FAILED', false])
  })
})

describe('the name of a Search index', () => {
  it('is unique in a collection across both formats', async () => {
    const server = await startChecked()
    await create(server)
    const expected = { error: 409, errorCode: 'DUPLICATE_NAME', parameters: ['/name'] }
    expect((await create(server)).body).toMatchObject(expected)
    const older = { database: 'sales', collectionName: 'orders', name: 'fresh' }
    const refused = await server.ask(`${cluster}/fts/indexes`, { method: 'POST', json: older })
    expect(refused.body).toMatchObject(expected)
  })

  it('can be reused in another collection, database or cluster', async () => {
    const server = await startChecked()
    for (const change of [{}, { collectionName: 'products' }, { database: 'archive' }]) {
      expect((await create(server, change)).status).toBe(201)
    }
    const elsewhere = `/groups/${projectId}/clusters/orders-global/search/indexes`
    const json = { database: 'sales', collectionName: 'orders', name: 'fresh', definition }
    expect((await server.ask(elsewhere, { method: 'POST', json })).status).toBe(201)
  })

  it('is taken until the index is deleted', async () => {
    const server = await startChecked()
    const path = await made(server)
    await remove(server, path)
    await wait(server, 4)
    expect((await create(server)).status).toBe(409)
    await wait(server, 1)
    const again = await create(server)
    expect(again.status).toBe(201)
    expect(again.textAt('indexID')).not.toBe(path.split('/').at(-1))
  })

  it('can contain characters that need escaping in a path', async () => {
    const server = await startChecked()
    const name = 'a/b c%ü'
    await create(server, { name, collectionName: 'x.y$z' })
    const found = await server.ask(
      `${indexes}/sales/${encodeURIComponent('x.y$z')}/${encodeURIComponent(name)}`,
    )
    expect([found.status, found.at('name')]).toEqual([200, name])
  })

  it('goes to one of two concurrent requests', async () => {
    const server = await startChecked()
    const statuses = (await Promise.all([1, 2, 3, 4].map(() => create(server)))).map((one) => one.status)
    expect(statuses.sort()).toEqual([201, 409, 409, 409])
  })
})

describe.each([
  ['by identifier', ready],
  ['by name', `${orders}/default`],
])('an update %s', (_, path) => {
  it('builds the new definition under a higher version, and remains queryable in the meantime', async () => {
    const server = await startChecked()
    const latest = { analyzer: 'lucene.english', mappings: { dynamic: false } }
    const updated = await update(server, path, latest)
    expect([updated.status, updated.body]).toMatchObject([
      200,
      {
        status: 'BUILDING',
        queryable: true,
        latestDefinition: latest,
        latestDefinitionVersion: { version: 2 },
      },
    ])
    expect(updated.at('latestDefinition')).toEqual(latest)
    expect((await server.ask(path)).body).toEqual(updated.body)
    await wait(server, 10)
    expect(await seen(server, path)).toEqual(['READY', true])
  })

  it('accepts a vector definition', async () => {
    const server = await startChecked()
    const latest = { fields: [{ type: 'filter', path: 'country' }] }
    expect((await update(server, path, latest)).at('latestDefinition')).toEqual(latest)
  })

  it('requires a valid definition', async () => {
    const server = await startChecked()
    const absent = await server.ask(path, { method: 'PATCH', json: {} })
    expect(absent.body).toMatchObject({ error: 400, parameters: ['/definition'] })
    expect((await update(server, path, { analyzer: 5 })).status).toBe(400)
    expect((await server.ask(path)).at('latestDefinitionVersion', 'version')).toBe(1)
  })

  it('is rejected while the index is being deleted, and returns 404 afterwards', async () => {
    const server = await startChecked()
    await remove(server, path)
    expect((await update(server, path, definition)).at('errorCode')).toBe('INVALID_STATE')
    await wait(server, 5)
    expect((await update(server, path, definition)).at('errorCode')).toBe('RESOURCE_NOT_FOUND')
  })
})

describe('an update', () => {
  it('that fails leaves the index queryable with its previous definition', async () => {
    const server = await startChecked()
    await update(server, ready, definition)
    await fail(server, ready)
    expect(await seen(server, ready)).toEqual(['FAILED', true])
  })

  it('rebuilds a failed index, which is then queryable', async () => {
    const server = await startChecked()
    await update(server, broken, definition)
    expect(await seen(server, broken)).toEqual(['BUILDING', false])
    expect((await server.ask(broken)).at('statusDetail', 0, 'message')).toBeUndefined()
    await wait(server, 10)
    expect(await seen(server, broken)).toEqual(['READY', true])
  })
})

describe.each([
  ['by identifier', ready],
  ['by name', `${orders}/default`],
])('a deletion %s', (_, path) => {
  it('is visible for a while, not queryable, and then finished', async () => {
    const server = await startChecked()
    const removed = await remove(server, path)
    expect([removed.status, removed.text]).toEqual([204, ''])
    expect(await seen(server, path)).toEqual(['DELETING', false])
    expect(await names(server, indexes)).toContain('default')
    await wait(server, 5)
    expect((await server.ask(path)).status).toBe(404)
    expect(await names(server, indexes)).not.toContain('default')
    expect((await remove(server, path)).status).toBe(404)
  })

  it('that is requested twice takes no longer', async () => {
    const server = await startChecked()
    await remove(server, path)
    await wait(server, 4)
    expect((await remove(server, path)).status).toBe(204)
    await wait(server, 1)
    expect((await server.ask(path)).status).toBe(404)
  })
})

describe('lists of Search indexes', () => {
  it("contain the cluster's indexes, oldest first, each with a link to itself", async () => {
    const server = await startChecked()
    await create(server)
    expect(await names(server, indexes)).toEqual(['default', 'embeddings', 'carriers', 'fresh'])
    const { body } = await server.ask(indexes)
    expect(body).toMatchObject([
      { links: [{ href: `${server.url}/api/svc/v2${ready}`, rel: 'self' }] },
      {},
      {},
      {},
    ])
  })

  it('contain only the indexes of the collection', async () => {
    const server = await startChecked()
    await create(server)
    await create(server, { database: 'archive' })
    expect(await names(server, orders)).toEqual(['default', 'fresh'])
    expect((await server.ask(`${indexes}/sales/nothing`)).body).toEqual([])
  })

  it('are wrapped in an envelope as results', async () => {
    const server = await startChecked()
    const { body } = await server.ask(`${orders}?envelope=true`)
    expect(body).toMatchObject({ status: 200, results: [{ name: 'default' }] })
  })
})

describe('Search', () => {
  it('returns 404 for an index of another cluster or project', async () => {
    const server = await startChecked()
    const elsewhere = ready.replace('orders-eu', 'orders-global')
    for (const path of [elsewhere, `${indexes}/66d2b3c40f3a5d6e7f80c021`, `${orders}/nothing`]) {
      expect((await server.ask(path)).at('errorCode')).toBe('RESOURCE_NOT_FOUND')
      expect((await remove(server, path)).status).toBe(404)
      expect((await update(server, path, definition)).status).toBe(404)
    }
  })

  it('requires database version 4.2, which is checked after the resource is found', async () => {
    const server = await startChecked()
    const old = (path: string) => path.replace('orders-eu', 'orders-archive')
    const codesOf = async (path: string) => [
      (await server.ask(path)).at('errorCode'),
      (await update(server, path, definition)).at('errorCode'),
      (await remove(server, path)).at('errorCode'),
    ]
    for (const path of [indexes, orders]) {
      expect((await server.ask(old(path))).at('errorCode')).toBe('TIER_NOT_SUPPORTED')
    }
    const named = [ready, `${orders}/default`]
    for (const path of named)
      expect(new Set(await codesOf(old(path)))).toEqual(new Set(['RESOURCE_NOT_FOUND']))
    await downgrade(server, 'orders-eu')
    for (const path of named) expect(new Set(await codesOf(path))).toEqual(new Set(['TIER_NOT_SUPPORTED']))
  })

  it('shows a vector index with its version', async () => {
    const server = await startChecked()
    expect((await server.ask(vector)).body).toMatchObject({
      type: 'vectorSearch',
      latestDefinitionVersion: { version: 3, createdAt: '2025-10-12T13:05:44Z' },
    })
  })

  it('can be read by roles that read data and changed by roles that administer it', async () => {
    const server = await startChecked()
    expect((await server.ask(ready, { as: 'datarwrt' })).status).toBe(200)
    expect((await server.ask(ready, { as: 'readonly' })).status).toBe(403)
    expect((await server.ask(ready, { as: 'datarwrt', method: 'DELETE' })).status).toBe(403)
    expect((await server.ask(ready, { as: 'dataadmn', method: 'DELETE' })).status).toBe(204)
  })
})
