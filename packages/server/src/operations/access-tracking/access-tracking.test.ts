import { limits } from '@svc-admin/types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CheckedServer, projectId, startUntilStopped } from '../../../test/checked-server.ts'

const byCluster = `/groups/${projectId}/dbAccessHistory/clusters`
const byHost = `/groups/${projectId}/dbAccessHistory/processes`
const host = 'orders-eu-shard-00-00.db.svc.example'
const at = (second: number) => `2026-02-01T00:00:0${second}Z`
const ms = (second: number) => Date.parse(at(second))

let server: CheckedServer
beforeAll(async () => {
  server = await startUntilStopped()
  const entries = [1, 2, 3, 4].map((second) => ({
    timestamp: at(second),
    authResult: second % 2 === 0,
    ipAddress: second === 4 ? '203.0.113.4' : '203.0.113.1',
    hostname: second === 1 ? host : 'orders-eu-shard-00-01.db.svc.example',
  }))
  await server.control('POST', '/access-logs', { groupId: projectId, clusterName: 'orders-eu', entries })
})
afterAll(() => server.stop())

async function seconds(query: string, path = `${byCluster}/orders-eu`): Promise<number[]> {
  const logs = (await server.ask(`${path}?start=${ms(0)}&end=${ms(9)}${query}`)).at('accessLogs')
  return Array.isArray(logs) ? logs.map((log) => (Date.parse(log.timestamp) - ms(0)) / 1000) : []
}

describe('the access history', () => {
  it('lists the newest attempts first', async () => {
    expect(await seconds('')).toEqual([4, 3, 2, 1])
  })

  it('lists all attempts if no period is given', async () => {
    const logs = (await server.ask(`${byCluster}/orders-eu`)).at('accessLogs')
    expect(Array.isArray(logs) && logs.length).toBeGreaterThan(4)
  })

  it.each([
    ['&authResult=true', [4, 2]],
    ['&authResult=false', [4, 3, 2, 1]],
    ['&ipAddress=203.0.113.4', [4]],
    ['&ipAddress=203.0.113.9', []],
    ['&nLogs=2', [4, 3]],
    ['&nLogs=0', []],
    ['&authResult=true&nLogs=1', [4]],
  ])('with %s lists the attempts of the seconds %j', async (query, expected) => {
    expect(await seconds(query)).toEqual(expected)
  })

  it('includes both ends of the period', async () => {
    const logs = (await server.ask(`${byCluster}/orders-eu?start=${ms(2)}&end=${ms(3)}`)).at('accessLogs')
    expect(logs).toMatchObject([{ timestamp: at(3) }, { timestamp: at(2) }])
  })

  it('of a host lists only the attempts against it', async () => {
    expect(await seconds('', `${byHost}/${host}`)).toEqual([1])
  })

  it.each([
    ['start=1', ['end']],
    ['end=1', ['start']],
    ['start=2&end=1', ['start', 'end']],
    ['start=1.5&end=2', ['start']],
    ['start=1e3&end=2000', ['start']],
    ['nLogs=-1', ['nLogs']],
    [`nLogs=${limits.nLogs.maximum + 1}`, ['nLogs']],
    ['nLogs=', ['nLogs']],
    ['authResult=yes', ['authResult']],
    ['authResult=True', ['authResult']],
    ['ipAddress=::1', ['ipAddress']],
    ['ipAddress=256.1.1.1', ['ipAddress']],
    ['authResult=true&authResult=true', ['authResult']],
    ['unheard=1', ['unheard']],
    ['status=OPEN', ['status']],
  ])('returns 400 for %s and names %j', async (query, parameters) => {
    for (const path of [`${byCluster}/orders-eu`, `${byHost}/${host}`]) {
      const refused = await server.ask(`${path}?${query}`)
      expect(refused.body).toMatchObject({ errorCode: 'VALIDATION_ERROR', parameters })
    }
  })

  it.each(['tryout-free', 'tryout-small', 'tryout-medium'])('is not available for %s', async (name) => {
    const refused = await server.ask(`${byCluster}/${name}`)
    const told = { error: 400, errorCode: 'TIER_NOT_SUPPORTED' }
    expect(refused.body).toMatchObject({ ...told, parameters: ['clusterName'] })
    const ofHost = await server.ask(`${byHost}/${name}-shard-00-00.db.svc.example`)
    expect(ofHost.body).toMatchObject({ ...told, parameters: ['hostname'] })
  })

  it('validates the query before the tier', async () => {
    const refused = await server.ask(`${byCluster}/tryout-free?start=1`)
    expect(refused.at('errorCode')).toBe('VALIDATION_ERROR')
  })

  it('returns 404 for a cluster or host of another project', async () => {
    for (const path of [`${byCluster}/nobody`, `${byCluster}/menus`, `${byHost}/nobody.svc.example`]) {
      expect((await server.ask(path)).body).toMatchObject({ error: 404, errorCode: 'RESOURCE_NOT_FOUND' })
    }
  })
})
