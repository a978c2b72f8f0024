import { describe, expect, it, vi } from 'vitest'
import { type CheckedServer, projectId, startChecked } from '../../test/checked-server.ts'
import { readContents } from '../persistence/contents.ts'
import type { Database, Session } from '../persistence/database.ts'
import type { World } from '../world/world.ts'
import { snapshotOf } from './snapshots.ts'

const day = 86_400
const place = { groupId: projectId, clusterName: 'orders-eu' }
const event = { ...place, eventTypeName: 'HOST_DOWN' }

/**
 * Actions that change a world in several steps. If the world is restored between two steps, they could mix old and new
 * data.
 */
const writes: readonly (readonly [string, string, unknown])[] = [
  ['PUT', '/clock', { advanceSeconds: 60 }],
  ['PUT', '/clock', { advanceSeconds: -60 }],
  ['PUT', '/clock', { rate: 2 }],
  ['POST', '/seed', { organizations: [{ id: '64b7e0a10f3a5d6e7f8090aa', name: 'Own' }] }],
  ['POST', '/events', event],
  ['POST', '/access-logs', { ...place, entries: [{ username: 'anna' }] }],
  ['POST', '/backups/snapshots', place],
  ['PUT', '/transitions', { snapshot: { mode: 'manual' } }],
  ['POST', '/outage-simulations', { ...place, clusterName: 'orders-archive' }],
]

const identifier = /(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])/g
const identifiersIn = (text: string): readonly string[] => text.match(identifier) ?? []

/** Returns a world's contents without sizes. Also removes the IDs that aren't in `known`, because they are random. */
async function contentsOf({ world }: CheckedServer, known: ReadonlySet<string>) {
  const { tables, settings } = await world.database.transaction(readContents)
  const rows = [...tables].flatMap(([table, rows]) => rows.map((row) => `${table} ${JSON.stringify(row)}`))
  const all = [...rows, ...[...settings].map(String), JSON.stringify(await world.clock.read())]
  const told = all.map((row) => row.replace(identifier, (id) => (known.has(id) ? id : 'new')))
  return told.map((row) => row.replace(/"size_bytes":\d+/, '')).sort()
}

/** Starts a server whose clock was set ahead, and which has a snapshot to restore. */
async function startAhead() {
  // Disable webhooks, because deliveries would process alerts at unpredictable times.
  const server = await startChecked({ webhooks: false })
  const told = (path: string, body?: unknown, method = 'POST') => server.control(method, path, body)
  const done = async (path: string, body?: unknown, method?: string) =>
    expect((await told(path, body, method)).status).toBe(200)
  await done('/clock', { rate: 0 }, 'PUT')
  const json = { eventTypeName: event.eventTypeName, enabled: true, notifications: [] }
  expect((await server.ask(`/groups/${projectId}/alertConfigs`, { method: 'POST', json })).status).toBe(200)
  const id = (await told('/snapshots')).textAt('id')
  const { tables } = await server.world.database.transaction(readContents)
  const known = new Set(identifiersIn(JSON.stringify([...tables])))
  return {
    server,
    done,
    contents: () => contentsOf(server, known),
    ahead: () => done('/clock', { advanceSeconds: day }, 'PUT'),
    restore: () => done(`/snapshots/${id}/restore`),
  }
}

/** Makes a change once, at the moment between reading the world's clock and using the time. */
function onceTold({ clock }: World, meddle: () => Promise<unknown>) {
  const moment = clock.now
  const reading = clock.read
  const met = vi.fn(meddle)
  const spies = [
    vi.spyOn(clock, 'now').mockImplementation(async (session) => toldOf(await moment(session), session)),
    vi.spyOn(clock, 'read').mockImplementation(async (session) => toldOf(await reading(session), session)),
  ]
  const toldOf = async <T>(told: T, session?: Session): Promise<T> => {
    // In a transaction, code may only await its own statements.
    if (session) return told
    for (const spy of spies) spy.mockRestore()
    await met()
    return told
  }
  return met
}

describe('a control action during a restore', () => {
  it.each(writes)('takes effect after the restore: %s %s %j', async (method, path, body) => {
    const { server, done, contents, ahead, restore } = await startAhead()
    await done(path, body, method)
    const after = await contents()
    await restore()
    await ahead()
    const restored = onceTold(server.world, restore)
    await done(path, body, method)
    expect(restored).toHaveBeenCalledOnce()
    expect(await contents()).toEqual(after)
  })
})

/** Wraps a database so that `next` is called after each transaction, before the caller of the transaction continues. */
const followed = (database: Database, next: () => Promise<unknown>): Database => ({
  ...database,
  transaction: async (body, kind) => {
    const done = await database.transaction(body, kind)
    await next()
    return done
  },
  guarded: (guard) => followed(database.guarded(guard), next),
})

describe('a snapshot', () => {
  it('is consistent, even if the world changes while it is taken', async () => {
    const { server, ahead } = await startAhead()
    const { world } = server
    const before = await world.clock.read()
    const { clock } = await snapshotOf({ ...world, database: followed(world.database, ahead) })
    expect([clock.now, (await world.clock.read()).now]).toEqual([before.now, before.now + day * 1000])
  })
})
