import { describe, expect, it } from 'vitest'
import { advance, alerts, configs, configure, happen, inAnHour, sentFor } from '../../../test/alerts.ts'
import { type CheckedServer, noon, projectId, startChecked } from '../../../test/checked-server.ts'

describe('an alert', () => {
  it('is tracking until its condition has lasted for the delay, then open, then closed when the condition ends', async () => {
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

  it('closes from tracking too, without notifications', async () => {
    const server = await startChecked()
    await configure(server)
    const id = await happen(server)
    await happen(server, { active: false })
    await advance(server, 60)
    expect((await server.ask(`${alerts}/${id}`)).at('status')).toBe('CLOSED')
    expect(await sentFor(server, id)).toEqual([])
  })

  it('is raised once for a repeated condition, and again after the condition ended', async () => {
    const server = await startChecked()
    await configure(server)
    const first = await happen(server)
    expect(await happen(server)).toBe(first)
    await happen(server, { active: false })
    expect(await happen(server)).not.toBe(first)
  })

  it('is not raised by a disabled configuration or one whose matchers reject the event', async () => {
    const server = await startChecked()
    await configure(server, { enabled: false })
    await configure(server, {
      matchers: [{ fieldName: 'CLUSTER_NAME', operator: 'EQUALS', value: 'orders-global' }],
    })
    const body = { groupId: projectId, eventTypeName: 'HOST_DOWN', clusterName: 'orders-eu' }
    expect((await server.control('POST', '/events', body)).body).toEqual({ alerts: [] })
  })

  it('is raised regardless of the interval of a notification of an unknown type', async () => {
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

  it('notifies its targets at their intervals, except while it is acknowledged', async () => {
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

  it('sends only the first of the notifications missed while it was acknowledged', async () => {
    const server = await startChecked()
    await configure(server)
    const id = await happen(server)
    const path = `${alerts}/${id}`
    await server.ask(path, { method: 'PATCH', json: { acknowledgedUntil: inAnHour } })
    await advance(server, 30)
    await server.ask(path, { method: 'PATCH', json: { unacknowledgeAlert: true } })
    await advance(server, 10)
    expect(await sentFor(server, id)).toMatchObject([
      { sent: '2026-03-01T12:30:00Z' },
      { sent: '2026-03-01T12:35:00Z' },
    ])
  })

  it('sends few notifications when the clock jumps a century', async () => {
    const server = await startChecked()
    await configure(server)
    const id = await happen(server)
    await advance(server, 60 * 24 * 365 * 100)
    expect(await sentFor(server, id)).toHaveLength(100)
  })

  it('sends every notification that is due while the clock runs, and only the latest after a jump', async () => {
    let real = noon
    const server = await startChecked({ webhooks: false, realTime: () => real })
    await configure(server)
    const id = await happen(server)
    const day = 24 * 60
    const run = () => {
      real += day * 60_000
    }
    const perDay = day / 10
    run()
    run()
    await advance(server, day)
    run()
    expect(await sentFor(server, id)).toHaveLength(2 * perDay + 100 + perDay)
  })
})

describe('an open alert', () => {
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
    (await sentFor(server, id)).map(({ notifierId, sent }) => [notifierId, String(sent).slice(11, 16)])

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
  ])('closes when its condition ends, even if its configuration is %s by then', async (_, change) => {
    const { server, config, id } = await running()
    await advance(server, 6)
    await server.ask(config, change)
    const body = { groupId: projectId, eventTypeName: 'HOST_DOWN', clusterName: 'orders-eu', active: false }
    expect((await server.control('POST', '/events', body)).body).toEqual({ alerts: [id] })
    expect((await server.ask(`${alerts}/${id}`)).at('status')).toBe('CLOSED')
    await advance(server, 60)
    expect(await sentFor(server, id)).toHaveLength(1)
  })

  it('notifies the current targets with the current severity, and earlier targets no sooner than planned', async () => {
    const { server, id, replace, notifierId } = await running()
    await advance(server, 6)
    const kept = { ...mail, notifierId, emailAddress: 'a@svc.example' }
    const added = { ...mail, delayMin: 0, notifierId: 'added' }
    await replace({ severityOverride: 'CRITICAL', notifications: [kept, added] })
    await advance(server, 10)
    expect(await told(server, id)).toEqual([
      [notifierId, '12:05'],
      ['added', '12:06'],
      ['added', '12:10'],
      [notifierId, '12:15'],
    ])
    expect((await sentFor(server, id)).at(-1)).toMatchObject({ severity: 'CRITICAL' })
    await replace({ notifications: [added] })
    await advance(server, 10)
    expect((await told(server, id)).slice(4)).toEqual([['added', '12:20']])
    expect((await sentFor(server, id)).at(-1)).not.toHaveProperty('severity')
  })

  it('immediately notifies a one-time target that was added too late', async () => {
    const { server, id, replace } = await running()
    await advance(server, 30)
    await replace({ notifications: [{ typeName: 'EMAIL', notifierId: 'once' }] })
    await advance(server, 30)
    expect((await told(server, id)).at(-1)).toEqual(['once', '12:30'])
  })

  it('sends nothing while its configuration is disabled, not even later', async () => {
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

  it("doesn't change while its configuration is disabled, and continues afterwards", async () => {
    const { server, config, id } = await running()
    await server.ask(config, { method: 'PATCH', json: { enabled: false } })
    await advance(server, 30)
    expect((await server.ask(`${alerts}/${id}`)).at('status')).toBe('TRACKING')
    await server.ask(config, { method: 'PATCH', json: { enabled: true } })
    expect((await server.ask(`${alerts}/${id}`)).body).toMatchObject({
      status: 'OPEN',
      updated: '2026-03-01T12:30:00Z',
    })
    await advance(server, 10)
    expect((await told(server, id)).map(([, at]) => at)).toEqual(['12:30', '12:35'])
  })

  it('notifies immediately when a shorter delay opens it late', async () => {
    const { server, id, replace } = await running({ notifications: [{ ...mail, delayMin: 60 }] })
    await advance(server, 21)
    await replace({ notifications: [{ ...mail, intervalMin: 30, notifierId: 'sooner' }] })
    await advance(server, 20)
    expect(await told(server, id)).toEqual([
      ['sooner', '12:21'],
      ['sooner', '12:35'],
    ])
  })

  it('sends nothing once its configuration is deleted', async () => {
    const { server, config, id } = await running()
    await server.ask(config, { method: 'DELETE' })
    await advance(server, 30)
    expect(await told(server, id)).toEqual([])
  })
})

describe('a one-time notification', () => {
  it.each([
    ['expires', undefined, '2026-03-01T13:00:00Z'],
    ['is removed', { unacknowledgeAlert: true }, '2026-03-01T12:30:00Z'],
  ])('is sent when the acknowledgement that delayed it %s', async (_, change, sent) => {
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

describe('lists of alerts', () => {
  it('contain the alerts with the given status at the current time', async () => {
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

  it('of one configuration contain only its open alerts', async () => {
    const server = await startChecked()
    const configId = await configure(server)
    await happen(server)
    const list = `${configs}/${configId}/alerts`
    expect((await server.ask(list)).at('totalCount')).toBe(0)
    await advance(server, 5)
    expect((await server.ask(list)).at('totalCount')).toBe(1)
  })

  it('of configurations for one alert contain the one that raised it, while it exists', async () => {
    const server = await startChecked()
    const configId = await configure(server)
    const list = `${alerts}/${await happen(server)}/alertConfigs`
    expect((await server.ask(list)).at('results', 0, 'id')).toBe(configId)
    await server.ask(`${configs}/${configId}`, { method: 'DELETE' })
    expect((await server.ask(list)).at('results')).toEqual([])
  })
})
