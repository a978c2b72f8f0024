import { limits } from '@svc-admin/types'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bareDatabase } from '../databases.ts'
import { demoSecrets, newest, projectId } from '../demo.ts'
import { digestHeader, nonceOf } from '../digest-client.ts'
import { type ServerProcess, startProcess } from '../server-process.ts'
import { bearerOf, ownerAccount, requestToken } from '../token.ts'

/** Three servers that only share a database. Each of them must immediately see the others' changes. */
let servers: readonly ServerProcess[] = []
beforeAll(async () => {
  const database = await bareDatabase()
  servers = await Promise.all([1, 2, 3].map(() => startProcess(database)))
})
afterAll(() => Promise.all(servers.map((server) => server.kill())))
beforeEach(() => at(0).control('POST', '/reset'))

const at = (index: number): ServerProcess => {
  const server = servers[index % servers.length]
  if (!server) throw new Error('No server')
  return server
}
const group = `/groups/${projectId}`
const configs = `${group}/alertConfigs`
const json = { eventTypeName: 'HOST_DOWN', enabled: true, notifications: [] }
const everywhere = <T>(times: number, ask: (server: ServerProcess, index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, index) => ask(at(index), index)))

describe('a nonce', () => {
  const uri = `/api/svc/v2${configs}`
  const send = async (server: ServerProcess, nonce: string, count: number) => {
    const secret = demoSecrets.get('orgowner') ?? ''
    const authorization = digestHeader({ username: 'orgowner', secret, nonce, method: 'GET', uri, count })
    return (await fetch(server.url + uri, { headers: { authorization, accept: newest } })).status
  }
  const issued = async (server: ServerProcess) =>
    nonceOf((await fetch(server.url + uri)).headers.get('www-authenticate'))

  it('issued by one is accepted once by another, and rejected by the third when it is replayed', async () => {
    const nonce = await issued(at(0))
    expect(await send(at(1), nonce, 1)).toBe(200)
    expect(await send(at(2), nonce, 1)).toBe(401)
    expect(await send(at(0), nonce, 1)).toBe(401)
    expect(await send(at(2), nonce, 2)).toBe(200)
  })

  it('replayed to all of them concurrently is accepted by one', async () => {
    const nonce = await issued(at(1))
    const responses = await everywhere(30, (server) => send(server, nonce, 1))
    expect(responses.filter((status) => status === 200)).toHaveLength(1)
  })
})

describe('an earlier nonce', () => {
  const uri = `/api/svc/v2${configs}`
  const challenge = async (server: ServerProcess, nonce?: string) => {
    const secret = demoSecrets.get('orgowner') ?? ''
    const authorization = nonce && digestHeader({ username: 'orgowner', secret, nonce, method: 'GET', uri })
    const headers = { accept: newest, ...(authorization ? { authorization } : {}) }
    return (await fetch(server.url + uri, { headers })).headers.get('www-authenticate')
  }

  it.each([
    ['a rewind', (_: string) => at(1).control('PUT', '/clock', { advanceSeconds: -1 })],
    ['a restore', (id: string) => at(1).control('POST', `/snapshots/${id}/restore`)],
    ['a reset', () => at(1).control('POST', '/reset')],
  ])('is stale in all after %s in one', async (_, turn) => {
    // Stop the clock, so that restoring a snapshot changes the contents without setting the clock back.
    await at(1).control('PUT', '/clock', { rate: 0 })
    const taken = await at(1).control('POST', '/snapshots')
    const nonces = await everywhere(3, async (server) => nonceOf(await challenge(server)))
    await turn(taken.textAt('id'))
    const responses = await everywhere(3, (server, index) => challenge(server, nonces[(index + 1) % 3]))
    for (const response of responses) expect(response).toContain('stale=true')
    const again = nonceOf(responses[0] ?? '')
    expect(await challenge(at(2), again)).toBeNull()
  })
})

describe('a token', () => {
  it('issued by one is accepted by all until it expires on the shared clock', async () => {
    const headers = { authorization: await bearerOf(at(0).url), accept: newest }
    const use = (server: ServerProcess) => fetch(`${server.url}/api/svc/v2${configs}`, { headers })
    expect((await everywhere(3, use)).map(({ status }) => status)).toEqual([200, 200, 200])
    await at(1).control('PUT', '/clock', { advanceSeconds: 3600 })
    expect((await everywhere(3, use)).map(({ status }) => status)).toEqual([401, 401, 401])
  })

  it('is limited to the same rate across all of them', async () => {
    const { maximum } = limits.tokenRequests
    const responses = await everywhere(maximum * 2, ({ url }) => requestToken(url))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(maximum)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(maximum)
    // Failed attempts count too, so a client must not get more attempts by using the other servers.
    const wrong = { ...ownerAccount, clientSecret: 'wrong' }
    const failed = await everywhere(3, ({ url }) => requestToken(url, wrong))
    expect(failed.map(({ status }) => status)).toEqual([429, 429, 429])
  })
})

describe('the clock', () => {
  it('set in one is returned by all, and advanced by concurrent requests to all', async () => {
    await at(0).control('PUT', '/clock', { now: '2030-01-01T00:00:00.000Z', rate: 0 })
    await everywhere(9, (server) => server.control('PUT', '/clock', { advanceSeconds: 60 }))
    const told = await everywhere(3, (server) => server.control('GET', '/clock'))
    for (const { body } of told) expect(body).toEqual({ now: '2030-01-01T00:09:00.000Z', rate: 0 })
  })
})

describe('a transition mode', () => {
  it('set in one applies in all', async () => {
    const { status } = await at(0).control('PUT', '/transitions', {
      'search-index': { mode: 'immediate' },
    })
    expect(status).toBe(200)
    const seen = await everywhere(3, async (server, index) => {
      const json = {
        database: 'sales',
        collectionName: 'orders',
        name: `at-once-${index}`,
        definition: { mappings: { dynamic: true } },
      }
      const created = await server.ask(`${group}/clusters/orders-eu/search/indexes`, { method: 'POST', json })
      const path = `${group}/clusters/orders-eu/search/indexes/${created.at('indexID')}`
      return (await at(index + 1).ask(path)).at('status')
    })
    expect(seen).toEqual(['READY', 'READY', 'READY'])
  })

  it('by reads: enough reads in one cause the transition in all', async () => {
    await at(0).control('PUT', '/transitions', { snapshot: { mode: 'reads', reads: 1 } })
    const snapshots = `${group}/clusters/orders-global/backup/snapshots`
    const id = (await at(0).ask(snapshots, { method: 'POST', json: {} })).textAt('id')
    const seenBy = async (index: number) =>
      (await at(index).ask(`${snapshots}/shardedCluster/${id}`)).at('status')
    expect([await seenBy(0), await seenBy(0), await seenBy(1)]).toEqual([
      'queued',
      'inProgress',
      'inProgress',
    ])
    expect([await seenBy(1), await seenBy(2), await seenBy(0)]).toEqual([
      'completed',
      'completed',
      'completed',
    ])
    await at(0).control('PUT', '/transitions', { snapshot: { mode: 'described' } })
  })
})

const rounds = 5

describe('the passing of time', () => {
  it('opens an alert in all at the same time, and notifies once', async () => {
    await at(0).control('PUT', '/clock', { now: '2030-01-01T00:00:00.000Z', rate: 0 })
    const notifications = [
      { typeName: 'EMAIL', emailAddress: 'a@svc.example', delayMin: 10, intervalMin: 10 },
    ]
    await at(1).ask(configs, { method: 'POST', json: { ...json, notifications } })
    const event = { groupId: projectId, eventTypeName: 'HOST_DOWN', clusterName: 'orders-eu' }
    const alertId = (await at(2).control('POST', '/events', event)).textAt('alerts', 0)
    for (let round = 0; round < rounds; round += 1) {
      await at(round).control('PUT', '/clock', { advanceSeconds: 600 })
      const seen = await everywhere(12, (server) => server.ask(`${group}/alerts/${alertId}`))
      expect(seen.map((one) => one.at('status'))).toEqual(seen.map(() => 'OPEN'))
    }
    const outbox = (await at(0).control('GET', '/outbox')).listAt('notifications')
    const moments = outbox.filter((one) => one.alertId === alertId).map(({ sent }) => sent)
    expect(new Set(moments).size).toBe(moments.length)
    expect(moments).toHaveLength(rounds)
  })

  it('takes a scheduled snapshot once', async () => {
    await at(0).control('PUT', '/clock', { now: '2030-01-01T00:00:00.000Z', rate: 0 })
    const list = `${group}/clusters/orders-eu/backup/snapshots?itemsPerPage=${limits.itemsPerPage.maximum}`
    await at(0).ask(list)
    for (let round = 0; round < rounds; round += 1) {
      await at(round).control('PUT', '/clock', { advanceSeconds: 86_400 })
      await everywhere(12, (server) => server.ask(list))
    }
    const results = (await at(0).ask(list)).listAt('results')
    const scheduled = results.filter(({ snapshotType }) => snapshotType === 'scheduled')
    const moments = scheduled.map(({ createdAt }) => createdAt)
    expect(moments.length).toBeGreaterThanOrEqual(rounds)
    expect(new Set(moments).size).toBe(moments.length)
  })

  it('and one condition reported to all concurrently raise one alert', async () => {
    await at(1).ask(configs, { method: 'POST', json })
    const event = { groupId: projectId, eventTypeName: 'HOST_DOWN', clusterName: 'orders-eu' }
    const raised = await everywhere(12, (server) => server.control('POST', '/events', event))
    expect(raised.map(({ status }) => status)).toEqual(raised.map(() => 200))
    expect(new Set(raised.map((one) => String(one.at('alerts'))))).toHaveLength(1)
  })
})

describe('a world restored in one', () => {
  it('has nothing of the time before, even with concurrent requests', async () => {
    await at(0).control('PUT', '/clock', { now: '2030-01-01T00:00:00.000Z', rate: 0 })
    const event = { groupId: projectId, eventTypeName: 'HOST_DOWN' }
    await at(0).ask(configs, { method: 'POST', json })
    const snapshot = (await at(0).control('POST', '/snapshots')).textAt('id')
    const restore = () => at(0).control('POST', `/snapshots/${snapshot}/restore`)
    for (let round = 0; round < rounds; round += 1) {
      await at(0).control('PUT', '/clock', { advanceSeconds: 86_400 })
      const told = everywhere(12, (server, index) =>
        server.control('POST', '/events', { ...event, clusterName: `${index}` }),
      )
      expect((await restore()).status).toBe(200)
      expect((await told).map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200))
      const all = await at(1).ask(`${group}/alerts?itemsPerPage=${limits.itemsPerPage.maximum}`)
      const isAhead = (created: unknown) => String(created) > '2030-01-01T00:00:00Z'
      expect(all.listAt('results').filter(({ created }) => isAhead(created))).toEqual([])
      await restore()
    }
  })
})

describe('concurrent changes', () => {
  it('give a name to one of the callers', async () => {
    const create = (server: ServerProcess) =>
      server.ask(`${group}/clusters/orders-eu/search/indexes`, {
        method: 'POST',
        json: {
          database: 'sales',
          collectionName: 'orders',
          name: 'wanted',
          definition: { mappings: { dynamic: true } },
        },
      })
    const statuses = (await everywhere(30, create)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(29)
  })

  it('take one on-demand snapshot at a time', async () => {
    const take = (server: ServerProcess) =>
      server.ask(`${group}/clusters/orders-eu/backup/snapshots`, {
        method: 'POST',
        json: { description: 'now', retentionInDays: 1 },
      })
    const statuses = (await everywhere(12, take)).map(({ status }) => status)
    expect(statuses.filter((status) => status < 300)).toHaveLength(1)
    expect(new Set(statuses.filter((status) => status >= 300))).toEqual(new Set([409]))
  })

  it('are visible in all once they are acknowledged', async () => {
    const made = await everywhere(30, async (server, index) => {
      const created = await server.ask(configs, { method: 'POST', json })
      const path = `${configs}/${created.at('id')}`
      return (await at(index + 1).ask(path)).status
    })
    expect(made).toEqual(made.map(() => 200))
  })
})
