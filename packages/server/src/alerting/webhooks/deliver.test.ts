import { mkdtempSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, describe, expect, it, vi } from 'vitest'
import {
  type CheckedServer,
  noon,
  projectId,
  type RequestOptions,
  startChecked,
} from '../../../test/checked-server.ts'
import { persistentDatabase } from '../../../test/databases.ts'
import { startReceiver } from '../../../test/receiver.ts'
import { deliveries } from '../../persistence/deliveries.ts'
import { type Slots, statement } from '../../persistence/statement.ts'
import { settleAlerts, settleEverything } from '../settle.ts'
import { createDeliverer } from './deliverer.ts'
import { retryWaits } from './retry.ts'

const folder = mkdtempSync(join(tmpdir(), 'deliver-'))
afterAll(() => rmSync(folder, { recursive: true }))

const leaseForEver = statement((db, _: Slots<Record<never, never>>) =>
  db.updateTable('webhook_deliveries').set({ leased_until: 9e15 }),
)

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
/**
 * Disables the background deliveries, because the tests in this file trigger deliveries themselves. A background
 * delivery would interfere like a second process.
 */
const quiet = { webhooks: false, webhookLoopback: true }

/** Delays responses until the test releases them. */
function holder() {
  const held: ServerResponse[] = []
  let open = false
  const answer = (response: ServerResponse) => response.writeHead(204).end()
  return {
    hold: (_: unknown, response: ServerResponse) => {
      if (open) answer(response)
      else held.push(response)
    },
    release: async () => {
      open = true
      await Promise.all(
        held.map((response) => new Promise<void>((done) => answer(response).once('close', done))),
      )
    },
  }
}

async function watch(
  server: CheckedServer,
  webhookUrl: string,
  change: Record<string, unknown> = {},
  where: RequestOptions = {},
) {
  const notifications = [{ typeName: 'WEBHOOK', webhookUrl, webhookSecret: secret, ...change }]
  const json = { eventTypeName: 'DISK_FULL', enabled: true, notifications }
  const created = await server.ask(`/groups/${projectId}/alertConfigs`, { method: 'POST', json, ...where })
  return created.textAt('id')
}

const strike = (server: CheckedServer, port = '1', world = '') =>
  server.control('POST', `${world}/events`, {
    groupId: projectId,
    eventTypeName: 'DISK_FULL',
    fields: { PORT: port },
  })

const attempts = async (server: CheckedServer) =>
  (await server.control('POST', '/outbox/deliver')).at('attempts')

const latest = async (server: CheckedServer): Promise<unknown> => {
  const all = (await server.control('GET', '/outbox')).listAt('notifications')
  // Notifications about the demo's own alerts have no delivery.
  return all.map(({ delivery }) => delivery).findLast(Boolean)
}

describe('a webhook notification', () => {
  it('delays a stop no longer than requests do, and is retried after the next start', async () => {
    const { url, received } = await startReceiver(() => {})
    const database = await persistentDatabase()
    const stopTimeout = 100
    const server = await startChecked({ ...quiet, database, stopTimeout, webhookTimeout: 60_000 })
    await watch(server, url)
    await strike(server)
    const asked = attempts(server).catch(() => undefined)
    await vi.waitUntil(() => received.length > 0)
    const began = performance.now()
    await server.stop()
    expect(performance.now() - began).toBeLessThan(10_000)
    await asked
    const next = await startChecked({ ...quiet, database })
    expect(await latest(next)).toMatchObject({
      outcome: 'pending',
      attempts: 1,
      lastAttempt: { error: expect.stringContaining('stopped') },
    })
  })

  it('is sent once, signed so that the published library verifies it', async () => {
    const { url, received } = await startReceiver()
    const server = await startChecked({ ...quiet, realTime: Date.now })
    const alertConfigId = await watch(server, url)
    await strike(server)
    expect([await attempts(server), await attempts(server)]).toEqual([1, 0])
    const { headers, body = '' } = received[0] ?? { headers: {} }
    const sent = new Webhook(secret).verify(
      body,
      Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, String(v)])),
    )
    expect(sent).toMatchObject({ type: 'alert.open', data: { alertConfigId, eventTypeName: 'DISK_FULL' } })
    expect(JSON.stringify(sent)).not.toContain(secret)
    expect(await latest(server)).toMatchObject({
      outcome: 'delivered',
      attempts: 1,
      lastAttempt: { status: 204 },
    })
  })

  it("is retried on the standard's schedule with the same id and body, then fails", async () => {
    const { url, received } = await startReceiver((_, response) => response.writeHead(500).end())
    const server = await startChecked(quiet)
    await watch(server, url)
    await strike(server)
    expect(await attempts(server)).toBe(1)
    for (const wait of retryWaits) {
      await server.control('PUT', '/clock', { advanceSeconds: wait / 1000 - 1 })
      expect(await attempts(server)).toBe(0)
      await server.control('PUT', '/clock', { advanceSeconds: 1 })
      expect(await attempts(server)).toBe(1)
    }
    expect(await latest(server)).toMatchObject({
      outcome: 'failed',
      attempts: 10,
      lastAttempt: { status: 500 },
    })
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
  })

  it('is retried relative to the new time if the clock is set back', async () => {
    const { url, received } = await startReceiver((_, response) => response.writeHead(500).end())
    const server = await startChecked(quiet)
    await watch(server, url)
    await strike(server)
    await attempts(server)
    await server.control('PUT', '/clock', { advanceSeconds: -86_400 })
    expect([await attempts(server), received.length]).toEqual([1, 2])
  })

  it('honors Retry-After, and fails on 410', async () => {
    const { url } = await startReceiver(
      (_, response) => response.writeHead(429, { 'retry-after': '3600' }).end(),
      (_, response) => response.writeHead(410).end(),
    )
    const server = await startChecked(quiet)
    await watch(server, url)
    await strike(server)
    await attempts(server)
    expect(await latest(server)).toMatchObject({ nextAttempt: '2026-03-01T13:00:00Z' })
    await server.control('PUT', '/clock', { advanceSeconds: 3600 })
    await attempts(server)
    expect(await latest(server)).toMatchObject({ outcome: 'failed', attempts: 2 })
  })

  it("can't reach this machine by address or name unless allowed", async () => {
    const { url, port, received } = await startReceiver()
    const findAddresses = async () => [{ address: '127.0.0.1', family: 4 }]
    const server = await startChecked({ webhooks: false, findAddresses })
    for (const address of [url, `http://hooks.example.com:${port}/`]) {
      await watch(server, address)
      await strike(server, address)
      await attempts(server)
      expect(await latest(server)).toMatchObject({
        outcome: 'failed',
        lastAttempt: {
          error: expect.stringMatching(
            /^Webhooks cannot be sent to the address 127\.0\.0\.1, unless .* --webhook-loopback$/,
          ),
        },
      })
    }
    expect(received).toEqual([])
  })

  it("is signed with the current secret, and isn't sent without a configuration", async () => {
    const { url, received } = await startReceiver((_, response) => response.writeHead(503).end())
    const server = await startChecked({ ...quiet, realTime: Date.now })
    const id = await watch(server, url)
    await strike(server)
    await attempts(server)
    const path = `/groups/${projectId}/alertConfigs/${id}`
    const notifications = (await server.ask(path)).at('notifications')
    const rotated = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const changed = Array.isArray(notifications) ? [{ ...notifications[0], webhookSecret: rotated }] : []
    const json = { eventTypeName: 'DISK_FULL', enabled: true, notifications: changed }
    await server.ask(path, { method: 'PUT', json })
    await server.control('PUT', '/clock', { advanceSeconds: 5 })
    await attempts(server)
    const { headers, body = '' } = received[1] ?? { headers: {} }
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    expect(() => new Webhook(rotated).verify(body, given)).not.toThrow()
    await server.ask(path, { method: 'DELETE' })
    await server.control('PUT', '/clock', { advanceSeconds: 300 })
    await attempts(server)
    expect(received.length).toBe(2)
    expect(await latest(server)).toMatchObject({ outcome: 'failed', attempts: 2 })
  })

  it('is sent automatically when it is due', async () => {
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const { url } = await startReceiver((_, response) => {
      response.writeHead(204).end()
      arrive()
    })
    const server = await startChecked({ webhookLoopback: true })
    await watch(server, url, { delayMin: 10 })
    await strike(server)
    await server.control('PUT', '/clock', { advanceSeconds: 600 })
    await arrived
  })

  it('that is already being sent is awaited and counted by a request to send all', async () => {
    const { hold, release } = holder()
    const { url, received } = await startReceiver(hold)
    const server = await startChecked({ webhookLoopback: true })
    await watch(server, url)
    await strike(server)
    await vi.waitFor(() => expect(received).toHaveLength(1), 5000)
    const made = attempts(server)
    // When this request returns, all earlier requests have reached the server.
    await server.control('GET', '/clock')
    await release()
    expect(await made).toBe(1)
    expect(await latest(server)).toMatchObject({ outcome: 'delivered', attempts: 1 })
  })

  it("that hangs doesn't block later ones in any world", async () => {
    const { hold, release } = holder()
    const [hanging, quick] = [await startReceiver(hold), await startReceiver()]
    const server = await startChecked({ webhookLoopback: true, webhookTimeout: 60_000 })
    const other = await server.createWorld({ id: 'other' })
    await watch(server, hanging.url)
    await strike(server)
    await vi.waitFor(() => expect(hanging.received).toHaveLength(1), 5000)
    await watch(server, quick.url)
    await watch(server, quick.url, {}, { at: '/worlds/other', nonceOf: other.world })
    await strike(server, '2')
    await vi.waitFor(() => expect(quick.received).toHaveLength(1), 5000)
    await strike(server, '3', '/worlds/other')
    await vi.waitFor(() => expect(quick.received).toHaveLength(2), 5000)
    await release()
  })

  it('is sent in a world next to an idle one', async () => {
    const { url, received } = await startReceiver()
    const lines: string[] = []
    const writeLog = (text: string) => lines.push(text)
    const server = await startChecked({ webhookLoopback: true, logLevel: 'error', writeLog })
    const broken = await server.createWorld({ id: 'broken' })
    const other = await server.createWorld({ id: 'other' })
    vi.spyOn(broken.world.clock, 'now').mockRejectedValue(new Error('It is no time'))
    await watch(server, url, {}, { at: '/worlds/other', nonceOf: other.world })
    await strike(server, '1', '/worlds/other')
    await vi.waitFor(() => expect(received).toHaveLength(1), 5000)
    await server.stop()
    expect(lines.join()).toContain('It is no time')
  })

  it('waits in the database while the server is down', async () => {
    const database = join(folder, 'down.db')
    const { url, received } = await startReceiver(
      (_, response) => response.writeHead(500).end(),
      (_, r) => r.end(),
    )
    const first = await startChecked({ ...quiet, database })
    await watch(first, url)
    await strike(first)
    await attempts(first)
    await first.stop()
    const second = await startChecked({ ...quiet, database })
    await second.control('PUT', '/clock', { advanceSeconds: 5 })
    expect(await attempts(second)).toBe(1)
    expect(received.length).toBe(2)
  })

  it('is retried after its process was killed', async () => {
    const database = join(folder, 'killed.db')
    const { url, received } = await startReceiver()
    const first = await startChecked({ ...quiet, database })
    await watch(first, url)
    await strike(first)
    await first.world.database.all(leaseForEver, {})
    expect(await attempts(first)).toBe(0)
    await first.stop()
    const second = await startChecked({ ...quiet, database })
    expect(await attempts(second)).toBe(1)
    expect(received.length).toBe(1)
  })

  it('is claimed by another process once the lease of a dead one expires, whose result is then ignored', async () => {
    const { url, received } = await startReceiver()
    const server = await startChecked(quiet)
    await watch(server, url)
    await strike(server)
    await settleEverything(server.world, noon)
    const { database } = server.world
    const claim = { now: noon, real: noon, limit: 10 }
    const until = noon + 40_000
    const [taken, ...others] = await database.transaction((own) => deliveries.claim(own, claim, until))
    expect([taken?.attempts, others]).toEqual([0, []])
    const deliverAt = (real: number) =>
      createDeliverer({ loopback: true, timeout: 5000, realTime: () => real }).deliver(server.world)
    expect([await deliverAt(until - 1), received.length]).toEqual([0, 0])
    expect([await deliverAt(until), received.length]).toEqual([1, 1])
    const late = { id: taken?.id ?? '', attempts: 1 }
    await deliveries.settle(database, late, 'pending', { at: 'late' }, noon)
    expect(await latest(server)).toMatchObject({ outcome: 'delivered', attempts: 2 })
    expect([await deliverAt(until), received.length]).toEqual([0, 1])
  })

  it("stays with its world when the world is forked, and isn't sent twice", async () => {
    const { url, received } = await startReceiver((_, response) => response.writeHead(500).end())
    const server = await startChecked(quiet)
    await watch(server, url)
    await strike(server)
    await attempts(server)
    await server.control('POST', '/worlds', { id: 'fork', forkOf: 'main' })
    const snapshot = (await server.control('POST', '/snapshots')).textAt('id')
    await server.control('POST', '/worlds', { id: 'copy', snapshot })
    for (const world of ['fork', 'copy']) {
      await server.control('PUT', `/worlds/${world}/clock`, { advanceSeconds: 3600 })
      expect((await server.control('POST', `/worlds/${world}/outbox/deliver`)).at('attempts')).toBe(0)
      const kept = JSON.stringify((await server.control('GET', `/worlds/${world}/outbox`)).body)
      expect(kept).toContain('"outcome":"failed","attempts":1')
    }
    expect(received).toHaveLength(1)
    await server.control('PUT', '/clock', { advanceSeconds: 5 })
    expect([await attempts(server), received.length]).toEqual([1, 2])
  })

  it("isn't sent early in a world that is rewound while it is settled", async () => {
    const server = await startChecked(quiet)
    await watch(server, 'http://127.0.0.1:9/', { delayMin: 10 })
    await strike(server)
    const id = (await server.control('POST', '/snapshots')).textAt('id')
    await server.control('PUT', '/clock', { advanceSeconds: 600 })
    const now = await server.world.clock.now()
    await server.control('POST', `/snapshots/${id}/restore`)
    await settleEverything(server.world, now)
    await settleAlerts(server.world, projectId, now)
    const open = await server.ask(`/groups/${projectId}/alerts?status=OPEN`)
    expect(open.text).not.toContain('DISK_FULL')
    const alerts = await server.ask(`/groups/${projectId}/alerts?status=TRACKING`)
    expect(alerts.text).toContain('DISK_FULL')
  })

  it('is sent once by concurrent deliveries', async () => {
    const { url, received } = await startReceiver()
    const server = await startChecked(quiet)
    await watch(server, url)
    for (let port = 0; port < 30; port += 1) await strike(server, String(port))
    const options = { loopback: true, timeout: 5000, realTime: Date.now }
    const made = await Promise.all([1, 2, 3].map(() => createDeliverer(options).deliver(server.world)))
    expect(made.reduce((sum, one) => sum + one)).toBe(30)
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(30)
    expect(received.length).toBe(30)
  })

  it('of another type is only stored in the outbox', async () => {
    const server = await startChecked(quiet)
    await watch(server, '', { typeName: 'EMAIL', emailAddress: 'ops@lindgren.example' })
    await strike(server)
    expect(await attempts(server)).toBe(0)
    expect(await latest(server)).toBeUndefined()
  })
})
