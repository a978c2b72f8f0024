import { loadDemo } from '@svc-admin/spec'
import { describe, expect, it } from 'vitest'
import {
  backupOf,
  day,
  goTo,
  item,
  ordersEu,
  policies,
  unknownId,
  usedBucket,
  wait,
} from '../../test/backups.ts'
import { type CheckedServer, projectId, startChecked } from '../../test/checked-server.ts'

const archive = backupOf('orders-archive')
const seedSchedule = (server: CheckedServer, more: object) =>
  server.control('POST', '/seed', {
    backupSchedules: [{ groupId: projectId, clusterName: 'orders-archive', ...more }],
  })
const countOf = async (server: CheckedServer, backup: string) =>
  Number((await server.ask(`${backup}/snapshots`)).at('totalCount'))

describe('a seeded backup schedule', () => {
  it.each([undefined, '2026-03-05T00:15:00Z', '2027-03-01T00:15:00Z', '2026-03-01T11:15:00Z'])(
    'takes the next snapshot on schedule when the seed has %s',
    async (nextSnapshot) => {
      const server = await startChecked()
      const hourly = { ...policies(item('hourly', 1, 7)), referenceMinuteOfHour: 15 }
      const said = nextSnapshot === undefined ? {} : { nextSnapshot }
      expect((await seedSchedule(server, { ...hourly, ...said })).status).toBe(200)
      expect((await server.ask(`${archive}/schedule`)).at('nextSnapshot')).toBe('2026-03-01T12:15:00Z')
      const before = await countOf(server, archive)
      await wait(server, 3600)
      expect(await countOf(server, archive)).toBe(before + 1)
    },
  )

  it('also takes it in a world that starts before the demo', async () => {
    const server = await startChecked()
    await server.control('POST', '/reset', { clock: { now: '2025-06-01T12:20:00Z', rate: 0 } })
    const before = await countOf(server, ordersEu)
    expect((await server.ask(`${ordersEu}/schedule`)).at('nextSnapshot')).toBe('2025-06-01T14:15:00Z')
    await goTo(server, '2025-06-01T14:15:00Z')
    expect(await countOf(server, ordersEu)).toBe(before + 1)
  })

  it.each([
    ['nobodys', ", not 'nobodys'"],
    ['reports-serverless', ", and 'reports-serverless' is SERVERLESS"],
  ])('requires a cluster with a backup schedule, not %s', async (clusterName, what) => {
    const server = await startChecked()
    const refused = await seedSchedule(server, { ...policies(item('daily', 1, 7)), clusterName })
    expect([refused.status, refused.at('detail')]).toEqual([
      400,
      `In 'backupSchedules[0]': 'clusterName' must be the name of a cluster in the project with scheduled backups${what}.`,
    ])
  })

  it('is removed when its cluster is replaced by one without schedules', async () => {
    const server = await startChecked()
    const [cluster] = (loadDemo().clusters ?? []).filter((one) => one.name === 'orders-eu')
    await server.control('POST', '/seed', { clusters: [{ ...cluster, type: 'SERVERLESS' }] })
    await server.control('POST', '/seed', { clusters: [cluster] })
    expect((await server.ask(`${ordersEu}/schedule`)).at('policies')).toEqual([])
  })

  it('requires an existing bucket if exports are enabled', async () => {
    const server = await startChecked()
    const schedule = (autoExportEnabled: boolean, exportBucketId?: string) =>
      seedSchedule(server, {
        ...policies(item('daily', 1, 7)),
        autoExportEnabled,
        export: { exportBucketId },
      })
    const refused = await schedule(true, unknownId)
    expect([refused.status, refused.at('detail')]).toEqual([
      400,
      `In 'backupSchedules[0]': 'export.exportBucketId' must be the ID of an export bucket in the project, not '${unknownId}'.`,
    ])
    expect((await schedule(true)).at('detail')).toBe(
      "In 'backupSchedules[0]': 'export.exportBucketId' is required when 'autoExportEnabled' is set.",
    )
    expect((await server.ask(`${archive}/schedule`)).at('policies')).toEqual([])
    // A schedule can stop exporting to a bucket, and still contains the bucket's ID after the bucket is deleted.
    expect((await schedule(false, unknownId)).status).toBe(200)
    expect((await schedule(true, usedBucket)).status).toBe(200)
  })
})

it('a snapshot that is seeded while in progress has a size once it is completed', async () => {
  const server = await startChecked()
  const { storageSizeBytes: _, ...snapshot } = loadDemo().snapshots?.[0] ?? {}
  const beingTaken = { ...snapshot, id: unknownId, status: 'inProgress', createdAt: '2026-03-01T11:59:59Z' }
  const content = { snapshots: [{ ...beingTaken, expiresAt: '2026-04-01T00:00:00Z' }] }
  expect((await server.control('POST', '/seed', content)).status).toBe(200)
  const shown = () => server.ask(`${ordersEu}/snapshots/${unknownId}`)
  expect((await shown()).at('storageSizeBytes')).toBeUndefined()
  await wait(server, day)
  expect((await shown()).at('status')).toBe('completed')
  expect(Number((await shown()).at('storageSizeBytes'))).toBeGreaterThan(2 ** 30)
})
