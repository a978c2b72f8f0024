import { describe, expect, it } from 'vitest'
import { type CheckedServer, projectId, startChecked } from '../../../test/checked-server.ts'
import { downgrade } from '../../../test/demo.ts'

const on = (name: string) => `/groups/${projectId}/clusters/${name}/search/deployment`
const nodes = on('orders-eu')
const specs = [{ instanceSize: 'S20_HIGHCPU_NVME', nodeCount: 2, later: 1 }]

const create = (server: CheckedServer, path = nodes, json: unknown = { specs }) =>
  server.ask(path, { method: 'POST', json })
const update = (server: CheckedServer, path = nodes, json: unknown = { specs }) =>
  server.ask(path, { method: 'PATCH', json })
const wait = (server: CheckedServer, seconds: number) =>
  server.control('PUT', '/clock', { advanceSeconds: seconds })

describe('Search nodes', () => {
  it('are created as specified, once', async () => {
    const server = await startChecked()
    const made = await create(server)
    expect([made.status, made.body]).toMatchObject([
      201,
      {
        groupId: projectId,
        specs,
        encryptionAtRestProvider: 'NONE',
        stateName: 'UPDATING',
        links: [{ href: `${server.url}/api/svc/v2${nodes}`, rel: 'self' }],
      },
    ])
    expect((await create(server)).at('errorCode')).toBe('INVALID_STATE')
    expect((await create(server, on('orders-global'))).at('errorCode')).toBe('INVALID_STATE')
  })

  it('are updated once they are idle, and keep their ID', async () => {
    const server = await startChecked()
    const id = (await create(server)).at('id')
    await wait(server, 14)
    expect((await update(server)).at('errorCode')).toBe('INVALID_STATE')
    await wait(server, 1)
    const other = [{ instanceSize: 'S30_LOWCPU_NVME', nodeCount: 3 }]
    const updated = await update(server, nodes, { specs: other })
    expect([updated.status, updated.body]).toMatchObject([200, { id, specs: other, stateName: 'UPDATING' }])
    expect((await update(server)).at('errorCode')).toBe('INVALID_STATE')
    await wait(server, 15)
    expect((await update(server)).status).toBe(200)
  })

  it("can't be updated on a cluster without any", async () => {
    const server = await startChecked()
    expect((await update(server)).at('errorCode')).toBe('RESOURCE_NOT_FOUND')
  })

  it('have exactly one specification', async () => {
    const server = await startChecked()
    for (const wrong of [[], [...specs, ...specs]]) {
      expect((await create(server, nodes, { specs: wrong })).body).toMatchObject({ parameters: ['/specs'] })
      expect((await update(server, on('orders-global'), { specs: wrong })).status).toBe(400)
    }
  })

  it('require a cluster with Search', async () => {
    const server = await startChecked()
    const code = async (ask: typeof create, cluster: string) =>
      (await ask(server, on(cluster))).at('errorCode')
    for (const ask of [create, update]) expect(await code(ask, 'nowhere')).toBe('RESOURCE_NOT_FOUND')
    expect(await code(create, 'orders-archive')).toBe('TIER_NOT_SUPPORTED')
    // If the resource doesn't exist and the cluster doesn't support search, the response reports the missing resource.
    expect(await code(update, 'orders-archive')).toBe('RESOURCE_NOT_FOUND')
    await downgrade(server, 'orders-global')
    expect(await code(update, 'orders-global')).toBe('TIER_NOT_SUPPORTED')
  })

  it('are created once by two concurrent requests', async () => {
    const server = await startChecked()
    const statuses = (await Promise.all([create(server), create(server)])).map((one) => one.status)
    expect(statuses.sort()).toEqual([201, 409])
  })

  it('require the Svc admin role', async () => {
    const server = await startChecked()
    const json = { specs }
    expect((await server.ask(nodes, { method: 'POST', json, as: 'dataadmn' })).status).toBe(403)
    expect((await server.ask(nodes, { method: 'POST', json, as: 'svcadmin' })).status).toBe(201)
  })
})
