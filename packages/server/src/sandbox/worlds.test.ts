import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type CheckedServer,
  demoSecrets,
  newest,
  projectId,
  startChecked,
} from '../../test/checked-server.ts'
import { digestHeader } from '../../test/digest-client.ts'
import { bearerOf, requestToken } from '../../test/token.ts'
import { driver } from '../persistence/dialects/sqlite-drivers.ts'

const configs = `/groups/${projectId}/alertConfigs`
const json = { eventTypeName: 'HOST_DOWN', notifications: [] }
const path = (world: string) => `/worlds/${world}/api/svc/v2${configs}`

async function within(server: CheckedServer, world: string) {
  const authorization = await bearerOf(`${server.url}/worlds/${world}`)
  const own = { at: `/worlds/${world}`, as: null, headers: { authorization } }
  return {
    list: async () => (await server.ask(configs, own)).listAt('results'),
    create: async () => (await server.ask(configs, { ...own, method: 'POST', json })).textAt('id'),
  }
}

describe('a world', () => {
  it('shares no state, clock or requests with another', async () => {
    const server = await startChecked()
    for (const id of ['one', 'other']) await server.control('POST', '/worlds', { id })
    const one = await within(server, 'one')
    const other = await within(server, 'other')
    const before = await other.list()
    await one.create()
    expect((await one.list()).length).toBe(before.length + 1)
    expect((await other.list()).length).toBe(before.length)
    expect((await server.ask(configs)).at('results')).toHaveLength(before.length)
    await server.control('PUT', '/worlds/one/clock', { now: '2030-01-01T00:00:00Z', rate: 0 })
    expect((await server.control('GET', '/worlds/other/clock')).textAt('now')).toMatch(/^2026/)
    expect((await server.control('GET', '/clock')).textAt('now')).toMatch(/^2026/)
    const seen = (await server.control('GET', '/worlds/other/requests')).at('requests')
    expect(JSON.stringify(seen)).not.toContain('worlds/one')
  })

  it('writes links with its own prefix, and requires Digest for the whole target', async () => {
    const server = await startChecked()
    const { url, world } = await server.createWorld({ id: 'linked' })
    const answer = await server.ask(configs, { at: '/worlds/linked', nonceOf: world })
    expect(answer.status).toBe(200)
    expect(answer.textAt('links', 0, 'href')).toContain(`${url}/api/svc/v2${configs}?`)
    expect(answer.textAt('results', 0, 'links', 0, 'href')).toContain(`${url}/api/svc/v2${configs}/`)
  })

  it('rejects credentials of another', async () => {
    const server = await startChecked()
    for (const id of ['one', 'other']) await server.control('POST', '/worlds', { id })
    const authorization = await bearerOf(`${server.url}/worlds/one`)
    const headers = { authorization, accept: newest }
    const ask = async (world: string) => (await fetch(server.url + path(world), { headers })).status
    expect([await ask('one'), await ask('other')]).toEqual([200, 401])
  })

  it('returns 404 once it is removed, like one that was never created', async () => {
    const server = await startChecked()
    const { id, remove } = await server.createWorld()
    expect((await fetch(server.url + path(id))).status).toBe(401)
    await remove()
    for (const world of [id, 'never']) {
      expect((await fetch(server.url + path(world))).status).toBe(404)
      expect((await server.control('GET', `/worlds/${world}/clock`)).status).toBe(404)
      expect((await server.control('GET', `/worlds/${world}`)).status).toBe(404)
    }
  })

  it('returns 404 without a world, for every path and method', async () => {
    const server = await startChecked({ metrics: true })
    await server.createWorld({ id: 'here' })
    const ask = async (world: string, path: string, method: string) => {
      const { status, headers } = await fetch(`${server.url}/worlds/${world}${path}`, { method })
      return [status, headers.get('allow')]
    }
    const paths = ['/healthz', '/readyz', '/metrics', '/sandbox/credentials.json', `/api/svc/v2${configs}`]
    for (const method of ['GET', 'HEAD', 'PATCH', 'OPTIONS'])
      for (const path of paths) expect(await ask('nope', path, method), path).toEqual([404, null])
    for (const path of paths.slice(0, -1)) expect(await ask('here', path, 'GET'), path).toEqual([200, null])
    const refused = await (await fetch(`${server.url}/worlds/nope/healthz`)).json()
    expect(refused).toMatchObject({ detail: 'No world with the ID nope exists.' })
  })

  it('ends its requests with 404 when it is removed, not with an outage', async () => {
    const lines: string[] = []
    const server = await startChecked({ logLevel: 'error', writeLog: (text) => void lines.push(text) })
    const { id, world, remove } = await server.createWorld()
    const { one, all, transaction } = world.database
    let come = 0
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const waiting =
      <A extends unknown[], T>(go: (...args: A) => Promise<T>) =>
      async (...args: A) => {
        come += 1
        await gate
        return go(...args)
      }
    Object.assign(world.database, {
      one: waiting(one),
      all: waiting(all),
      transaction: waiting(transaction),
    })
    const others = (count: number) => vi.waitFor(() => expect(come).toBeGreaterThanOrEqual(count), 10_000)
    // The background deliveries must have looked for webhooks before these requests are sent.
    await others(1)
    const asked = fetch(server.url + path(id), { headers: { authorization: 'Bearer x' } })
    await others(2)
    const steered = server.control('GET', `/worlds/${id}/outbox`)
    await others(3)
    await remove()
    open()
    expect([(await asked).status, (await steered).status]).toEqual([404, 404])
    await server.stop()
    expect(lines).toEqual([])
  })

  it('generates the same identifiers for the same seed, also after a reset', async () => {
    const server = await startChecked()
    const ids = async (id: string) => {
      await server.control('PUT', `/worlds/${id}/clock`, { now: '2026-01-01T00:00:00Z', rate: 0 })
      const world = await within(server, id)
      return [await world.create(), await world.create()]
    }
    for (const id of ['a', 'b']) await server.control('POST', '/worlds', { id, randomSeed: 'seven' })
    await server.control('POST', '/worlds', { id: 'c', randomSeed: 'eight' })
    const first = await ids('a')
    expect(await ids('b')).toEqual(first)
    expect(await ids('c')).not.toEqual(first)
    await server.control('POST', '/worlds/a/reset')
    expect(await ids('a')).toEqual(first)
  })

  it('generates resource identifiers independently of notifications, whenever they are sent', async () => {
    const { world, control } = await startChecked()
    const notifications = async () => (await control('GET', '/outbox')).at('notifications')
    await notifications()
    const before = world.ids.position()
    // Send the notifications again that have been due since the date of the fixture.
    await control('POST', '/reset')
    const seeded = world.ids.position()
    expect(await notifications()).not.toEqual([])
    expect(world.ids.position()).toBe(seeded)
    expect(seeded).toBe(before)
  })

  it('starts with a fixture, including a custom one', async () => {
    const server = await startChecked()
    const organizations = [{ id: 'a'.repeat(24), name: 'Own' }]
    const projects = [{ id: projectId, orgId: 'a'.repeat(24), name: 'own' }]
    const serviceAccounts = [
      {
        clientId: 'svc_sa_orgowner',
        clientSecret: 'svc_ss_demo01Qm3nJ7cT5pXh2dR8vKw01',
        roles: [{ role: 'ORGANIZATION_OWNER', orgId: 'a'.repeat(24) }],
      },
    ]
    await server.control('PUT', '/fixtures/own', { organizations, projects, serviceAccounts })
    expect((await server.control('GET', '/fixtures')).at('fixtures')).toEqual(['demo', 'empty', 'own'])
    await server.control('POST', '/worlds', { id: 'own', fixture: 'own' })
    expect(await (await within(server, 'own')).list()).toEqual([])
    await server.control('POST', '/worlds/own/reset', { fixture: 'empty' })
    expect((await requestToken(`${server.url}/worlds/own`)).status).toBe(401)
    expect((await server.control('PUT', '/fixtures/demo', {})).status).toBe(400)
    expect((await server.control('POST', '/worlds', { fixture: 'none' })).status).toBe(400)
  })

  it('returns to a snapshot with its clock and its next identifiers', async () => {
    const server = await startChecked()
    await server.control('POST', '/worlds', { id: 'a', randomSeed: 'seven', clock: { rate: 0 } })
    const world = await within(server, 'a')
    const before = await world.list()
    const clock = (await server.control('GET', '/worlds/a/clock')).body
    const id = (await server.control('POST', '/worlds/a/snapshots')).textAt('id')
    const made = [await world.create(), await bearerOf(`${server.url}/worlds/a`)]
    await server.control('PUT', '/worlds/a/clock', { advanceSeconds: 86_400 })
    await server.control('PUT', '/worlds/a/transitions', { snapshot: { mode: 'manual' } })
    expect((await server.control('POST', `/worlds/a/snapshots/${id}/restore`)).status).toBe(200)
    expect(await world.list()).toEqual(before)
    expect((await server.control('GET', '/worlds/a/clock')).body).toEqual(clock)
    const modes = (await server.control('GET', '/worlds/a/transitions')).at('transitions', 'snapshot')
    expect(modes).toEqual({ mode: 'described' })
    expect([await world.create(), await bearerOf(`${server.url}/worlds/a`)]).toEqual(made)
    await server.control('DELETE', `/snapshots/${id}`)
    expect((await server.control('POST', `/worlds/a/snapshots/${id}/restore`)).status).toBe(404)
  })

  it('restores credentials from a snapshot, even those used since', async () => {
    const server = await startChecked()
    const id = (await server.control('POST', '/snapshots')).textAt('id')
    const roles = [{ role: 'PROJECT_READ_ONLY', groupId: projectId }]
    const key = { publicKey: 'norolekk', privateKey: demoSecrets.get('norolekk'), roles }
    await server.control('POST', '/seed', { apiKeys: [key] })
    expect((await server.ask(configs, { as: 'norolekk' })).status).toBe(200)
    await server.control('POST', `/snapshots/${id}/restore`)
    expect((await server.ask(configs, { as: 'norolekk' })).status).toBe(404)
  })

  it('rejects a repeated request after its clock went back', async () => {
    const server = await startChecked()
    const id = (await server.control('POST', '/snapshots')).textAt('id')
    const uri = `/api/svc/v2${configs}`
    const nonce = server.world.nonces.issue(await server.world.clock.now())
    const secret = demoSecrets.get('orgowner') ?? ''
    const authorization = digestHeader({ username: 'orgowner', secret, nonce, method: 'GET', uri })
    const replay = async () => (await server.ask(configs, { as: null, headers: { authorization } })).status
    expect([await replay(), await replay()]).toEqual([200, 401])
    // By then, the nonce has expired and its count has been deleted.
    await server.control('PUT', '/clock', { advanceSeconds: 86_400 })
    expect((await server.ask(configs)).status).toBe(200)
    await server.control('POST', `/snapshots/${id}/restore`)
    expect(await replay()).toBe(401)
  })

  it('rejects a repeated request, although its seed generates the same bytes again', async () => {
    const server = await startChecked()
    await server.control('POST', '/worlds', { id: 'a', randomSeed: 'seven', clock: { rate: 0 } })
    const id = (await server.control('POST', '/worlds/a/snapshots')).textAt('id')
    const restore = () => server.control('POST', `/worlds/a/snapshots/${id}/restore`)
    const uri = path('a')
    const ask = (headers: Record<string, string>) =>
      fetch(server.url + uri, { headers: { accept: newest, ...headers } })
    await restore()
    const challenge = (await ask({})).headers.get('www-authenticate') ?? ''
    const nonce = /nonce="([^"]+)"/.exec(challenge)?.[1] ?? ''
    const secret = demoSecrets.get('orgowner') ?? ''
    const authorization = digestHeader({ username: 'orgowner', secret, nonce, method: 'GET', uri })
    expect((await ask({ authorization })).status).toBe(200)
    await restore()
    await restore()
    expect((await ask({ authorization })).status).toBe(401)
  })

  it('is forked as it is and then changes independently', async () => {
    const server = await startChecked()
    const created = await server.ask(configs, { method: 'POST', json })
    await server.control('PUT', '/clock', { now: '2029-01-01T00:00:00Z', rate: 0 })
    await server.control('POST', '/worlds', { id: 'fork', forkOf: 'main' })
    const fork = await within(server, 'fork')
    expect(JSON.stringify(await fork.list())).toContain(created.textAt('id'))
    expect((await server.control('GET', '/worlds/fork/clock')).textAt('now')).toBe('2029-01-01T00:00:00.000Z')
    await server.ask(`${configs}/${created.textAt('id')}`, { method: 'DELETE' })
    expect(JSON.stringify(await fork.list())).toContain(created.textAt('id'))
    await server.control('POST', '/snapshots')
    await server.control('POST', '/worlds', { id: 'third', snapshot: 'snapshot-1' })
    expect(JSON.stringify(await (await within(server, 'third')).list())).not.toContain(created.textAt('id'))
  })

  it('with an earlier start time takes its scheduled snapshots from then on', async () => {
    const server = await startChecked()
    await server.control('POST', '/worlds', {
      id: 'earlier',
      clock: { now: '2025-11-18T10:00:00Z', rate: 0 },
    })
    const snapshots = `/groups/${projectId}/clusters/orders-eu/backup/snapshots`
    const count = async () => {
      const authorization = await bearerOf(`${server.url}/worlds/earlier`)
      const own = { at: '/worlds/earlier', as: null, headers: { authorization } }
      return Number((await server.ask(snapshots, own)).at('totalCount'))
    }
    const before = await count()
    await server.control('PUT', '/worlds/earlier/clock', { now: '2025-11-18T14:15:00Z' })
    expect(await count()).toBe(before + 1)
  })

  it.each([
    [{ id: 'Upper' }],
    [{ id: '../x' }],
    [{ fixture: 'demo', forkOf: 'main' }],
    [{ clock: { rate: -1 } }],
    [{ clock: 5 }],
    [{ clock: { advanceSeconds: 1e300 } }],
  ])("can't be created from %j", async (body) => {
    const server = await startChecked()
    expect((await server.control('POST', '/worlds', body)).status).toBe(400)
    expect((await server.control('GET', '/worlds')).at('worlds')).toHaveLength(1)
  })

  it('keeps its ID, and the main world remains', async () => {
    const server = await startChecked()
    await server.control('POST', '/worlds', { id: 'a' })
    expect((await server.control('POST', '/worlds', { id: 'a' })).body).toMatchObject({
      error: 409,
      errorCode: 'DUPLICATE_NAME',
    })
    expect((await server.control('DELETE', '/worlds/main')).status).toBe(400)
  })

  it('leaves no file behind', async () => {
    // Use a separate folder, because other tests create worlds in the shared folder at the same time.
    const own = mkdtempSync(join(tmpdir(), 'svc-admin-own-'))
    onTestFinished(() => rmSync(own, { recursive: true }))
    for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, own)
    onTestFinished(() => void vi.unstubAllEnvs())
    const files = () => readdirSync(own).filter((name) => name.startsWith('svc-admin-worlds-'))
    const server = await startChecked()
    await Promise.all([1, 2, 3].map(() => server.createWorld()))
    expect(files()).toHaveLength(1)
    await server.stop()
    expect(files()).toEqual([])
  })

  it("doesn't exist on a server without a sandbox", async () => {
    const server = await startChecked({ sandbox: false })
    expect((await fetch(server.url + path('main'))).status).toBe(404)
    await expect(server.createWorld()).rejects.toThrow(/sandbox/)
  })

  it('reject unsupported fields', async () => {
    const server = await startChecked()
    const wanted: object = { bogus: 1 }
    await expect(server.createWorld(wanted)).rejects.toThrow(
      "A world has an unknown field 'bogus'. Allowed fields: id, fixture, forkOf, snapshot, randomSeed",
    )
  })

  it.each([
    [{ id: 'Bad Id' }, "'id' must consist of"],
    [{ id: '../escape' }, "'id' must consist of"],
    [{ id: 5 }, "'id' must be a string"],
    [{ randomSeed: 5 }, "'randomSeed' must be a string"],
    [{ fixture: 'empty', forkOf: 'main' }, "Only one of 'fixture', 'forkOf' and 'snapshot' is allowed"],
    [{ clock: { rat: 0 } }, "'clock' has an unknown field 'rat'"],
    [{ clock: { rate: -1 } }, "'rate' must not be negative"],
    [[], 'The options of a world must be an object'],
  ])('validate the same in the library and the control interface: not %j', async (wanted: object, detail) => {
    const server = await startChecked()
    await expect(server.createWorld(wanted)).rejects.toThrow(detail)
    expect((await server.control('POST', '/worlds', wanted)).status).toBe(400)
    expect((await server.control('GET', '/worlds')).at('worlds')).toHaveLength(1)
  })

  it('start at a given time, also through the library', async () => {
    const server = await startChecked()
    const { world } = await server.createWorld({ clock: { now: '2030-01-01T00:00:00Z', rate: 0 } })
    expect(await world.clock.read()).toEqual({ now: Date.UTC(2030, 0), rate: 0 })
  })

  it('have a unique ID, even if created concurrently', async () => {
    const server = await startChecked()
    const made = await Promise.allSettled([1, 2, 3].map(() => server.createWorld({ id: 'same' })))
    expect(made.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect((await server.control('GET', '/worlds')).at('worlds')).toHaveLength(2)
  })

  it('free their ID and their database if creation fails', async () => {
    const server = await startChecked()
    const { open } = driver
    const closed = vi.fn()
    const opened = vi.spyOn(driver, 'open').mockImplementation((path) => {
      const file = open(path)
      vi.spyOn(file, 'close').mockImplementation(closed)
      return file
    })
    const wanted = { id: 'failing', clock: { now: '9999-12-31T00:00:00Z', advanceSeconds: 1e12 } }
    for (const _ of [1, 2]) expect((await server.control('POST', '/worlds', wanted)).status).toBe(400)
    expect(opened).toHaveBeenCalledTimes(2)
    expect(closed).toHaveBeenCalledTimes(2)
    opened.mockRestore()
    expect((await server.control('POST', '/worlds', { id: 'failing' })).status).toBe(200)
  })
})
