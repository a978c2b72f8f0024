import { describe, expect, it } from 'vitest'
import { projectId, startChecked } from '../../test/checked-server.ts'

const serviceAccount = { id: 'svc_sa_orgowner', secret: 'svc_ss_demo01Qm3nJ7cT5pXh2dR8vKw01' }
const configs = `/groups/${projectId}/alertConfigs`

describe('a clock that goes back', () => {
  it('voids nonces when time runs backwards: they would be good a second time', async () => {
    const server = await startChecked()
    expect((await server.ask(configs)).status).toBe(200)
    await server.control('PUT', '/clock', { advanceSeconds: 24 * 3600 })
    expect((await server.ask(configs)).status).toBe(200)
    await server.control('PUT', '/clock', { advanceSeconds: -24 * 3600 })
    expect((await server.ask(configs)).status).toBe(200)
  })

  it('lets schedules, lifecycles and alerts go on from where its clock goes back to', async () => {
    const server = await startChecked()
    const ask = (path: string) => server.ask(`/groups/${projectId}${path}`)
    const event = { groupId: projectId, eventTypeName: 'HOST_DOWN' }
    const notifications = [{ typeName: 'SMS', delayMin: 60 }]
    const json = { eventTypeName: 'HOST_DOWN', enabled: true, notifications }
    await server.ask(configs, { method: 'POST', json })
    const [alert] = Object((await server.control('POST', '/events', event)).at('alerts'))
    await server.control('PUT', '/clock', { now: '2025-11-18T10:00:00Z' })

    const snapshots = '/clusters/orders-eu/backup/snapshots'
    const before = Number((await ask(snapshots)).at('totalCount'))
    const migration = '/liveMigrations/66d4d5e60f3a5d6e7f80e001'
    expect((await ask('/clusters/orders-eu/backup/schedule')).at('nextSnapshot')).toBe('2025-11-18T14:15:00Z')
    expect((await ask(migration)).at('lagTimeSeconds')).toBeLessThanOrEqual(60)
    expect((await ask(`/alerts/${alert}`)).at('status')).toBe('TRACKING')
    await server.control('PUT', '/clock', { now: '2025-11-18T14:15:00Z' })
    expect((await ask(snapshots)).at('totalCount')).toBe(before + 1)
    expect((await ask(migration)).at('readyForCutover')).toBe(true)
    expect((await ask(`/alerts/${alert}`)).at('status')).toBe('OPEN')
  })

  it('lets alerts that notify, and tokens, go on from where its clock goes back to', async () => {
    const server = await startChecked()
    const notifications = [{ typeName: 'SMS', intervalMin: 10 }]
    const watch = { method: 'POST', json: { eventTypeName: 'DISK_FULL', enabled: true, notifications } }
    await server.ask(configs, watch)
    const authorization = `Basic ${Buffer.from(`${serviceAccount.id}:${serviceAccount.secret}`).toString('base64')}`
    const issued = await fetch(`${server.url}/api/oauth/token`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    })
    const headers = { authorization: `Bearer ${Object(await issued.json()).access_token}` }
    const asHolder = () => server.ask(configs, { as: null, headers })
    await server.control('POST', '/events', { groupId: projectId, eventTypeName: 'DISK_FULL' })
    await server.control('PUT', '/clock', { advanceSeconds: 900 })
    const sent = async () => {
      const all = Object((await server.control('GET', '/outbox')).at('notifications'))
      return [...all]
        .filter((one: object) => Object(one).eventTypeName === 'DISK_FULL')
        .map((one) => one.sent.slice(0, 16))
    }
    const before = await sent()
    expect([before.length, (await asHolder()).status]).toEqual([2, 200])
    await server.control('PUT', '/clock', { now: '2025-12-01T12:00:00Z' })
    expect(await sent()).toEqual(before)
    await server.control('PUT', '/clock', { advanceSeconds: 1200 })
    expect((await sent()).sort().slice(0, 2)).toEqual(['2025-12-01T12:10', '2025-12-01T12:20'])
    await server.control('PUT', '/clock', { advanceSeconds: 2399 })
    expect((await asHolder()).status).toBe(200)
    await server.control('PUT', '/clock', { advanceSeconds: 1 })
    expect((await asHolder()).status).toBe(401)
  })
})

it('a clock that would leave its bounds is told where they are', async () => {
  const server = await startChecked()
  const set = (now: string) => server.control('PUT', '/clock', { now })
  expect((await set('9999-12-31T00:00:00Z')).status).toBe(200)
  for (const now of ['9999-12-31T00:00:01Z', '1969-12-31T23:59:59Z'])
    expect((await set(now)).at('detail')).toBe(
      'The clock runs from 1970-01-01T00:00:00Z to 9999-12-31T00:00:00Z.',
    )
})
