import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadDemo } from '@svc-admin/spec'
import { limits } from '@svc-admin/types'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startChecked } from '../../test/checked-server.ts'
import { persistentDatabase } from '../../test/databases.ts'
import { credentials } from '../persistence/credentials.ts'
import { type Database, openDatabase, UnavailableError } from '../persistence/database.ts'
import { migrate } from '../persistence/migrate.ts'
import { createWorld } from '../world/world.ts'
import { moveClock } from './clock-change.ts'
import { resetTo } from './control.ts'
import { seed } from './seed.ts'
import { restoreInto, snapshotOf } from './snapshots.ts'
import { templateOf } from './templates.ts'

const day = 86_400
const tokenLifetime = limits.tokenLifetime.seconds
const key = { publicKey: 'addedkey', privateKey: 'a-secret-of-the-test', roles: [] }

/**
 * Creates a world that contains the demo, a snapshot and later changes. When the snapshot is restored, the disk fails.
 */
async function changedWorld() {
  const opened = await openDatabase(await persistentDatabase())
  onTestFinished(() => opened.close())
  await migrate(opened)
  let hasGoneBack = () => false
  let broken = false
  const unlessBroken = <T>(run: () => Promise<T>): Promise<T> =>
    broken ? Promise.reject(new UnavailableError('unavailable')) : run()
  const database: Database = {
    ...opened,
    all: (spec, values) => unlessBroken(() => opened.all(spec, values)),
    one: (spec, values) => unlessBroken(() => opened.one(spec, values)),
    transaction: (body, kind) =>
      unlessBroken(() => opened.transaction(body, kind)).then((done) => {
        broken = hasGoneBack()
        return done
      }),
  }
  const world = await createWorld(database, { nonceLifetime: 300, tokenLifetime, sandbox: true })
  await seed(world, loadDemo())
  await world.clock.set({ rate: 0 })
  const snapshot = await snapshotOf(world)
  await moveClock(world, { advanceSeconds: day })
  await seed(world, { apiKeys: [key] })
  const { transitions } = world.sandbox ?? {}
  if (!transitions) throw new Error('The world is no sandbox')
  await transitions.set(new Map([['snapshot', { mode: 'manual' }]]), await world.clock.now())
  await transitions.release(['snapshot'], await world.clock.now())
  const now = await world.clock.now()
  const token = { clientId: 'svc_sa_orgowner', expiresAt: now + tokenLifetime * 1000 }
  await credentials.insertToken(world.database, 'a-hash', token, now)
  const breakThen = () => {
    const turns = world.clock.rewinds()
    hasGoneBack = () => world.clock.rewinds() !== turns
  }
  const mend = () => {
    broken = false
  }
  // Returns all data that can affect a response.
  const shown = async () => {
    const now = await world.clock.now()
    const token = await world.principals.token('a-hash')
    return {
      hasKey: (await world.principals.apiKey(key.publicKey)) !== undefined,
      tokenLasts: token && (token.expiresAt - now) / 1000,
      mode: transitions.all().snapshot?.mode,
    }
  }
  return { world, snapshot, breakThen, mend, shown }
}

const before = { hasKey: true, tokenLasts: tokenLifetime, mode: 'manual' }
const asItWas = { hasKey: false, tokenLasts: undefined, mode: 'described' }

it.each([
  ['reset', asItWas],
  ['restored', asItWas],
  ['set back', before],
])('a world that was %s is complete, although the disk fails right afterwards', async (way, expected) => {
  const { world, snapshot, breakThen, mend, shown } = await changedWorld()
  expect(await shown()).toEqual(before)
  const put: Readonly<Record<string, () => Promise<void>>> = {
    reset: () => resetTo(world, loadDemo()),
    restored: () => restoreInto(world, snapshot, 'itself'),
    'set back': () => moveClock(world, { advanceSeconds: -day }),
  }
  breakThen()
  // This request may fail because the database is unavailable.
  await put[way]?.().catch(() => {})
  mend()
  expect(await shown()).toEqual(expected)
})

/** Makes it impossible to create temporary files, as if the disk were full. */
const withoutRoom = () => vi.stubEnv('TMPDIR', join(tmpdir(), 'there', 'is', 'none'))

it('creating worlds on a full disk fails like an outage, and succeeds once there is room', async () => {
  const server = await startChecked()
  onTestFinished(() => void vi.unstubAllEnvs())
  withoutRoom()
  const { status, body, headers } = await server.control('POST', '/worlds', { id: 'one' })
  expect([status, body, headers.get('retry-after')]).toMatchObject([503, { errorCode: 'UNAVAILABLE' }, '5'])
  vi.unstubAllEnvs()
  expect((await server.control('POST', '/worlds', { id: 'one' })).status).toBe(200)
})

it("a template that couldn't be created is created on the next attempt", async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  withoutRoom()
  const template = () => templateOf('of this test', () => ({}))
  await expect(template()).rejects.toThrow(UnavailableError)
  vi.unstubAllEnvs()
  expect((await template()).file.length).toBeGreaterThan(0)
})
