import { describe, expect, it } from 'vitest'
import { type CheckedServer, projectId, startChecked } from '../../../test/checked-server.ts'

const indexes = `/groups/${projectId}/clusters/orders-eu/search/indexes`
const create = (server: CheckedServer, collectionName = 'orders') =>
  server.ask(indexes, {
    method: 'POST',
    json: { database: 'sales', collectionName, name: 'fresh', definition: { mappings: { dynamic: true } } },
  })

describe('the name of a deleted Search index', () => {
  const inMode = async (mode: Record<string, unknown>) => {
    const server = await startChecked()
    await server.control('PUT', '/transitions', { 'search-index': mode })
    const path = `${indexes}/${(await create(server)).textAt('indexID')}`
    await server.ask(path, { method: 'DELETE' })
    return { server, path }
  }

  it('is free as soon as the index is deleted', async () => {
    const { server, path } = await inMode({ mode: 'immediate' })
    expect((await server.ask(path)).status).toBe(404)
    expect((await create(server)).status).toBe(201)
  })

  it('is taken until then, however long that takes', async () => {
    const { server, path } = await inMode({ mode: 'manual' })
    await server.control('PUT', '/clock', { advanceSeconds: 6 })
    expect((await create(server, 'other')).status).toBe(201)
    expect((await server.ask(path)).at('status')).toBe('DELETING')
    const refused = await create(server)
    expect([refused.status, refused.at('errorCode')]).toEqual([409, 'DUPLICATE_NAME'])
    await server.control('POST', '/transitions/advance', { machine: 'search-index' })
    expect((await create(server)).status).toBe(201)
  })
})
