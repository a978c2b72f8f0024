import { limits } from '@svc-admin/types'
import { describe, expect, it } from 'vitest'
import { type CheckedServer, noon, projectId, startChecked } from '../../../test/checked-server.ts'

const alerts = `/groups/${projectId}/alerts`
const configs = `/groups/${projectId}/alertConfigs`
const minute = 60
const inAnHour = new Date(noon + 3_600_000).toISOString()

/** A configuration for host failures that tells one address after `delayMin`, then each `intervalMin`. */
async function configure(server: CheckedServer, change: Record<string, unknown> = {}): Promise<string> {
  const json = {
    eventTypeName: 'HOST_DOWN',
    enabled: true,
    notifications: [{ typeName: 'EMAIL', emailAddress: 'a@svc.example', delayMin: 5, intervalMin: 10 }],
    ...change,
  }
  return (await server.ask(configs, { method: 'POST', json })).textAt('id')
}

async function happen(server: CheckedServer, change: Record<string, unknown> = {}): Promise<string> {
  const body = { groupId: projectId, eventTypeName: 'HOST_DOWN', clusterName: 'orders-eu', ...change }
  return (await server.control('POST', '/events', body)).textAt('alerts', 0)
}

const advance = (server: CheckedServer, minutes: number) =>
  server.control('PUT', '/clock', { advanceSeconds: minutes * minute })

async function sentFor(server: CheckedServer, alertId: string): Promise<unknown[]> {
  const all = (await server.control('GET', '/outbox')).at('notifications')
  return Array.isArray(all) ? all.filter((one) => one.alertId === alertId) : []
}

describe('an alert', () => {
  it('is tracking until its condition lasted for the delay, then open, then closed when it is gone', async () => {
    const server = await startChecked()
    await configure(server)
    const id = await happen(server)
    expect((await server.ask(`${alerts}/${id}`)).body).toMatchObject({
      status: 'TRACKING',
      clusterName: 'orders-eu',
    })
    await advance(server, 5)
    expect((await server.ask(`${alerts}/${id}`)).body).toMatchObject({
      status: 'OPEN',
      updated: '2026-03-01T12:05:00Z',
      lastNotified: '2026-03-01T12:05:00Z',
    })
    await advance(server, 1)
    expect(await happen(server, { active: false })).toBe(id)
    expect((await server.ask(`${alerts}/${id}`)).body).toMatchObject({
      status: 'CLOSED',
      resolved: '2026-03-01T12:06:00Z',
    })
  })

  it('closes from tracking too, and notifies nobody', async () => {
    const server = await startChecked()
    await configure(server)
    const id = await happen(server)
    await happen(server, { active: false })
    await advance(server, 60)
    expect((await server.ask(`${alerts}/${id}`)).at('status')).toBe('CLOSED')
    expect(await sentFor(server, id)).toEqual([])
  })

  it('is raised once for a condition that is seen twice, and anew after it was gone', async () => {
    const server = await startChecked()
    await configure(server)
    const first = await happen(server)
    expect(await happen(server)).toBe(first)
    await happen(server, { active: false })
    expect(await happen(server)).not.toBe(first)
  })

  it('is raised by nothing that is disabled or whose matchers refuse the event', async () => {
    const server = await startChecked()
    await configure(server, { enabled: false })
    await configure(server, {
      matchers: [{ fieldName: 'CLUSTER_NAME', operator: 'EQUALS', value: 'orders-global' }],
    })
    const body = { groupId: projectId, eventTypeName: 'HOST_DOWN', clusterName: 'orders-eu' }
    expect((await server.control('POST', '/events', body)).body).toEqual({ alerts: [] })
  })

  it('is raised whatever a notification of a kind that nobody knows says of its minutes', async () => {
    const server = await startChecked()
    const open = { typeName: 'PIGEON', delayMin: 'abc', intervalMin: [] }
    const first = await configure(server, { notifications: [open] })
    await configure(server)
    const body = { groupId: projectId, eventTypeName: 'HOST_DOWN' }
    const raised = await server.control('POST', '/events', body)
    expect(raised.at('alerts')).toHaveLength(2)
    const [id, running] = [raised.textAt('alerts', 0), raised.textAt('alerts', 1)]
    expect((await server.ask(`${alerts}/${id}`)).at('status')).toBe('OPEN')
    expect(await sentFor(server, id)).toMatchObject([{ typeName: 'PIGEON' }])
    const config = await server.ask(`${alerts}/${running}`)
    expect([config.at('status'), config.at('alertConfigId') === first]).toEqual(['TRACKING', false])
    const json = {
      eventTypeName: 'HOST_DOWN',
      enabled: true,
      notifications: [{ typeName: 'PIGEON', delayMin: {} }],
    }
    await server.ask(`${configs}/${config.textAt('alertConfigId')}`, { method: 'PUT', json })
    expect((await server.ask(`${alerts}/${running}`)).at('status')).toBe('OPEN')
  })

  it('notifies its targets at their intervals until it is acknowledged, and again when that ends', async () => {
    const server = await startChecked()
    await configure(server, { severityOverride: 'CRITICAL' })
    const id = await happen(server)
    await advance(server, 16)
    expect(await sentFor(server, id)).toMatchObject([
      { sent: '2026-03-01T12:05:00Z', severity: 'CRITICAL', typeName: 'EMAIL', status: 'OPEN' },
      { sent: '2026-03-01T12:15:00Z' },
    ])
    await server.ask(`${alerts}/${id}`, { method: 'PATCH', json: { acknowledgedUntil: inAnHour } })
    await advance(server, 40)
    expect(await sentFor(server, id)).toHaveLength(2)
    await advance(server, 10)
    expect((await sentFor(server, id)).at(-1)).toMatchObject({ sent: '2026-03-01T13:05:00Z' })
  })

  it('does not make up for what was not sent while it was acknowledged', async () => {
    const server = await startChecked()
    await configure(server)
    const id = await happen(server)
    const path = `${alerts}/${id}`
    await server.ask(path, { method: 'PATCH', json: { acknowledgedUntil: inAnHour } })
    await advance(server, 30)
    await server.ask(path, { method: 'PATCH', json: { unacknowledgeAlert: true } })
    await advance(server, 10)
    expect(await sentFor(server, id)).toMatchObject([{ sent: '2026-03-01T12:35:00Z' }])
  })

  it('sends no millions of notifications when the clock jumps a century', async () => {
    const server = await startChecked()
    await configure(server)
    const id = await happen(server)
    await advance(server, 60 * 24 * 365 * 100)
    expect((await sentFor(server, id)).length).toBeLessThanOrEqual(100)
  })
})

describe('an alert that runs', () => {
  const mail = { typeName: 'EMAIL', delayMin: 5, intervalMin: 10 }
  async function running(change: Record<string, unknown> = {}) {
    const server = await startChecked()
    const config = `${configs}/${await configure(server, change)}`
    const id = await happen(server)
    const configured = await server.ask(config)
    const replace = (json: Record<string, unknown>) =>
      server.ask(config, {
        method: 'PUT',
        json: { eventTypeName: 'HOST_DOWN', enabled: true, notifications: [], ...json },
      })
    return { server, config, id, replace, notifierId: configured.textAt('notifications', 0, 'notifierId') }
  }
  const told = async (server: CheckedServer, id: string) =>
    (await sentFor(server, id)).map((one) => [Object(one).notifierId, Object(one).sent.slice(11, 16)])

  it.each([
    ['disabled', { method: 'PATCH', json: { enabled: false } }],
    ['removed', { method: 'DELETE' }],
    [
      'about another event',
      { method: 'PUT', json: { eventTypeName: 'DISK_FULL', enabled: true, notifications: [] } },
    ],
    [
      'about other clusters',
      {
        method: 'PUT',
        json: {
          eventTypeName: 'HOST_DOWN',
          enabled: true,
          notifications: [],
          matchers: [{ fieldName: 'CLUSTER_NAME', operator: 'EQUALS', value: 'another' }],
        },
      },
    ],
  ])('ends with its condition though its configuration is %s by then', async (_, change) => {
    const { server, config, id } = await running()
    await advance(server, 6)
    await server.ask(config, change)
    const body = { groupId: projectId, eventTypeName: 'HOST_DOWN', clusterName: 'orders-eu', active: false }
    expect((await server.control('POST', '/events', body)).body).toEqual({ alerts: [id] })
    expect((await server.ask(`${alerts}/${id}`)).at('status')).toBe('CLOSED')
    await advance(server, 60)
    expect(await sentFor(server, id)).toHaveLength(1)
  })

  it('tells whom its configuration names now, as grave as that says; who stays is told no sooner', async () => {
    const { server, id, replace, notifierId } = await running()
    await advance(server, 6)
    const kept = { ...mail, notifierId, emailAddress: 'a@svc.example' }
    const added = { ...mail, delayMin: 0, notifierId: 'added' }
    await replace({ severityOverride: 'CRITICAL', notifications: [kept, added] })
    await advance(server, 10)
    expect(await told(server, id)).toEqual([
      [notifierId, '12:05'],
      ['added', '12:10'],
      [notifierId, '12:15'],
    ])
    expect((await sentFor(server, id)).at(-1)).toMatchObject({ severity: 'CRITICAL' })
    await replace({ notifications: [added] })
    await advance(server, 10)
    expect((await told(server, id)).slice(3)).toEqual([['added', '12:20']])
    expect((await sentFor(server, id)).at(-1)).not.toHaveProperty('severity')
  })

  it('tells at once who is to be told once and was named too late', async () => {
    const { server, id, replace } = await running()
    await advance(server, 30)
    await replace({ notifications: [{ typeName: 'EMAIL', notifierId: 'once' }] })
    await advance(server, 30)
    expect((await told(server, id)).at(-1)).toEqual(['once', '12:30'])
  })

  it('tells nobody while its configuration is disabled, and makes up for nothing afterwards', async () => {
    const { server, config, id } = await running()
    await advance(server, 6)
    await server.ask(config, { method: 'PATCH', json: { enabled: false } })
    await advance(server, 30)
    expect(await told(server, id)).toHaveLength(1)
    await server.ask(`${alerts}/${id}`, { method: 'PATCH', json: { unacknowledgeAlert: true } })
    await server.ask(config, { method: 'PATCH', json: { enabled: true } })
    await advance(server, 10)
    expect((await told(server, id)).slice(1).map(([, at]) => at)).toEqual(['12:45'])
  })

  it('stays as it is while its configuration is disabled, and goes on from where that ends', async () => {
    const { server, config, id } = await running()
    await server.ask(config, { method: 'PATCH', json: { enabled: false } })
    await advance(server, 30)
    expect((await server.ask(`${alerts}/${id}`)).at('status')).toBe('TRACKING')
    await server.ask(config, { method: 'PATCH', json: { enabled: true } })
    expect((await server.ask(`${alerts}/${id}`)).body).toMatchObject({
      status: 'OPEN',
      updated: '2026-03-01T12:30:00Z',
    })
  })

  it('tells nobody once its configuration is removed', async () => {
    const { server, config, id } = await running()
    await server.ask(config, { method: 'DELETE' })
    await advance(server, 30)
    expect(await told(server, id)).toEqual([])
  })
})

describe('a notification that goes out once', () => {
  it.each([
    ['has passed', undefined, '2026-03-01T13:00:00Z'],
    ['is taken back', { unacknowledgeAlert: true }, '2026-03-01T12:30:00Z'],
  ])('goes out when the acknowledgement that it fell in %s', async (_, change, sent) => {
    const server = await startChecked()
    await configure(server, { notifications: [{ typeName: 'EMAIL', delayMin: 5 }] })
    const id = await happen(server)
    const path = `${alerts}/${id}`
    await server.ask(path, { method: 'PATCH', json: { acknowledgedUntil: inAnHour } })
    await advance(server, 30)
    expect(await sentFor(server, id)).toEqual([])
    if (change) await server.ask(path, { method: 'PATCH', json: change })
    await advance(server, 60)
    await server.ask(path, { method: 'PATCH', json: { unacknowledgeAlert: true } })
    await advance(server, 60)
    expect(await sentFor(server, id)).toMatchObject([{ sent }])
  })
})

describe('acknowledging', () => {
  async function raised(): Promise<{ server: CheckedServer; path: string; id: string }> {
    const server = await startChecked()
    await configure(server)
    const id = await happen(server)
    return { server, path: `${alerts}/${id}`, id }
  }
  const json = { acknowledgedUntil: inAnHour, acknowledgementComment: 'seen' }

  it('shows until when, by whom and why, and changes nothing else but updated', async () => {
    const { server, path } = await raised()
    const before = (await server.ask(path)).body
    await server.control('PUT', '/clock', { advanceSeconds: 60 })
    const after = await server.ask(path, { method: 'PATCH', json })
    expect(after.body).toEqual({
      ...Object(before),
      acknowledgedUntil: '2026-03-01T13:00:00Z',
      acknowledgementComment: 'seen',
      acknowledgingUsername: 'orgowner@svc.example',
      updated: '2026-03-01T12:01:00Z',
    })
    expect((await server.ask(path)).body).toEqual(after.body)
  })

  it.each([
    ['a moment in the past', { acknowledgedUntil: '2020-01-01T00:00:00Z' }],
    ['the flag', { unacknowledgeAlert: true }],
    ['the flag, whatever the moment says', { unacknowledgeAlert: true, acknowledgedUntil: inAnHour }],
  ])('is taken back by %s', async (_, body) => {
    const { server, path } = await raised()
    await server.ask(path, { method: 'PATCH', json })
    const after = await server.ask(path, { method: 'PATCH', json: body })
    for (const name of ['acknowledgedUntil', 'acknowledgementComment', 'acknowledgingUsername']) {
      expect(after.at(name)).toBeUndefined()
    }
  })

  it('stays as it is when neither the flag nor a moment is sent, from 2024-05-30 on', async () => {
    const { server, path } = await raised()
    const before = await server.ask(path, { method: 'PATCH', json })
    expect((await server.ask(path, { method: 'PATCH', json: {} })).body).toEqual(before.body)
  })

  it('takes a comment alone, if it is acknowledged, and keeps it when it is acknowledged anew without one', async () => {
    const { server, path } = await raised()
    const comment = { method: 'PATCH', json: { acknowledgementComment: 'two' } }
    const before = await server.ask(path)
    expect((await server.ask(path, comment)).body).toEqual(before.body)
    const first = await server.ask(path, { method: 'PATCH', json })
    expect((await server.ask(path, comment)).body).toEqual({
      ...Object(first.body),
      acknowledgementComment: 'two',
    })
    const longer = { acknowledgedUntil: '2026-03-01T15:00:00Z' }
    const after = await server.ask(path, { method: 'PATCH', json: longer })
    expect(after.body).toMatchObject({ ...longer, acknowledgementComment: 'two' })
  })

  it('is taken back by a body without a moment in v1.0 and before 2024-05-30', async () => {
    const { server, path, id } = await raised()
    const older = 'application/vnd.svc.2023-01-01+json'
    await server.ask(path, { method: 'PATCH', json })
    const dated = await server.ask(path, { method: 'PATCH', json: {}, accept: older, contentType: older })
    expect([dated.status, dated.at('acknowledgedUntil')]).toEqual([200, undefined])
    await server.ask(path, { method: 'PATCH', json })
    const plain = await server.askV1(`${alerts}/${id}`, { method: 'PATCH', json: {} })
    expect([plain.status, plain.at('acknowledgedUntil')]).toEqual([200, undefined])
  })

  it('does not know the flag before 2024-05-30', async () => {
    const { server, path } = await raised()
    const body = { method: 'PATCH', json: { unacknowledgeAlert: true } }
    const refused = await server.askV1(path, body)
    expect([refused.status, refused.at('parameters')]).toEqual([400, ['/unacknowledgeAlert']])
  })

  it.each([
    ['2126-03-01T12:00:00Z', 'a hundred years ahead, is for ever', 0],
    ['2125-03-01T12:00:00Z', 'a year less ahead, is no longer than that', 1],
  ])('until %s, %s', async (until, _, sent) => {
    const { server, path, id } = await raised()
    const body = { method: 'PATCH', json: { acknowledgedUntil: until } }
    expect((await server.ask(path, body)).at('acknowledgedUntil')).toBe(until)
    await server.control('PUT', '/clock', { now: '2127-03-01T12:00:00Z', rate: 0 })
    expect(Math.min((await sentFor(server, id)).length, 1)).toBe(sent)
  })

  it('cannot outlast the year 9999, whatever the offset', async () => {
    const { server, path } = await raised()
    const late = { acknowledgedUntil: '9999-12-31T23:59:59-23:59' }
    const answer = await server.ask(path, { method: 'PATCH', json: late })
    expect([answer.status, answer.at('acknowledgedUntil')]).toEqual([200, '9999-12-31T23:59:59Z'])
  })

  it('takes a comment as long as the limit and none that is longer', async () => {
    const { server, path } = await raised()
    const commented = (length: number) =>
      server.ask(path, { method: 'PATCH', json: { ...json, acknowledgementComment: 'ä'.repeat(length) } })
    const { maxLength } = limits.acknowledgementComment
    expect((await commented(maxLength)).status).toBe(200)
    expect((await commented(maxLength + 1)).body).toMatchObject({ parameters: ['/acknowledgementComment'] })
  })
})

describe('lists of alerts', () => {
  it('hold what the status asks for, as of now', async () => {
    const server = await startChecked()
    await configure(server)
    const id = await happen(server)
    const ids = async (status: string) => {
      const results = (await server.ask(`${alerts}?status=${status}`)).at('results')
      return Array.isArray(results) ? results.map((one) => one.id) : []
    }
    expect(await ids('TRACKING')).toContain(id)
    await advance(server, 5)
    expect(await ids('TRACKING')).not.toContain(id)
    expect(await ids('OPEN')).toContain(id)
  })

  it('of one configuration hold its open alerts only', async () => {
    const server = await startChecked()
    const configId = await configure(server)
    await happen(server)
    const list = `${configs}/${configId}/alerts`
    expect((await server.ask(list)).at('totalCount')).toBe(0)
    await advance(server, 5)
    expect((await server.ask(list)).at('totalCount')).toBe(1)
  })

  it('of configurations for one alert hold the one that raised it, while it exists', async () => {
    const server = await startChecked()
    const configId = await configure(server)
    const list = `${alerts}/${await happen(server)}/alertConfigs`
    expect((await server.ask(list)).at('results', 0, 'id')).toBe(configId)
    await server.ask(`${configs}/${configId}`, { method: 'DELETE' })
    expect((await server.ask(list)).at('results')).toEqual([])
  })
})
