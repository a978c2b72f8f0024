import { loadDemo } from '@svc-admin/spec'
import { describe, expect, it } from 'vitest'
import { exportRole } from '../../test/backups.ts'
import { type CheckedServer, noon, projectId, startChecked } from '../../test/checked-server.ts'
import { readContents } from '../persistence/contents.ts'
import type { RunningWorld } from '../running-server.ts'
import type { World } from '../world/world.ts'
import { resetTo } from './control.ts'
import { seed } from './seed.ts'

/**
 * Fields that don't appear in any response, such as the creation times of tenants and the IDs of access log entries.
 */
const unseen: Readonly<Record<string, readonly string[]>> = {
  organizations: ['created_at'],
  projects: ['created_at'],
  clusters: ['created_at'],
  access_logs: ['id'],
}

async function rowsOf({ database }: World) {
  const { tables } = await database.transaction(readContents)
  const seen = [...tables].map(([table, rows]) => [
    table,
    // Sort the rows, because tables have no defined order.
    rows
      .map((row) => ({
        ...row,
        ...Object.fromEntries((unseen[table] ?? []).map((column) => [column, 'unseen'])),
      }))
      .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  ])
  return Object.fromEntries(seen)
}

const migrationsIn = (server: CheckedServer, { id, world }: RunningWorld) =>
  Promise.all(
    ['66d4d5e60f3a5d6e7f80e001', '66d4d5e60f3a5d6e7f80e002'].map(async (migration) => {
      const path = `/groups/${projectId}/liveMigrations/${migration}`
      const { at } = await server.ask(path, { at: `/worlds/${id}`, nonceOf: world })
      return [at('status'), at('lagTimeSeconds'), at('readyForCutover')]
    }),
  )

const asSeeded = [
  ['WORKING', 42, false],
  ['WORKING', 0, true],
]

describe('a world of the demo organization', () => {
  it.each(['2025-06-01T00:00:00Z', '2026-03-01T12:00:00Z', '2040-01-01T00:00:00Z'])(
    'holds what would be seeded at the time that it starts: %s',
    async (now) => {
      const server = await startChecked()
      const clock = { now, rate: 0 }
      const made = await server.createWorld({ clock })
      const { world: bare } = await server.createWorld({ fixture: 'empty', clock })
      await seed(bare, loadDemo())
      const expected = await rowsOf(bare)
      expect(await rowsOf(made.world)).toEqual(expected)
      await resetTo(server.world, loadDemo(), { now: Date.parse(now), rate: 0 })
      expect(await rowsOf(server.world)).toEqual(expected)
    },
  )

  it('has the same age when it is created long after the first one', async () => {
    let real = noon
    const server = await startChecked({ realTime: () => real })
    for (const days of [0, 6, 400]) {
      real = noon + days * 86_400_000
      expect(await migrationsIn(server, await server.createWorld({ clock: { rate: 0 } }))).toEqual(asSeeded)
    }
  })

  it.each(['2025-06-01T00:00:00Z', '2040-01-01T00:00:00Z'])(
    'has the states of its start time, after creation and after a reset: %s',
    async (now) => {
      const server = await startChecked()
      const clock = { now, rate: 0 }
      const made = await server.createWorld({ id: 'begun', clock })
      expect(await migrationsIn(server, made)).toEqual(asSeeded)
      const other = await server.createWorld({ id: 'reset' })
      expect((await server.control('POST', '/worlds/reset/reset', { clock })).status).toBe(200)
      const at = new Date(now).toISOString()
      expect((await server.control('GET', '/worlds/reset/clock')).body).toEqual({ now: at, rate: 0 })
      expect(await migrationsIn(server, other)).toEqual(asSeeded)
    },
  )

  it('lists new resources after the initial ones, regardless of its start time', async () => {
    const server = await startChecked()
    const { id, world } = await server.createWorld({ clock: { now: '2025-06-01T00:00:00Z', rate: 0 } })
    const within = { at: `/worlds/${id}`, nonceOf: world }
    const buckets = `/groups/${projectId}/backup/exportBuckets`
    const json = { bucketName: 'made', cloudProvider: 'AWS', iamRoleId: exportRole }
    expect((await server.ask(buckets, { ...within, method: 'POST', json })).status).toBe(200)
    const listed = (await server.ask(buckets, within)).listAt('results')
    expect(listed.map(({ bucketName }) => bucketName)).toEqual([
      'lindgren-backup-export',
      'lindgren-quarterly-audit',
      'made',
    ])
  })
})

it.each([{ clock: { now: '1969-01-01T00:00:00Z' } }, { clock: { rate: -1 } }, { clock: { advance: 1 } }])(
  'a reset rejects %j and changes nothing',
  async (body) => {
    const server = await startChecked()
    const before = await rowsOf(server.world)
    const refused = await server.control('POST', '/reset', body)
    expect([refused.status, refused.at('errorCode')]).toEqual([400, 'VALIDATION_ERROR'])
    expect(await rowsOf(server.world)).toEqual(before)
    expect((await server.control('GET', '/clock')).body).toEqual({ now: '2026-03-01T12:00:00.000Z', rate: 1 })
  },
)
