import { limits } from '@svc-admin/types'
import { describe, expect, it } from 'vitest'
import { backupOf, day, item, monthlySnapshot, policies, wait } from '../../test/backups.ts'
import { type CheckedServer, noon, projectId, startChecked } from '../../test/checked-server.ts'
import { bearerOf } from '../../test/token.ts'

const configs = `/groups/${projectId}/alertConfigs`

describe('a clock that goes back', () => {
  it('voids nonces when time runs backwards, because they would be valid a second time', async () => {
    const server = await startChecked()
    expect((await server.ask(configs)).status).toBe(200)
    await server.control('PUT', '/clock', { advanceSeconds: 24 * 3600 })
    expect((await server.ask(configs)).status).toBe(200)
    await server.control('PUT', '/clock', { advanceSeconds: -24 * 3600 })
    expect((await server.ask(configs)).status).toBe(200)
  })

  it('continues schedules, lifecycles and alerts from the earlier time', async () => {
    const server = await startChecked()
    const ask = (path: string) => server.ask(`/groups/${projectId}${path}`)
    const event = { groupId: projectId, eventTypeName: 'HOST_DOWN' }
    const notifications = [{ typeName: 'SMS', delayMin: 60 }]
    const json = { eventTypeName: 'HOST_DOWN', enabled: true, notifications }
    await server.ask(configs, { method: 'POST', json })
    const alert = (await server.control('POST', '/events', event)).textAt('alerts', 0)
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

  it.each([[true], [false]])('keeps what has happened to backups; read before: %s', async (looks) => {
    const server = await startChecked()
    const ask = (path: string) => server.ask(`/groups/${projectId}${path}`)
    const backup = '/clusters/orders-eu/backup'
    const policy = `/groups/${projectId}/backupCompliancePolicy`
    const json = { authorizedEmail: 'a@svc.example', scheduledPolicyItems: [item('daily', 1, 40)] }
    const take = async (cluster: string) => {
      const taken = await server.ask(`${backupOf(cluster)}/snapshots`, {
        method: 'POST',
        json: { retentionInDays: 1 },
      })
      return `${backupOf(cluster)}/snapshots/${taken.textAt('id')}`
    }
    const taken = [await take('orders-eu'), await take('orders-archive')]
    await server.ask(policy, { method: 'PUT', json })
    await wait(server, 2 * day)
    if (looks) await ask(`${backup}/snapshots`)
    await wait(server, -2 * day - 3600)
    for (const path of taken) expect((await server.ask(path)).status).toBe(404)
    expect((await server.ask(policy)).at('state')).toBe('ACTIVE')
    expect((await server.ask(`${backupOf('orders-eu')}/schedule`, { method: 'DELETE' })).status).toBe(409)
    const all = await ask(`${backup}/snapshots?itemsPerPage=${limits.itemsPerPage.maximum}`)
    const own = all.listAt('results').filter(({ createdAt }) => String(createdAt) > '2026-03-01')
    expect(own).toHaveLength(8)
  })

  it.each(['true', 'false'])('keeps a policy active; overwriting schedules: %s', async (overwrites) => {
    const server = await startChecked()
    const policy = `/groups/${projectId}/backupCompliancePolicy`
    const put = () => {
      const json = { authorizedEmail: 'a@svc.example', scheduledPolicyItems: [item('daily', 1, 40)] }
      return server.ask(`${policy}?overwriteBackupPolicies=${overwrites}`, { method: 'PUT', json })
    }
    await wait(server, day)
    const state = async () => (await server.ask(policy)).at('state')
    await put()
    await wait(server, day)
    await wait(server, -2 * day)
    expect(await state()).toBe('ACTIVE')
    const removed = await server.ask(`${backupOf('orders-eu')}/snapshots/${monthlySnapshot}`, {
      method: 'DELETE',
    })
    expect(removed.at('errorCode')).toBe('COMPLIANCE_POLICY_ACTIVE')
    // An update that is already running is repeated with the earlier time.
    await put()
    await wait(server, -day)
    expect(await state()).toBe('UPDATING')
    await wait(server, 5)
    expect(await state()).toBe('ACTIVE')
  })

  it('continues notifying alerts and tokens from the earlier time', async () => {
    const server = await startChecked()
    const notifications = [{ typeName: 'SMS', intervalMin: 10 }]
    const watch = { method: 'POST', json: { eventTypeName: 'DISK_FULL', enabled: true, notifications } }
    await server.ask(configs, watch)
    const headers = { authorization: await bearerOf(server.url) }
    const asHolder = () => server.ask(configs, { as: null, headers })
    await server.control('POST', '/events', { groupId: projectId, eventTypeName: 'DISK_FULL' })
    await server.control('PUT', '/clock', { advanceSeconds: 900 })
    const sent = async () => {
      const all = (await server.control('GET', '/outbox')).listAt('notifications')
      return all
        .filter(({ eventTypeName }) => eventTypeName === 'DISK_FULL')
        .map(({ sent }) => String(sent).slice(0, 16))
    }
    const before = await sent()
    expect([before.length, (await asHolder()).status]).toEqual([2, 200])
    await server.control('PUT', '/clock', { now: '2025-12-01T12:00:00Z' })
    expect(await sent()).toEqual([])
    await server.control('PUT', '/clock', { advanceSeconds: 1200 })
    expect((await sent()).sort().slice(0, 2)).toEqual(['2025-12-01T12:10', '2025-12-01T12:20'])
    await server.control('PUT', '/clock', { advanceSeconds: 2399 })
    expect((await asHolder()).status).toBe(200)
    await server.control('PUT', '/clock', { advanceSeconds: 1 })
    expect((await asHolder()).status).toBe(401)
  })
})

describe('a clock that is set ahead', () => {
  const backup = backupOf('orders-archive')
  const hourly = policies(item('hourly', 1, 365))
  const count = async (server: CheckedServer) =>
    (await server.ask(`${backup}/snapshots?itemsPerPage=1`)).at('totalCount')

  it.each([[true], [false]])(
    'takes the same number of snapshots with each jump; read between them: %s',
    async (looks) => {
      const server = await startChecked()
      await server.ask(`${backup}/schedule`, { method: 'PATCH', json: hourly })
      for (let jump = 0; jump < 3; jump++) {
        await wait(server, 30 * day)
        if (looks) await count(server)
      }
      expect(await count(server)).toBe(3 * 720)
      await wait(server, 60 * day)
      expect(await count(server)).toBe(3 * 720 + 1000)
    },
  )

  it.each(['the wall', 'itself'])(
    'takes all due snapshots without any request; time advanced by: %s',
    async (by) => {
      const world = { noon }
      const server = await startChecked({ realTime: () => world.noon })
      await server.ask(`${backup}/schedule`, { method: 'PATCH', json: hourly })
      if (by === 'itself') {
        await server.control('PUT', '/clock', { advanceSeconds: 3600, rate: 100 })
        expect(await count(server)).toBe(1)
      }
      world.noon += (by === 'itself' ? 1 : 100) * day * 1000
      expect(await count(server)).toBe(by === 'itself' ? 1 + 2400 : 2400)
      const page = await server.ask(
        `${backup}/snapshots?itemsPerPage=${limits.itemsPerPage.maximum}&pageNum=5`,
      )
      const moments = page.listAt('results').map(({ createdAt }) => Date.parse(String(createdAt)))
      expect(new Set(moments.slice(1).map((at, index) => at - (moments[index] ?? 0)))).toEqual(
        new Set([3_600_000]),
      )
    },
  )

  it('takes the snapshots that were due before a restored snapshot', async () => {
    const world = { noon }
    const server = await startChecked({ realTime: () => world.noon })
    await server.ask(`${backup}/schedule`, { method: 'PATCH', json: hourly })
    world.noon += 100 * day * 1000
    const id = (await server.control('POST', '/snapshots')).textAt('id')
    expect((await server.control('POST', `/snapshots/${id}/restore`)).status).toBe(200)
    expect(await count(server)).toBe(2400)
  })
})

describe('a clock that runs fast', () => {
  /**
   * Starts a server whose system clock advances by ten milliseconds on each read. At the given rate, the world's clock
   * advances by more than a day each time.
   */
  async function startFast() {
    const wall = { now: noon }
    const server = await startChecked({ realTime: () => (wall.now += 10), webhooks: false })
    const json = policies(item('hourly', 1, 3, 'years'))
    await server.ask(`${backupOf('orders-archive')}/schedule`, { method: 'PATCH', json })
    const notifications = [{ typeName: 'SMS', intervalMin: 10 }]
    await server.ask(configs, {
      method: 'POST',
      json: { eventTypeName: 'DISK_FULL', enabled: true, notifications },
    })
    await server.control('POST', '/events', { groupId: projectId, eventTypeName: 'DISK_FULL' })
    await server.control('PUT', '/clock', { rate: 1e7 })
    const clock = () => server.control('GET', '/clock')
    return { ...server, clock }
  }

  it.each([
    ['is stopped', { rate: 0 }],
    ['is stopped and set ahead', { rate: 0, advanceSeconds: 60 }],
  ])('%s immediately', async (_, change) => {
    const { control, clock } = await startFast()
    const before = Date.parse((await clock()).textAt('now'))
    expect((await control('PUT', '/clock', change)).status).toBe(200)
    const stopped = await clock()
    expect(stopped.at('rate')).toBe(0)
    expect((Date.parse(stopped.textAt('now')) - before) / 1000).toBeLessThan(5 * day)
  })

  it.each([
    ['back', { now: '2026-02-01T00:00:00Z', rate: 0 }],
    ['ahead', { now: '2126-02-01T00:00:00Z', rate: 0 }],
  ])('is set %s and stopped there', async (_, change) => {
    const { control, clock } = await startFast()
    expect((await control('PUT', '/clock', change)).status).toBe(200)
    expect((await clock()).body).toEqual({ now: change.now.replace('Z', '.000Z'), rate: 0 })
  })

  it('is set back while it runs, and its notifications are read', async () => {
    const { control, clock } = await startFast()
    expect((await control('PUT', '/clock', { now: '2026-02-01T00:00:00Z' })).status).toBe(200)
    expect((await control('GET', '/outbox')).status).toBe(200)
    expect((await clock()).at('rate')).toBe(1e7)
  })
})

it('returns the bounds of the clock when a change would exceed them', async () => {
  const server = await startChecked()
  const set = (now: string) => server.control('PUT', '/clock', { now })
  expect((await set('9999-12-31T00:00:00Z')).status).toBe(200)
  for (const now of ['9999-12-31T00:00:01Z', '1969-12-31T23:59:59Z'])
    expect((await set(now)).at('detail')).toBe(
      'The clock must be between 1970-01-01T00:00:00Z and 9999-12-31T00:00:00Z.',
    )
})
