import { limits } from '@svc-admin/types'
import { describe, expect, it } from 'vitest'
import { type CheckedServer, projectId, startChecked } from '../../../test/checked-server.ts'

const configs = `/groups/${projectId}/alertConfigs`
const json = {
  eventTypeName: 'HOST_DOWN',
  notifications: [
    { typeName: 'WEBHOOK', webhookUrl: 'https://svc.example/hook', webhookSecret: 'tell-nobody' },
  ],
}

async function create(server: CheckedServer, change: Record<string, unknown> = {}) {
  return server.ask(configs, { method: 'POST', json: { ...json, ...change } })
}

describe('an alert configuration', () => {
  it('is returned as sent, and then found and listed', async () => {
    const server = await startChecked()
    const matchers = [{ fieldName: 'PORT', operator: 'EQUALS', value: '27017', extra: true }]
    const created = await create(server, { matchers, severityOverride: 'INFO', enabled: true })
    expect(created.body).toMatchObject({
      eventTypeName: 'HOST_DOWN',
      matchers,
      severityOverride: 'INFO',
      enabled: true,
      groupId: projectId,
      created: '2026-03-01T12:00:00Z',
      updated: '2026-03-01T12:00:00Z',
      links: [{ href: `${server.url}/api/svc/v2${configs}/${created.textAt('id')}`, rel: 'self' }],
    })
    expect((await server.ask(`${configs}/${created.textAt('id')}`)).body).toEqual(created.body)
    expect((await server.ask(configs)).at('results')).toContainEqual(created.body)
  })

  it('is disabled by default', async () => {
    const server = await startChecked()
    expect((await create(server)).at('enabled')).toBe(false)
  })

  it('never returns the secrets of its notifications', async () => {
    const server = await startChecked()
    const created = await create(server)
    expect(created.text).not.toContain('tell-nobody')
    expect((await server.ask(configs)).text).not.toContain('tell-nobody')
  })

  it('keeps the secret of a notifier when it is replaced with the values that were read', async () => {
    const server = await startChecked()
    const created = await create(server)
    const notifications = created.at('notifications')
    const path = `${configs}/${created.textAt('id')}`
    await server.ask(path, { method: 'PUT', json: { ...json, notifications } })
    const [row] = await server.world.database.all(
      {
        build: (db) => db.selectFrom('alert_configs').select('secrets').where('secrets', '<>', '{}'),
        compiled: new Map(),
      },
      {},
    )
    expect(row?.secrets).toContain('tell-nobody')
  })

  it('rejects different notifications with the same notifierId, because their secrets would be ambiguous', async () => {
    const server = await startChecked()
    const path = `${configs}/${(await create(server)).textAt('id')}`
    const [one, other] = [{ notifierId: 'one' }, { notifierId: 'other' }]
    const elsewhere = { ...one, webhookUrl: 'https://elsewhere.example/hook' }
    const notifications = [one, other, {}, {}, one, elsewhere].map((change) => ({
      ...json.notifications[0],
      ...change,
    }))
    // If the body is invalid and the resource doesn't exist, the response reports the invalid body.
    const nobodys = `${configs}/${'f'.repeat(24)}`
    const early = await server.ask(nobodys, { method: 'PUT', json: { ...json, notifications } })
    expect([early.status, early.at('parameters')]).toEqual([400, ['/notifications/5/notifierId']])
    expect((await server.ask(nobodys, { method: 'PUT', json })).status).toBe(404)
    for (const [at, method] of [
      [configs, 'POST'],
      [path, 'PUT'],
    ] as const) {
      const refused = await server.ask(at, { method, json: { ...json, notifications } })
      expect(refused.body).toMatchObject({
        errorCode: 'VALIDATION_ERROR',
        parameters: ['/notifications/5/notifierId'],
      })
      const taken = { ...json, notifications: notifications.slice(0, 5) }
      expect((await server.ask(at, { method, json: taken })).status).toBe(200)
    }
  })

  it('has the fields of the body after a replacement, and defaults for the rest', async () => {
    const server = await startChecked()
    const created = await create(server, { enabled: true, severityOverride: 'ERROR' })
    await server.control('PUT', '/clock', { advanceSeconds: 60 })
    const body = { eventTypeName: 'CLUSTER_CREATED', notifications: [{ typeName: 'ORG' }] }
    const path = `${configs}/${created.textAt('id')}`
    const after = await server.ask(path, { method: 'PUT', json: body })
    expect(after.body).toMatchObject({
      eventTypeName: 'CLUSTER_CREATED',
      enabled: false,
      id: created.at('id'),
      created: created.at('created'),
      updated: '2026-03-01T12:01:00Z',
    })
    expect(after.at('severityOverride')).toBeUndefined()
    expect((await server.ask(path)).body).toEqual(after.body)
  })

  it('changes only its enabled flag when it is toggled', async () => {
    const server = await startChecked()
    const created = await create(server)
    const path = `${configs}/${created.textAt('id')}`
    const toggled = await server.ask(path, { method: 'PATCH', json: { enabled: true } })
    expect(toggled.body).toEqual({ ...Object(created.body), enabled: true })
    expect((await server.ask(path, { method: 'PATCH', json: {} })).body).toMatchObject({
      parameters: ['/enabled'],
    })
  })

  it('returns 204 without a body when it is deleted, and then 404', async () => {
    const server = await startChecked()
    const path = `${configs}/${(await create(server)).textAt('id')}`
    const removed = await server.ask(path, { method: 'DELETE' })
    expect([removed.status, removed.text]).toEqual([204, ''])
    for (const method of ['GET', 'DELETE']) expect((await server.ask(path, { method })).status).toBe(404)
    expect((await server.ask(path, { method: 'PATCH', json: { enabled: true } })).status).toBe(404)
    expect((await server.ask(path, { method: 'PUT', json })).status).toBe(404)
  })

  it.each([
    [{ notifications: [{ typeName: 'EMAIL', delayMin: 'soon' }] }, '/notifications/0/delayMin'],
    [{ severityOverride: 'LOUD' }, '/severityOverride'],
    [{ notifications: undefined }, '/notifications'],
    [{ eventTypeName: 5 }, '/eventTypeName'],
    [{ enabled: 'true' }, '/enabled'],
    [{ unknown: 1 }, '/unknown'],
  ])('returns an error with a pointer for %j', async (change, pointer) => {
    const server = await startChecked()
    const refused = await create(server, change)
    expect(refused.body).toMatchObject({ error: 400, errorCode: 'VALIDATION_ERROR', parameters: [pointer] })
  })

  it.each(['id', 'created'])('ignores the read-only field %s', async (field) => {
    const server = await startChecked()
    const sent = { id: '64b7e1c20f3a5d6e7f809101', created: '2020-01-01T00:00:00Z' }[field]
    const created = await create(server, { [field]: sent })
    expect(created.status).toBe(200)
    expect(created.textAt(field)).not.toBe(sent)
  })

  it('accepts every type of notification, and unknown fields', async () => {
    const server = await startChecked()
    const notifications = [
      { typeName: 'EMAIL', novel: { deep: [1] } },
      { typeName: 'CARRIER_PIGEON', loft: 3 },
      {},
    ]
    expect((await create(server, { notifications })).at('notifications', 0, 'novel')).toEqual({ deep: [1] })
  })
})

describe('a page past the end', () => {
  it.each(['2147483648', '9007199254740991'])('is empty, however far: %s', async (pageNum) => {
    const server = await startChecked()
    for (const counted of [true, false]) {
      const query = `pageNum=${pageNum}&itemsPerPage=${limits.itemsPerPage.maximum}&includeCount=${counted}`
      const page = await server.ask(`${configs}?${query}`)
      expect([page.status, page.at('results')]).toEqual([200, []])
    }
  })
})

describe('matcher field names', () => {
  it('are an array of strings in both generations', async () => {
    const server = await startChecked()
    const names = await server.ask('/alertConfigs/matchers/fieldNames')
    expect(names.body).toContain('APPLICATION_ID')
    expect((await server.askV1('/alertConfigs/matchers/fieldNames')).body).toEqual(names.body)
  })
})
