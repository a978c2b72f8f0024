import { describe, expect, it } from 'vitest'
import {
  type CheckedServer,
  demoSecrets,
  orgId,
  projectId,
  startChecked,
} from '../../../test/checked-server.ts'

const migrations = `/groups/${projectId}/liveMigrations`
const validations = `${migrations}/validate`
const working = `${migrations}/66d4d5e60f3a5d6e7f80e001`
const ready = `${migrations}/66d4d5e60f3a5d6e7f80e002`
const complete = `${migrations}/66d4d5e60f3a5d6e7f80e003`
const nobodys = '66d4d5e60f3a5d6e7f80efff'
const foreign = '66d4d5e60f3a5d6e7f80e021'

const request = (change: Record<string, unknown> = {}) => ({
  source: {
    clusterName: 'orders-onprem',
    groupId: '64b7e1c20f3a5d6e7f809191',
    password: 'never-told',
    tls: 1,
  },
  destination: { clusterName: 'orders-eu', groupId: projectId },
  dropEnabled: true,
  migrationHosts: ['mover-01.lindgren.example'],
  ...change,
})

const create = (server: CheckedServer, change?: Record<string, unknown>, at = migrations) =>
  server.ask(at, { method: 'POST', json: request(change) })
const cutOver = (server: CheckedServer, migration: string) =>
  server.ask(`${migration}/cutover`, { method: 'PUT' })
const wait = (server: CheckedServer, seconds: number) =>
  server.control('PUT', '/clock', { advanceSeconds: seconds })
const statusOf = async (server: CheckedServer, path: string) => (await server.ask(path)).at('status')

const unknownCluster = { destination: { clusterName: 'orders-us' } }

describe('a live migration', () => {
  it('is new, then in progress while its lag falls, then ready for the cutover', async () => {
    const server = await startChecked()
    const created = await create(server)
    expect([created.status, created.at('status'), created.at('readyForCutover')]).toEqual([201, 'NEW', false])
    expect(created.body).toMatchObject({ migrationHosts: ['mover-01.lindgren.example'] })
    expect(created.at('lagTimeSeconds')).toBeUndefined()
    const path = `${migrations}/${created.textAt('_id')}`
    expect((await server.ask(path)).body).toEqual(created.body)
    await wait(server, 5)
    const expected = { status: 'WORKING', lagTimeSeconds: 60, readyForCutover: false }
    expect((await server.ask(path)).body).toMatchObject(expected)
    await wait(server, 59)
    expect((await server.ask(path)).body).toMatchObject({ ...expected, lagTimeSeconds: 1 })
    await wait(server, 1)
    expect((await server.ask(path)).body).toMatchObject({ lagTimeSeconds: 0, readyForCutover: true })
  })

  it('returns nothing about its source', async () => {
    const server = await startChecked()
    const created = await create(server)
    const found = await server.ask(`${migrations}/${created.textAt('_id')}`)
    expect(created.text + found.text).not.toContain('never-told')
  })

  it('accepts no host or one, but not two', async () => {
    const server = await startChecked()
    const none = await create(server, { migrationHosts: undefined })
    expect([none.status, none.at('migrationHosts')]).toEqual([201, undefined])
    for (const migrationHosts of [[], ['a.example', 'b.example']]) {
      const refused = await create(server, { migrationHosts })
      expect(refused.body).toMatchObject({ error: 400, parameters: ['/migrationHosts'] })
    }
  })

  it.each(['source', 'destination', 'dropEnabled'])('requires %s', async (field) => {
    const server = await startChecked()
    const refused = await create(server, { [field]: undefined })
    expect(refused.body).toMatchObject({ error: 400, parameters: [`/${field}`] })
  })

  it('accepts sharding, empty or not, and unknown fields', async () => {
    const server = await startChecked()
    const sharding = { createSupportingIndexes: true, anything: [] }
    expect((await create(server, { sharding })).status).toBe(201)
    expect((await create(server, { sharding: {} })).status).toBe(201)
    expect((await create(server, { source: { anything: 1 }, destination: { anything: 2 } })).status).toBe(201)
  })

  it("fails instead of starting if its destination doesn't exist in the project", async () => {
    const server = await startChecked()
    const elsewhere = { destination: { clusterName: 'menus', groupId: '64b7e1c20f3a5d6e7f809201' } }
    for (const change of [unknownCluster, elsewhere]) {
      const created = await create(server, change)
      const path = `${migrations}/${created.textAt('_id')}`
      expect(created.at('status')).toBe('NEW')
      await wait(server, 5)
      expect(await statusOf(server, path)).toBe('FAILED')
      await wait(server, 500_000)
      expect(await statusOf(server, path)).toBe('FAILED')
    }
  })

  it('expires 120 hours after it becomes ready', async () => {
    const server = await startChecked()
    await wait(server, 120 * 3600 - 1)
    expect(await statusOf(server, ready)).toBe('WORKING')
    await wait(server, 1)
    expect(await statusOf(server, ready)).toBe('EXPIRED')
    expect((await cutOver(server, ready)).status).toBe(409)
  })

  it('fails when the copy fails, but not after it is finished', async () => {
    const server = await startChecked()
    const fail = (path: string) =>
      server.control('POST', '/live-migrations/fail', {
        groupId: projectId,
        liveMigrationId: path.split('/').at(-1),
      })
    expect((await fail(working)).body).toEqual({ status: 'FAILED' })
    expect((await server.ask(working)).body).toMatchObject({ status: 'FAILED', readyForCutover: false })
    expect((await fail(working)).status).toBe(409)
    expect((await fail(complete)).status).toBe(409)
    expect((await fail(`${migrations}/${nobodys}`)).status).toBe(404)
  })

  it('is not found in another project', async () => {
    const server = await startChecked()
    for (const id of [nobodys, foreign]) {
      expect((await server.ask(`${migrations}/${id}`)).status).toBe(404)
      expect((await cutOver(server, `${migrations}/${id}`)).status).toBe(404)
    }
  })

  it('can be read by a member of the organization and created by its owner', async () => {
    const server = await startChecked()
    expect((await server.askV1(working, { as: 'orgmembr' })).status).toBe(200)
    const made = { method: 'POST', json: request() }
    expect((await server.askV1(migrations, { as: 'projownr', ...made })).status).toBe(403)
    expect((await server.askV1(migrations, made)).status).toBe(201)
  })
})

describe('the cutover', () => {
  it('completes a ready migration once', async () => {
    const server = await startChecked()
    const done = await cutOver(server, ready)
    expect([done.status, done.text]).toEqual([202, ''])
    expect((await server.ask(ready)).body).toMatchObject({ status: 'COMPLETE', readyForCutover: false })
    expect((await cutOver(server, ready)).at('errorCode')).toBe('INVALID_STATE')
    await wait(server, 500_000)
    expect(await statusOf(server, ready)).toBe('COMPLETE')
  })

  it('is rejected while there is lag', async () => {
    const server = await startChecked()
    const created = `${migrations}/${(await create(server)).textAt('_id')}`
    expect((await cutOver(server, created)).at('errorCode')).toBe('INVALID_STATE')
    await wait(server, 41)
    expect((await server.ask(working)).at('lagTimeSeconds')).toBe(1)
    expect((await cutOver(server, working)).status).toBe(409)
    await wait(server, 1)
    expect((await cutOver(server, working)).status).toBe(202)
  })

  it('is rejected for a finished migration', async () => {
    const server = await startChecked()
    expect((await cutOver(server, complete)).status).toBe(409)
  })

  it('returns 200 within an envelope', async () => {
    const server = await startChecked()
    const done = await server.ask(`${ready}/cutover?envelope=true`, { method: 'PUT' })
    expect([done.status, done.body]).toEqual([200, { status: 202, content: {} }])
  })
})

describe('a validation job', () => {
  it('is pending, then successful without a message', async () => {
    const server = await startChecked()
    const created = await create(server, {}, validations)
    expect([created.status, created.body]).toMatchObject([
      200,
      { status: 'PENDING', groupId: projectId, sourceGroupId: '64b7e1c20f3a5d6e7f809191' },
    ])
    const path = `${validations}/${created.textAt('_id')}`
    await wait(server, 5)
    const found = await server.ask(path)
    expect([found.at('status'), found.at('errorMessage')]).toEqual(['SUCCESS', undefined])
    expect((await server.ask(`${migrations}/${created.textAt('_id')}`)).status).toBe(404)
  })

  it.each([
    'behind the lake',
    '64B7E1C20F3A5D6E7F809191',
    '64b7e1c20f3a5d6e7f80919g',
    '64b7e1c20f3a5d6e7f809191a',
  ])('accepts a source project that is not an identifier, and returns no ID for it: %s', async (groupId) => {
    const server = await startChecked()
    const source = { clusterName: 'orders-onprem', groupId }
    const created = await create(server, { source }, validations)
    expect([created.status, created.at('sourceGroupId')]).toEqual([200, undefined])
    expect((await create(server, { source }, migrations)).status).toBe(201)
  })

  it("fails with a message if the destination doesn't exist in the project", async () => {
    const server = await startChecked()
    const created = await create(server, { ...unknownCluster, source: {} }, validations)
    expect([created.at('status'), created.at('errorMessage'), created.at('sourceGroupId')]).toEqual([
      'PENDING',
      undefined,
      undefined,
    ])
    await wait(server, 5)
    expect((await server.ask(`${validations}/${created.textAt('_id')}`)).body).toMatchObject({
      status: 'FAILED',
      errorMessage: 'The destination cluster orders-us does not exist in the project.',
    })
  })

  it('fails when a problem is found while it runs', async () => {
    const server = await startChecked()
    const validationId = (await create(server, {}, validations)).textAt('_id')
    const fail = () =>
      server.control('POST', '/migration-validations/fail', {
        groupId: projectId,
        validationId,
        errorMessage: 'No route to the source.',
      })
    expect((await fail()).body).toEqual({ status: 'FAILED' })
    expect((await server.ask(`${validations}/${validationId}`)).at('errorMessage')).toBe(
      'No route to the source.',
    )
    expect((await fail()).status).toBe(409)
  })

  it('of the demo is found; unknown ones and those of other projects are not', async () => {
    const server = await startChecked()
    expect(await statusOf(server, `${validations}/66d4d5e60f3a5d6e7f80e102`)).toBe('FAILED')
    for (const id of [nobodys, '66d4d5e60f3a5d6e7f80e121']) {
      expect((await server.ask(`${validations}/${id}`)).status).toBe(404)
    }
  })
})

describe('the projects that can be migrated from', () => {
  it('are a bare array', async () => {
    const server = await startChecked()
    const { body } = await server.ask(`/orgs/${orgId}/liveMigrations/availableProjects`)
    expect(body).toMatchObject([{ projectId: '64b7e1c20f3a5d6e7f809191', name: 'orders-onprem' }])
  })

  it('are an empty array if there are none', async () => {
    const server = await startChecked()
    const other = '64b7e0a10f3a5d6e7f8090aa'
    const privateKey = demoSecrets.get('orgmembr')
    const roles = [{ role: 'ORGANIZATION_MEMBER', orgId: other }]
    await server.control('POST', '/seed', {
      organizations: [{ id: other, name: 'New' }],
      apiKeys: [{ publicKey: 'orgmembr', privateKey, roles }],
    })
    const asked = await server.ask(`/orgs/${other}/liveMigrations/availableProjects`, { as: 'orgmembr' })
    expect([asked.status, asked.body]).toEqual([200, []])
  })
})

describe('the link token of an organization', () => {
  const tokens = `/orgs/${orgId}/liveMigrations/linkTokens`
  const make = (server: CheckedServer, json: unknown) => server.ask(tokens, { method: 'POST', json })
  const remove = (server: CheckedServer) => server.ask(tokens, { method: 'DELETE' })

  it('is different each time, for some addresses or all', async () => {
    const server = await startChecked()
    const first = await make(server, { accessListIps: ['198.51.100.24', '203.0.113.0/24'] })
    const second = await make(server, {})
    expect([first.status, second.status]).toEqual([200, 200])
    expect(first.textAt('linkToken')).toMatch(/^svc_lt_[\w-]{43}$/)
    expect(second.at('linkToken')).not.toBe(first.at('linkToken'))
  })

  it('can be deleted once', async () => {
    const server = await startChecked()
    expect((await remove(server)).status).toBe(204)
    expect((await remove(server)).at('errorCode')).toBe('RESOURCE_NOT_FOUND')
    await make(server, {})
    expect((await remove(server)).status).toBe(204)
  })

  it('is not stored in plain text', async () => {
    const server = await startChecked()
    const token = (await make(server, {})).textAt('linkToken')
    const again = await server.ask(`/orgs/${orgId}/liveMigrations/availableProjects`)
    expect(again.text).not.toContain(token)
  })

  it('is created and deleted by the owner of the organization', async () => {
    const server = await startChecked()
    expect((await server.askV1(tokens, { method: 'POST', json: {}, as: 'orgmembr' })).status).toBe(403)
    expect((await server.askV1(tokens, { method: 'DELETE', as: 'orgmembr' })).status).toBe(403)
    expect((await server.askV1(tokens, { method: 'DELETE' })).status).toBe(204)
  })
})

describe('a literal path', () => {
  it('takes precedence over a path with a parameter', async () => {
    const server = await startChecked()
    const refused = await server.ask(validations)
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    expect((await server.ask(validations, { method: 'HEAD' })).status).toBe(405)
    expect((await server.askV1(validations, { as: null })).status).toBe(405)
  })
})
