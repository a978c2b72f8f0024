import { limits } from '@svc-admin/types'
import { describe, expect, it } from 'vitest'
import {
  backupOf,
  day,
  goTo,
  item,
  monthlySnapshot,
  ordersEu,
  ordersGlobal,
  patch,
  policies,
  refusal,
  remove,
  unknownId,
  wait,
} from '../../../test/backups.ts'
import { type CheckedServer, projectId, startChecked } from '../../../test/checked-server.ts'

const schedule = `${ordersEu}/schedule`
const archive = backupOf('orders-archive')
const dated = (date: string) => {
  const type = `application/vnd.svc.${date}+json`
  return { accept: type, contentType: type }
}

async function snapshotsOf(server: CheckedServer, backup = archive) {
  const all = await server.ask(`${backup}/snapshots?itemsPerPage=${limits.itemsPerPage.maximum}`)
  return all.listAt('results')
}

describe('a backup schedule', () => {
  it('is empty until it is set', async () => {
    const server = await startChecked()
    const got = await server.ask(`${archive}/schedule`)
    const nothing = {
      clusterName: 'orders-archive',
      autoExportEnabled: false,
      copySettings: [],
      extraRetentionSettings: [],
      policies: [],
      referenceHourOfDay: 0,
      referenceMinuteOfHour: 0,
      useOrgAndGroupNamesInExportPrefix: false,
    }
    expect(got.body).toMatchObject(nothing)
    expect(got.at('nextSnapshot')).toBeUndefined()
    const { policies: set } = policies(item('daily', 1, 5))
    const changed = await patch(server, `${archive}/schedule`, { policies: set })
    expect(changed.body).toMatchObject({ ...nothing, policies: set, nextSnapshot: '2026-03-02T00:00:00Z' })
    expect((await server.ask(`${archive}/schedule`)).body).toEqual(changed.body)
  })

  it('has defaults for unset fields, also if a compliance policy wrote its items', async () => {
    const server = await startChecked()
    const json = { authorizedEmail: 'a@svc.example', scheduledPolicyItems: [item('daily', 1, 7)] }
    await server.ask(`/groups/${projectId}/backupCompliancePolicy`, { method: 'PUT', json })
    expect((await server.ask(`${archive}/schedule`)).body).toMatchObject({
      policies: [{ policyItems: json.scheduledPolicyItems }],
      referenceHourOfDay: 0,
      referenceMinuteOfHour: 0,
      nextSnapshot: '2026-03-02T00:00:00Z',
    })
  })

  it('returns the time of the next snapshot, calculated from its hour and minute', async () => {
    const server = await startChecked()
    expect((await server.ask(schedule)).at('nextSnapshot')).toBe('2026-03-01T14:15:00Z')
    const moved = await patch(server, schedule, { referenceHourOfDay: 17, referenceMinuteOfHour: 40 })
    expect(moved.at('nextSnapshot')).toBe('2026-03-01T17:40:00Z')
    await wait(server, day / 4)
    expect((await server.ask(schedule)).at('nextSnapshot')).toBe('2026-03-01T23:40:00Z')
  })

  it("changes only the fields that are sent, and keeps those that the source doesn't show", async () => {
    const server = await startChecked()
    const before = (await server.ask(schedule)).body
    const body = {
      restoreWindowDays: 3,
      extraRetentionSettings: [{ frequencyType: 'weekly', retentionDays: 2 }],
    }
    const changed = await patch(server, schedule, body)
    expect(changed.body).toEqual({ ...Object(before), ...body })
    expect((await server.ask(schedule)).body).toEqual(changed.body)
    const open = await patch(server, schedule, {
      policies: [{ kept: 1, policyItems: [{ ...item('daily', 1, 5), also: true }] }],
      copySettings: [{ regionName: 'EU_WEST_2', zoneId: unknownId, more: 'x' }],
      restoreWindowDays: 2,
    })
    expect(open.at('policies', 0)).toMatchObject({
      kept: 1,
      policyItems: [{ also: true, retentionValue: 5 }],
    })
    expect(open.at('copySettings')).toEqual([{ regionName: 'EU_WEST_2', zoneId: unknownId, more: 'x' }])
  })

  it('does not return fields that exist only in requests', async () => {
    const server = await startChecked()
    const sent = await patch(server, schedule, { updateSnapshots: false, deleteCopiedBackups: [] })
    expect([sent.at('updateSnapshots'), sent.at('deleteCopiedBackups')]).toEqual([undefined, undefined])
  })

  it('rejects contradictory rules', async () => {
    const server = await startChecked()
    const change = (body: unknown) => patch(server, `${archive}/schedule`, body).then(refusal)
    const shorter = policies(item('weekly', 1, 3), item('daily', 1, 4))
    expect(await change(shorter)).toEqual(['VALIDATION_ERROR', ['/policies/0/policyItems/0/retentionValue']])
    // If there is only one item, no other item's retention can be longer.
    expect((await patch(server, `${archive}/schedule`, policies(item('daily', 1, -1)))).status).toBe(200)
    await remove(server, `${archive}/schedule`)
    expect(await change({ ...policies(item('hourly', 6, 2)), restoreWindowDays: 3 })).toEqual([
      'VALIDATION_ERROR',
      ['/restoreWindowDays'],
    ])
    expect(await change({ restoreWindowDays: 0 })).toEqual(['VALIDATION_ERROR', ['/restoreWindowDays']])
    expect(await change({ policies: [{}, {}] })).toEqual(['VALIDATION_ERROR', ['/policies']])
    expect(await change({ autoExportEnabled: true })).toEqual([
      'VALIDATION_ERROR',
      ['/export/exportBucketId'],
    ])
    expect(await change({ export: { exportBucketId: unknownId } })).toEqual([
      'RESOURCE_NOT_FOUND',
      ['/export/exportBucketId'],
    ])
    expect((await server.ask(`${archive}/schedule`)).at('policies')).toEqual([])
  })

  it('names the stored restore window if an hourly item is too short for it', async () => {
    const server = await startChecked()
    await patch(server, `${archive}/schedule`, { ...policies(item('hourly', 6, 2)), restoreWindowDays: 2 })
    const refused = await patch(server, `${archive}/schedule`, policies(item('hourly', 6, 1)))
    expect(refusal(refused)).toEqual(['VALIDATION_ERROR', ['/policies/0/policyItems/0/retentionValue']])
    expect(refused.textAt('detail')).toBe(
      "The hourly policy item must retain snapshots for at least 2 days, which is the schedule's restore window.",
    )
  })

  it.each([
    [
      'policies',
      policies(item('hourly', 6, 9), item('daily', 1, 2)),
      '/policies/0/policyItems/1/retentionValue',
    ],
    ['a window', { ...policies(item('hourly', 6, 2)), restoreWindowDays: 5 }, '/restoreWindowDays'],
  ])(
    'rejects %s that contradicts the rest of the body, before looking up the cluster',
    async (_, body, pointer) => {
      const server = await startChecked()
      const nobodys = schedule.replace(/clusters\/[^/]+/, 'clusters/nobody')
      expect(refusal(await patch(server, nobodys, body))).toEqual(['VALIDATION_ERROR', [pointer]])
      expect((await patch(server, nobodys, { restoreWindowDays: 5 })).status).toBe(404)
    },
  )

  it('points errors at the field that was sent, not at the one that it contradicts', async () => {
    const server = await startChecked()
    const change = (body: unknown) => patch(server, schedule, body).then(refusal)
    const days = Number((await server.ask(schedule)).at('restoreWindowDays'))
    const [daily, hourly] = [item('daily', 1, days), item('hourly', 6, days - 1)]
    expect(await change(policies(daily, hourly, item('hourly', 12, 1)))).toEqual([
      'VALIDATION_ERROR',
      ['/policies/0/policyItems/1/retentionValue', '/policies/0/policyItems/2/retentionValue'],
    ])
    expect(await change({ restoreWindowDays: 1000 })).toEqual(['VALIDATION_ERROR', ['/restoreWindowDays']])
  })

  it('is emptied on request, and its snapshots remain', async () => {
    const server = await startChecked()
    const emptied = await remove(server, schedule)
    expect([emptied.status, emptied.at('policies'), emptied.at('nextSnapshot')]).toEqual([200, [], undefined])
    expect((await server.ask(schedule)).body).toEqual(emptied.body)
    await wait(server, 30 * day)
    expect(await snapshotsOf(server, ordersEu)).toHaveLength(2)
  })

  it('uses zones from 2024-08-05 on and replication specifications before', async () => {
    const server = await startChecked()
    const zone = '64b7e2d30f3a5d6e7f809312'
    expect((await server.ask(schedule)).at('copySettings', 0)).toMatchObject({ zoneId: zone })
    for (const older of [await server.ask(schedule, dated('2023-01-01')), await server.askV1(schedule)]) {
      expect(older.at('copySettings', 0)).toMatchObject({ replicationSpecId: zone, regionName: 'EU_WEST_1' })
      expect(older.at('copySettings', 0, 'zoneId')).toBeUndefined()
    }
    const body = { copySettings: [{ replicationSpecId: unknownId }], deleteCopiedBackups: [{}] }
    const changed = await patch(server, schedule, body, dated('2024-05-30'))
    expect(changed.at('copySettings')).toEqual([{ replicationSpecId: unknownId }])
    expect((await server.ask(schedule)).at('copySettings')).toEqual([{ zoneId: unknownId }])
    expect((await remove(server, schedule, dated('2023-01-01'))).at('copySettings')).toEqual(
      changed.at('copySettings'),
    )
  })

  it.each([
    ['zoneId', '2023-01-01', 'replicationSpecId', '2024-08-05'],
    ['replicationSpecId', '2024-08-05', 'zoneId', '2023-01-01'],
  ])('stores a %s unknown to %s unchanged, and not as %s of %s', async (name, date, other, later) => {
    const server = await startChecked()
    const settings = (value: unknown) => ({ copySettings: [{ [name]: value, [other]: 'own' }] })
    const sent = await patch(server, schedule, settings(5), dated(date))
    expect([sent.status, sent.at('copySettings')]).toEqual([200, settings(5).copySettings])
    expect((await server.ask(schedule, dated(date))).at('copySettings')).toEqual(settings(5).copySettings)
    expect((await server.ask(schedule, dated(later))).at('copySettings')).toEqual([
      { [name]: 'own', [other]: 5 },
    ])
    const refused = await patch(server, schedule, settings(5), dated(later))
    expect(refusal(refused)).toEqual(['VALIDATION_ERROR', [`/copySettings/0/${name}`]])
  })
})

describe('copies of snapshots', () => {
  const own = `${ordersEu}/snapshots/${monthlySnapshot}`
  const copies = async (server: CheckedServer) => (await server.ask(own)).at('copyRegions')

  it('are deleted if a setting selects them, and the schedule continues to copy', async () => {
    const server = await startChecked()
    const remaining = { deleteCopiedBackups: [{ regionName: 'US_EAST_1' }, {}] }
    expect((await patch(server, schedule, remaining)).status).toBe(200)
    expect(await copies(server)).toEqual(['EU_WEST_1'])
    const named = { cloudProvider: 'AWS', regionName: 'EU_WEST_1', zoneId: '64b7e2d30f3a5d6e7f809312' }
    const changed = await patch(server, schedule, { deleteCopiedBackups: [named] })
    expect(changed.at('copySettings', 0)).toMatchObject(named)
    expect(await copies(server)).toBeUndefined()
  })

  it('are deleted together with the setting, by replication specification before 2024-08-05', async () => {
    const server = await startChecked()
    const body = {
      copySettings: [],
      deleteCopiedBackups: [{ regionName: 'EU_WEST_1', replicationSpecId: '64b7e2d30f3a5d6e7f809312' }],
    }
    expect((await patch(server, schedule, body, dated('2023-01-01'))).at('copySettings')).toEqual([])
    expect(await copies(server)).toBeUndefined()
  })
})

describe('scheduled snapshots', () => {
  it('are taken when the clock passes their time, and expire after their retention', async () => {
    const server = await startChecked()
    await patch(server, `${archive}/schedule`, policies(item('hourly', 6, 1), item('daily', 1, 3)))
    await goTo(server, '2026-03-01T17:59:59Z')
    expect(await snapshotsOf(server)).toEqual([])
    await goTo(server, '2026-03-01T18:00:00Z')
    const [first] = await snapshotsOf(server)
    expect(first).toMatchObject({
      snapshotType: 'scheduled',
      frequencyType: 'hourly',
      status: 'queued',
      createdAt: '2026-03-01T18:00:00Z',
      expiresAt: '2026-03-02T18:00:00Z',
      type: 'replicaSet',
    })
    await goTo(server, '2026-03-02T18:00:00Z')
    expect((await snapshotsOf(server)).map((one) => [one.createdAt, one.frequencyType, one.status])).toEqual([
      ['2026-03-02T00:00:00Z', 'daily', 'completed'],
      ['2026-03-02T06:00:00Z', 'hourly', 'completed'],
      ['2026-03-02T12:00:00Z', 'hourly', 'completed'],
      ['2026-03-02T18:00:00Z', 'hourly', 'queued'],
    ])
    expect((await server.ask(`${archive}/snapshots/${first?.id}`)).status).toBe(404)
  })

  it('name all policy items that apply, and follow the least frequent', async () => {
    const server = await startChecked()
    const weekly = item('weekly', 1, 2, 'weeks')
    const set = await patch(
      server,
      `${archive}/schedule`,
      policies(item('hourly', 12, 2), item('daily', 1, 7), weekly),
    )
    await goTo(server, '2026-03-02T00:00:30Z')
    const ids = [2, 1, 0].map((index) => set.at('policies', 0, 'policyItems', index, 'id'))
    expect(await snapshotsOf(server)).toMatchObject([
      { frequencyType: 'weekly', policyItems: ids, status: 'completed', expiresAt: '2026-03-16T00:00:00Z' },
    ])
  })

  it('are retained longer by the extra days of their frequency', async () => {
    const server = await startChecked()
    const extraRetentionSettings = [{ frequencyType: 'daily', retentionDays: 4 }]
    await patch(server, `${archive}/schedule`, { ...policies(item('daily', 1, 3)), extraRetentionSettings })
    await wait(server, day)
    expect(await snapshotsOf(server)).toMatchObject([{ expiresAt: '2026-03-09T00:00:00Z' }])
  })

  it('get a new retention only on request', async () => {
    const server = await startChecked()
    await patch(server, `${archive}/schedule`, policies(item('daily', 1, 3)))
    await wait(server, day)
    await patch(server, `${archive}/schedule`, policies(item('daily', 1, 9)))
    expect(await snapshotsOf(server)).toMatchObject([{ expiresAt: '2026-03-05T00:00:00Z' }])
    await patch(server, `${archive}/schedule`, { ...policies(item('daily', 1, 9)), updateSnapshots: true })
    expect(await snapshotsOf(server)).toMatchObject([{ expiresAt: '2026-03-11T00:00:00Z' }])
  })

  it('keep the retention of all items that applied, also if the hour or the items change', async () => {
    const server = await startChecked()
    const daily = item('daily', 1, 3)
    const hourly = item('hourly', 12, 2)
    const extraRetentionSettings = [{ frequencyType: 'hourly', retentionDays: 10 }]
    const set = { ...policies(hourly, daily), extraRetentionSettings }
    const own = (await patch(server, `${archive}/schedule`, set)).at('policies')
    await wait(server, day)
    const expiries = async () => (await snapshotsOf(server)).map((one) => [one.frequencyType, one.expiresAt])
    const before = await expiries()
    expect(before).toEqual([
      ['daily', '2026-03-14T00:00:00Z'],
      ['hourly', '2026-03-14T12:00:00Z'],
    ])
    const retain = async (change: object) => {
      const asked = { ...change, updateSnapshots: true }
      expect((await patch(server, `${archive}/schedule`, asked)).status).toBe(200)
      return expiries()
    }
    expect(await retain({})).toEqual(before)
    expect(await retain({ referenceHourOfDay: 5 })).toEqual(before)
    expect(await retain({ referenceHourOfDay: 0, ...policies(hourly, daily) })).toEqual(before)
    expect(await retain(policies(hourly, daily, item('weekly', 1, 30)))).toEqual(before)
    expect(await retain({ policies: own, extraRetentionSettings: [] })).toEqual([
      ['daily', '2026-03-05T00:00:00Z'],
      ['hourly', '2026-03-04T12:00:00Z'],
    ])
  })

  it('are taken once, and quickly, when the clock jumps by centuries', async () => {
    const server = await startChecked()
    await patch(server, `${archive}/schedule`, policies(item('hourly', 1, 2_000_000_000, 'years')))
    await goTo(server, '9000-01-01T00:30:00Z')
    const last = () =>
      server.ask(`${archive}/snapshots?itemsPerPage=${limits.itemsPerPage.maximum}&pageNum=2`)
    const first = await last()
    expect([first.at('totalCount'), first.at('results', 499)]).toMatchObject([
      1000,
      { createdAt: '9000-01-01T00:00:00Z', expiresAt: '9999-12-31T23:59:59Z' },
    ])
    expect((await last()).at('totalCount')).toBe(1000)
    await wait(server, 3600)
    expect((await last()).at('totalCount')).toBe(1001)
  })

  it('cover all shards of a sharded cluster, and are copied as scheduled', async () => {
    const server = await startChecked()
    await goTo(server, '2026-04-01T03:00:12Z')
    const sharded = await server.ask(`${ordersGlobal}/snapshots/shardedClusters`)
    expect(sharded.at('results', 31)).toMatchObject({
      type: 'shardedCluster',
      frequencyType: 'monthly',
      status: 'completed',
      members: [{ replicaSetName: 'orders-global-shard-0' }, { replicaSetName: 'orders-global-shard-1' }],
    })
    expect((await snapshotsOf(server, ordersGlobal)).length).toBe(0)
    const copied = (await snapshotsOf(server, ordersEu)).filter((one) => one.copyRegions !== undefined)
    expect(copied.map((one) => [one.createdAt, one.copyRegions])).toEqual([
      ['2025-11-01T02:15:00Z', ['EU_WEST_1']],
      ['2026-04-01T02:15:00Z', ['EU_WEST_1']],
    ])
  })
})
