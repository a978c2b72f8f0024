import { limits } from '@svc-admin/types'
import { describe, expect, it } from 'vitest'
import {
  day,
  freeBucket,
  goTo,
  item,
  monthlySnapshot,
  ordersEu,
  ordersGlobal,
  patch,
  policies,
  post,
  refusal,
  remove,
  unknownId,
  wait,
} from '../../../test/backups.ts'
import { type CheckedServer, projectId, startChecked } from '../../../test/checked-server.ts'

const exports = `${ordersEu}/exports`
const request = {
  exportBucketId: freeBucket,
  snapshotId: monthlySnapshot,
  customData: [{ key: 'purpose', value: 'audit', more: [1] }],
}
const start = async (server: CheckedServer) => {
  const { textAt } = await post(server, exports, request)
  return { groupId: projectId, clusterName: 'orders-eu', exportId: textAt('id') }
}

describe('an export job', () => {
  it('is returned in its current state if it takes no time', async () => {
    const server = await startChecked()
    await server.control('PUT', '/transitions', { 'export-job': { mode: 'immediate' } })
    const started = await post(server, exports, request)
    expect(started.at('state')).toBe('Successful')
    expect((await server.ask(`${exports}/${started.textAt('id')}`)).body).toEqual(started.body)
  })

  it('is queued, then in progress, then successful', async () => {
    const server = await startChecked()
    const started = await post(server, exports, request)
    expect([started.status, started.body]).toMatchObject([
      200,
      {
        ...request,
        state: 'Queued',
        createdAt: '2026-03-01T12:00:00Z',
        exportStatus: { exportedCollections: 0 },
      },
    ])
    const own = `${exports}/${started.textAt('id')}`
    const total = Number(started.at('exportStatus', 'totalCollections'))
    await wait(server, 7)
    const half = await server.ask(own)
    expect(half.body).toMatchObject({ state: 'InProgress', exportStatus: { totalCollections: total } })
    expect(half.at('exportStatus', 'exportedCollections')).toBe(Math.floor(total / 2))
    await wait(server, 5)
    const done = await server.ask(own)
    expect(done.body).toMatchObject({
      ...request,
      state: 'Successful',
      finishedAt: '2026-03-01T12:00:12Z',
      exportStatus: { exportedCollections: total, totalCollections: total },
      prefix: `exported_snapshots/64b7e0a10f3a5d6e7f809001/${projectId}/orders-eu/2025-11-01T0215`,
    })
    expect((await server.askV1(exports)).at('results', 2)).toMatchObject({
      id: done.at('id'),
      state: 'Successful',
    })
  })

  it('can be failed or canceled by the service, with a reason', async () => {
    const server = await startChecked()
    const first = await start(server)
    await server.control('POST', '/backups/exports/fail', { ...first, errorCode: 'ACCESS_DENIED' })
    expect((await server.ask(`${exports}/${first.exportId}`)).body).toMatchObject({
      state: 'Failed',
      stateReason: { errorCode: 'ACCESS_DENIED' },
      finishedAt: '2026-03-01T12:00:00Z',
    })
    const second = await start(server)
    await wait(server, 3)
    await server.control('POST', '/backups/exports/cancel', second)
    await wait(server, 100)
    expect((await server.ask(`${exports}/${second.exportId}`)).at('state')).toBe('Cancelled')
    expect((await server.control('POST', '/backups/exports/fail', second)).at('errorCode')).toBe(
      'INVALID_STATE',
    )
    const third = { ...second, exportId: unknownId }
    expect((await server.control('POST', '/backups/exports/fail', third)).status).toBe(404)
  })

  it.each([
    [
      'its bucket is',
      'Queued',
      0,
      `/groups/${projectId}/backup/exportBuckets/${freeBucket}`,
      'EXPORT_BUCKET_REMOVED',
    ],
    ['its snapshot is', 'Queued', 0, `${ordersEu}/snapshots/${monthlySnapshot}`, 'SNAPSHOT_REMOVED'],
    ['its snapshot is', 'InProgress', 5, `${ordersEu}/snapshots/${monthlySnapshot}`, 'SNAPSHOT_REMOVED'],
  ])(
    "fails when %s removed while it is %s; a finished export doesn't change",
    async (_, state, seconds, path, errorCode) => {
      const server = await startChecked()
      const over = await start(server)
      await wait(server, 60)
      const { exportId } = await start(server)
      await wait(server, seconds)
      expect((await server.ask(`${exports}/${exportId}`)).at('state')).toBe(state)
      expect((await remove(server, path)).status).toBe(204)
      const failed = { state: 'Failed', stateReason: { errorCode } }
      expect((await server.ask(`${exports}/${exportId}`)).body).toMatchObject(failed)
      await wait(server, 60)
      expect((await server.ask(`${exports}/${exportId}`)).body).toMatchObject(failed)
      expect((await server.ask(`${exports}/${over.exportId}`)).at('state')).toBe('Successful')
    },
  )

  describe('of a scheduled snapshot', () => {
    const newest = async (server: CheckedServer, list: string) => {
      const all = await server.ask(`${ordersEu}/${list}?itemsPerPage=${limits.itemsPerPage.maximum}`)
      return all.listAt('results').at(-1)
    }
    const states = async (server: CheckedServer) => [
      (await newest(server, 'snapshots'))?.status,
      (await newest(server, 'exports'))?.state,
    ]
    const began = '2026-04-01T02:15:00Z'
    const advance = (server: CheckedServer, machine: string) =>
      server.control('POST', '/transitions/advance', { machine })

    it('waits until the snapshot is completed, however that is decided', async () => {
      const server = await startChecked()
      await server.control('PUT', '/transitions', { snapshot: { mode: 'manual' } })
      await goTo(server, began)
      await wait(server, 3600)
      expect(await states(server)).toEqual(['queued', 'Queued'])
      await advance(server, 'snapshot')
      await wait(server, 3600)
      expect(await states(server)).toEqual(['inProgress', 'Queued'])
      await advance(server, 'snapshot')
      expect(await states(server)).toEqual(['completed', 'Queued'])
      await wait(server, 2)
      expect(await states(server)).toEqual(['completed', 'InProgress'])
      await wait(server, 10)
      expect(await newest(server, 'exports')).toMatchObject({ state: 'Successful', createdAt: began })
    })

    it('waits for a snapshot that is completed by reads', async () => {
      const server = await startChecked()
      await server.control('PUT', '/transitions', { snapshot: { mode: 'reads', reads: 1 } })
      await goTo(server, began)
      await wait(server, 3600)
      expect(await states(server)).toEqual(['queued', 'Queued'])
    })

    it.each([
      [{}, '2033-03-01T12:00:00Z'],
      [{ retentionUnit: 'DAYS', retentionValue: 3 }, '2026-03-04T12:00:00Z'],
    ])(
      'also starts when the service takes a snapshot by itself, with the retention %j',
      async (kept, expiresAt) => {
        const server = await startChecked()
        const where = { groupId: projectId, clusterName: 'orders-eu', frequencyType: 'monthly', ...kept }
        const taken = await server.control('POST', '/backups/snapshots', where)
        expect(await newest(server, 'snapshots')).toMatchObject({
          id: taken.at('id'),
          snapshotType: 'scheduled',
          frequencyType: 'monthly',
          policyItems: ['66d0c3d40f3a5d6e7f80b314'],
          copyRegions: ['EU_WEST_1'],
          expiresAt,
        })
        expect(await newest(server, 'exports')).toMatchObject({ snapshotId: taken.at('id'), state: 'Queued' })
        await server.control('POST', '/backups/snapshots', { ...where, frequencyType: 'daily' })
        expect(await newest(server, 'exports')).toMatchObject({ snapshotId: taken.at('id') })
      },
    )

    it.each(['fail', 'cancel'])('fails with its snapshot, unless it ended earlier by %s', async (end) => {
      const server = await startChecked()
      await server.control('PUT', '/transitions', { snapshot: { mode: 'manual' } })
      await goTo(server, began)
      await wait(server, 60)
      const snapshotId = (await newest(server, 'snapshots'))?.id
      const exportId = (await newest(server, 'exports'))?.id
      const where = { groupId: projectId, clusterName: 'orders-eu' }
      const fails = end === 'fail'
      if (!fails) await server.control('POST', '/backups/exports/cancel', { ...where, exportId })
      const failed = await server.control('POST', '/backups/snapshots/fail', { ...where, snapshotId })
      expect([failed.status, ...(await states(server))]).toEqual([
        200,
        'failed',
        fails ? 'Failed' : 'Cancelled',
      ])
    })
  })

  it.each([1, 10])('is created with the next request, %i days at a time', async (days) => {
    const server = await startChecked()
    const daily = { ...policies(item('daily', 1, 2)), extraRetentionSettings: [] }
    const target = { exportBucketId: freeBucket, frequencyType: 'daily' }
    await patch(server, `${ordersEu}/schedule`, { ...daily, autoExportEnabled: true, export: target })
    const own = async () => {
      const all = await server.ask(`${exports}?itemsPerPage=${limits.itemsPerPage.maximum}`)
      return all.listAt('results').filter(({ createdAt }) => String(createdAt) > '2026-03-01')
    }
    for (let passed = 0; passed < 10; passed += days) {
      await wait(server, days * day)
      await own()
    }
    const made = await own()
    expect(made.map(({ createdAt }) => String(createdAt).slice(0, 10))).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((date) => `2026-03-${String(date).padStart(2, '0')}`),
    )
    expect(new Set(made.map(({ state }) => state))).toEqual(new Set(['Successful']))
    expect((await server.ask(`${ordersEu}/snapshots`)).at('totalCount')).toBe(4)
  })

  it('of a sharded cluster has a part for each shard', async () => {
    const server = await startChecked()
    const body = { ...request, snapshotId: '690569100f3a5d6e7f80b431' }
    expect((await post(server, `${ordersGlobal}/exports`, body)).at('components')).toMatchObject([
      { replicaSetName: 'orders-global-shard-0' },
      { replicaSetName: 'orders-global-shard-1' },
    ])
  })

  it('requires a bucket of the project and a completed snapshot of the cluster', async () => {
    const server = await startChecked()
    const ask = (change: object) => post(server, exports, { ...request, ...change }).then(refusal)
    expect(await ask({ exportBucketId: unknownId })).toEqual(['RESOURCE_NOT_FOUND', ['/exportBucketId']])
    expect(await ask({ snapshotId: unknownId })).toEqual(['RESOURCE_NOT_FOUND', ['/snapshotId']])
    expect(await ask({ snapshotId: undefined, exportBucketId: undefined })).toEqual([
      'VALIDATION_ERROR',
      ['/exportBucketId', '/snapshotId'],
    ])
    const { textAt } = await post(server, `${ordersEu}/snapshots`, {})
    expect(await ask({ snapshotId: textAt('id') })).toEqual(['INVALID_STATE', ['/snapshotId']])
    expect((await server.ask(`${exports}/${unknownId}`)).status).toBe(404)
  })
})
