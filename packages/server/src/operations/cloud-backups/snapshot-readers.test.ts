import { limits } from '@svc-admin/types'
import { describe, expect, it } from 'vitest'
import {
  day,
  freeBucket,
  item,
  ordersEu,
  patch,
  policies,
  post,
  reports,
  wait,
} from '../../../test/backups.ts'
import { type CheckedServer, projectId, startChecked } from '../../../test/checked-server.ts'

const target = { targetClusterName: 'orders-archive', targetGroupId: projectId }

/** Starts an export and a restore of the same snapshot. */
async function startReaders(server: CheckedServer, snapshotId: string) {
  const exported = await post(server, `${ordersEu}/exports`, { exportBucketId: freeBucket, snapshotId })
  const restore = { deliveryType: 'automated', snapshotId, ...target }
  const restored = await post(server, `${ordersEu}/restoreJobs`, restore)
  const paths = [
    `${ordersEu}/exports/${exported.textAt('id')}`,
    `${ordersEu}/restoreJobs/${restored.textAt('id')}`,
  ]
  return async () => {
    const [exportJob, restoreJob] = await Promise.all(paths.map((path) => server.ask(path)))
    return {
      state: exportJob?.at('state'),
      why: exportJob?.at('stateReason', 'errorCode'),
      exportedAt: exportJob?.at('finishedAt'),
      failed: restoreJob?.at('failed'),
      restoredAt: restoreJob?.at('finishedAt'),
    }
  }
}

const take = async (server: CheckedServer, retentionInDays: number) =>
  (await post(server, `${ordersEu}/snapshots`, { retentionInDays })).textAt('id')

describe('an export or restore fails with its snapshot', () => {
  it.each([[true], [false]])('when the snapshot expires, unless it is finished; read: %s', async (looks) => {
    const server = await startChecked()
    const snapshotId = await take(server, 1)
    await wait(server, day - 60)
    const over = await startReaders(server, snapshotId)
    await wait(server, 55)
    const running = await startReaders(server, snapshotId)
    for (const seconds of [6, day, 8 * day]) {
      await wait(server, seconds)
      if (looks) await running()
    }
    expect(await running()).toEqual({
      state: 'Failed',
      why: 'SNAPSHOT_EXPIRED',
      exportedAt: '2026-03-02T12:00:00Z',
      failed: true,
      restoredAt: undefined,
    })
    expect(await over()).toEqual({
      state: 'Successful',
      why: undefined,
      exportedAt: '2026-03-02T11:59:12Z',
      failed: false,
      restoredAt: '2026-03-02T11:59:15Z',
    })
  })

  it('before another request fails it or deletes the bucket', async () => {
    const server = await startChecked()
    const snapshotId = await take(server, 1)
    await wait(server, day - 5)
    const { textAt } = await post(server, `${ordersEu}/exports`, { exportBucketId: freeBucket, snapshotId })
    const exportId = textAt('id')
    await wait(server, 6)
    const where = { groupId: projectId, clusterName: 'orders-eu', exportId }
    expect((await server.control('POST', '/backups/exports/cancel', where)).at('errorCode')).toBe(
      'INVALID_STATE',
    )
    const second = await take(server, 1)
    await wait(server, day - 5)
    const other = await post(server, `${ordersEu}/exports`, {
      exportBucketId: freeBucket,
      snapshotId: second,
    })
    await wait(server, 6)
    const bucket = `/groups/${projectId}/backup/exportBuckets/${freeBucket}`
    expect((await server.ask(bucket, { method: 'DELETE' })).status).toBe(204)
    const failed = await server.ask(`${ordersEu}/exports/${other.textAt('id')}`)
    expect(failed.at('stateReason', 'errorCode')).toBe('SNAPSHOT_EXPIRED')
  })

  it('immediately, if the new retention is in the past', async () => {
    const server = await startChecked()
    const snapshotId = await take(server, 30)
    await wait(server, 10 * day)
    const running = await startReaders(server, snapshotId)
    const retention = { retentionUnit: 'DAYS', retentionValue: 2 }
    const own = `${ordersEu}/snapshots/${snapshotId}`
    expect((await patch(server, own, retention)).at('expiresAt')).toBe('2026-03-03T12:00:00Z')
    expect((await server.ask(own)).status).toBe(404)
    expect(await running()).toMatchObject({ state: 'Failed', why: 'SNAPSHOT_REMOVED', failed: true })
  })

  it('immediately, if a schedule sets a retention in the past', async () => {
    const server = await startChecked()
    const hourly = (days: number) => ({ ...policies(item('hourly', 6, days)), restoreWindowDays: 1 })
    await patch(server, `${ordersEu}/schedule`, hourly(7))
    await wait(server, 5 * day)
    const all = await server.ask(`${ordersEu}/snapshots?itemsPerPage=${limits.itemsPerPage.maximum}`)
    const own = all.listAt('results').filter(({ createdAt }) => String(createdAt) > '2026-03-01')
    const oldest = String(own[0]?.id)
    const running = await startReaders(server, oldest)
    expect(
      (await patch(server, `${ordersEu}/schedule`, { ...hourly(1), updateSnapshots: true })).status,
    ).toBe(200)
    expect((await server.ask(`${ordersEu}/snapshots/${oldest}`)).status).toBe(404)
    expect(await running()).toMatchObject({ state: 'Failed', why: 'SNAPSHOT_REMOVED', failed: true })
  })

  it('of a serverless instance too', async () => {
    const server = await startChecked()
    const where = { groupId: projectId, clusterName: 'reports-serverless' }
    const kept = { retentionUnit: 'DAYS', retentionValue: 1 }
    const snapshotId = (await server.control('POST', '/backups/snapshots', { ...where, ...kept })).at('id')
    await wait(server, day - 5)
    const body = { deliveryType: 'automated', snapshotId, ...target, targetClusterName: 'reports-flex' }
    const begun = await post(server, `${reports}/restoreJobs`, body)
    expect(begun.body).toMatchObject({ snapshotId, failed: false })
    await wait(server, 60)
    expect((await server.ask(`${reports}/restoreJobs/${begun.textAt('id')}`)).at('failed')).toBe(true)
  })

  it.each([[true], [false]])("if the automatic export isn't finished by then; read: %s", async (looks) => {
    const server = await startChecked()
    await server.control('PUT', '/transitions', { 'export-job': { mode: 'manual' } })
    const body = {
      ...policies(item('daily', 1, 1)),
      restoreWindowDays: 1,
      extraRetentionSettings: [],
      autoExportEnabled: true,
      export: { exportBucketId: freeBucket, frequencyType: 'daily' },
    }
    await patch(server, `${ordersEu}/schedule`, body)
    const own = async () => {
      const all = await server.ask(`${ordersEu}/exports?itemsPerPage=${limits.itemsPerPage.maximum}`)
      return all
        .listAt('results')
        .slice(-2)
        .map(({ state, finishedAt }) => [state, finishedAt])
    }
    for (let days = 0; days < 2; days++) {
      await wait(server, day)
      if (looks) await own()
    }
    expect(await own()).toEqual([
      ['Failed', '2026-03-03T02:15:00Z'],
      ['Queued', undefined],
    ])
  })
})
