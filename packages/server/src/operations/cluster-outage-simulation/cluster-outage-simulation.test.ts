import { describe, expect, it } from 'vitest'
import { type CheckedServer, projectId, startChecked } from '../../../test/checked-server.ts'

const end = (server: CheckedServer, clusterName: string) =>
  server.ask(`/groups/${projectId}/clusters/${clusterName}/outageSimulation`, { method: 'DELETE' })

const start = (server: CheckedServer, clusterName: string) =>
  server.control('POST', '/outage-simulations', {
    groupId: projectId,
    clusterName,
    outageFilters: [{ cloudProvider: 'AWS', regionName: 'EU_NORTH_1', type: 'REGION' }],
  })

const wait = (server: CheckedServer, seconds: number) =>
  server.control('PUT', '/clock', { advanceSeconds: seconds })

describe('ending an outage simulation', () => {
  it('starts the recovery of a running one', async () => {
    const server = await startChecked()
    const ended = await end(server, 'orders-global')
    expect([ended.status, ended.body]).toMatchObject([
      200,
      {
        id: '66d5e6f70f3a5d6e7f80f001',
        groupId: projectId,
        clusterName: 'orders-global',
        outageFilters: [{ cloudProvider: 'AWS', regionName: 'EU_WEST_1', type: 'REGION' }],
        startRequestDate: '2025-11-18T06:00:00Z',
        state: 'RECOVERY_REQUESTED',
      },
    ])
  })

  it('returns its current state if it takes no time', async () => {
    const server = await startChecked()
    await server.control('PUT', '/transitions', { 'outage-simulation': { mode: 'immediate' } })
    expect((await end(server, 'orders-global')).at('state')).toBe('COMPLETE')
    expect((await start(server, 'orders-eu')).body).toMatchObject({ state: 'SIMULATING' })
    expect((await end(server, 'orders-eu')).at('state')).toBe('COMPLETE')
  })

  it('is rejected during and after the recovery', async () => {
    const server = await startChecked()
    await end(server, 'orders-global')
    for (const seconds of [0, 5, 15, 1000]) {
      await wait(server, seconds)
      expect((await end(server, 'orders-global')).at('errorCode')).toBe('INVALID_STATE')
    }
  })

  it('is rejected while it starts, and accepted once it runs', async () => {
    const server = await startChecked()
    expect((await start(server, 'orders-eu')).body).toMatchObject({ state: 'START_REQUESTED' })
    for (const seconds of [0, 5, 14]) {
      await wait(server, seconds)
      expect((await end(server, 'orders-eu')).status).toBe(409)
    }
    await wait(server, 1)
    expect((await end(server, 'orders-eu')).body).toMatchObject({
      state: 'RECOVERY_REQUESTED',
      startRequestDate: '2026-03-01T12:00:00Z',
    })
  })

  it('returns 404 for a cluster that never had one, and for an unknown cluster', async () => {
    const server = await startChecked()
    for (const name of ['tryout-free', 'nowhere', 'menus']) {
      expect((await end(server, name)).at('errorCode')).toBe('RESOURCE_NOT_FOUND')
    }
  })

  it('requires the Project Owner role', async () => {
    const server = await startChecked()
    const path = `/groups/${projectId}/clusters/orders-global/outageSimulation`
    expect((await server.askV1(path, { method: 'DELETE', as: 'svcadmin' })).status).toBe(403)
    expect((await server.askV1(path, { method: 'DELETE', as: 'projownr' })).status).toBe(200)
  })
})

describe('starting an outage simulation through the control interface', () => {
  it('is rejected while another one is in progress', async () => {
    const server = await startChecked()
    expect((await start(server, 'orders-global')).status).toBe(409)
    await end(server, 'orders-global')
    await wait(server, 20)
    expect((await start(server, 'orders-global')).status).toBe(200)
  })

  it('requires an existing cluster', async () => {
    const server = await startChecked()
    expect((await start(server, 'nowhere')).status).toBe(404)
    expect((await server.control('POST', '/outage-simulations', { groupId: projectId })).status).toBe(400)
  })
})
