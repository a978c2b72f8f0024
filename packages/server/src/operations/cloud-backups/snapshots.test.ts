import { loadDemo } from '@svc-admin/spec'
import { limits } from '@svc-admin/types'
import { describe, expect, it } from 'vitest'
import {
  backupOf,
  day,
  item,
  monthlySnapshot,
  ordersEu,
  ordersGlobal,
  patch,
  post,
  refusal,
  remove,
  reports,
  unknownId,
  wait,
} from '../../../test/backups.ts'
import { type CheckedServer, projectId, startChecked } from '../../../test/checked-server.ts'

const snapshots = `${ordersEu}/snapshots`
const sharded = `${ordersGlobal}/snapshots/shardedCluster`
const take = (server: CheckedServer, backup = ordersEu, body: unknown = {}) =>
  post(server, `${backup}/snapshots`, body)

describe('an on-demand snapshot', () => {
  it.each([
    ['REPLICASET', ''],
    ['SHARDED', '/shardedCluster'],
  ])("matches its document, regardless of the length of its cluster's name: %s", async (type, kind) => {
    const server = await startChecked()
    const name = 'c'.repeat(limits.clusterName.maxLength)
    const [like] = loadDemo().clusters ?? []
    await server.control('POST', '/seed', { clusters: [{ ...like, id: unknownId, name, type }] })
    const taken = await take(server, backupOf(name))
    const read = await server.ask(`${backupOf(name)}/snapshots${kind}/${taken.textAt('id')}`)
    const names = type === 'SHARDED' ? read.at('members', 1, 'replicaSetName') : read.at('replicaSetName')
    expect(names).toHaveLength(limits.replicaSetName.maxLength)
  })

  it('is queued, then in progress, then completed with a size', async () => {
    const server = await startChecked()
    const taken = await take(server, ordersEu, { description: 'Before the upgrade', retentionInDays: 3 })
    expect([taken.status, taken.body]).toMatchObject([
      200,
      {
        description: 'Before the upgrade',
        snapshotType: 'onDemand',
        status: 'queued',
        type: 'replicaSet',
        createdAt: '2026-03-01T12:00:00Z',
        expiresAt: '2026-03-04T12:00:00Z',
        svcdVersion: '8.0.4',
      },
    ])
    const own = `${snapshots}/${taken.textAt('id')}`
    expect((await server.ask(own)).body).toEqual(taken.body)
    await wait(server, 2)
    expect((await server.ask(own)).at('status')).toBe('inProgress')
    expect((await server.ask(own)).at('storageSizeBytes')).toBeUndefined()
    await wait(server, 10)
    expect((await server.ask(own)).body).toMatchObject({
      status: 'completed',
      storageSizeBytes: expect.any(Number),
    })
    expect((await server.askV1(own)).at('status')).toBe('completed')
  })

  it('is retained for a week by default and then deleted', async () => {
    const server = await startChecked()
    const taken = await take(server)
    expect(taken.at('expiresAt')).toBe('2026-03-08T12:00:00Z')
    const own = `${snapshots}/${taken.textAt('id')}`
    await wait(server, 7 * day - 1)
    expect((await server.ask(own)).status).toBe(200)
    await wait(server, 1)
    expect((await server.ask(own)).status).toBe(404)
    const { text } = await server.ask(`${snapshots}?itemsPerPage=${limits.itemsPerPage.maximum}`)
    expect(text).not.toContain(taken.textAt('id'))
  })

  it("can't start while another one of the cluster is in progress", async () => {
    const server = await startChecked()
    await take(server)
    for (const seconds of [0, 2, 9]) {
      await wait(server, seconds)
      expect(refusal(await take(server))[0]).toBe('SNAPSHOT_IN_PROGRESS')
    }
    expect((await take(server, backupOf('orders-archive'))).status).toBe(200)
    await wait(server, 1)
    expect((await take(server)).status).toBe(200)
  })

  it("can't start while another one is in progress, also after the clock goes back", async () => {
    const server = await startChecked()
    await wait(server, 3600)
    await take(server)
    await wait(server, -1800)
    expect(refusal(await take(server))[0]).toBe('SNAPSHOT_IN_PROGRESS')
    await wait(server, 12)
    expect((await take(server)).status).toBe(200)
    expect(refusal(await take(server))[0]).toBe('SNAPSHOT_IN_PROGRESS')
    await wait(server, 12)
    expect((await take(server)).status).toBe(200)
  })

  it('starts once if requested concurrently', async () => {
    const server = await startChecked()
    const all = await Promise.all(Array.from({ length: 8 }, () => take(server)))
    expect(all.map((one) => one.status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
  })

  it("that failed has an error message and doesn't block another one", async () => {
    const server = await startChecked()
    const { textAt } = await take(server)
    const where = { groupId: projectId, clusterName: 'orders-eu', snapshotId: textAt('id') }
    expect((await server.control('POST', '/backups/snapshots/fail', where)).status).toBe(200)
    expect((await server.ask(`${snapshots}/${textAt('id')}`)).at('status')).toBe('failed')
    expect((await take(server)).status).toBe(200)
    expect((await server.control('POST', '/backups/snapshots/fail', where)).status).toBe(409)
  })

  it('of a sharded cluster is found by the sharded cluster operations only', async () => {
    const server = await startChecked()
    const taken = await take(server, ordersGlobal)
    expect(taken.body).toMatchObject({ type: 'shardedCluster', configServerType: 'EMBEDDED' })
    expect((await server.ask(`${sharded}/${taken.textAt('id')}`)).body).toEqual(taken.body)
    expect((await server.ask(`${ordersGlobal}/snapshots/${taken.textAt('id')}`)).status).toBe(404)
    expect((await server.ask(`${ordersEu}/snapshots/shardedCluster/${monthlySnapshot}`)).status).toBe(404)
    expect((await server.ask(`${ordersGlobal}/snapshots/shardedClusters`)).at('totalCount')).toBe(3)
    expect(refusal(await server.ask(`${ordersGlobal}/snapshots/shardedClusters?pageNum=1`))[0]).toBe(
      'VALIDATION_ERROR',
    )
  })
})

it('lists the newest snapshots of a sharded cluster if there are more than the limit', async () => {
  const server = await startChecked()
  const hourly = { policies: [{ policyItems: [item('hourly', 1, 1000)] }] }
  await patch(server, `${ordersGlobal}/schedule`, hourly)
  await wait(server, 45 * day)
  const listed = await server.ask(`${ordersGlobal}/snapshots/shardedClusters`)
  const results = listed.listAt('results')
  expect([listed.at('totalCount'), results.length]).toEqual([1002, 1000])
  expect(results.at(-1)?.createdAt).toBe('2026-04-15T12:00:00Z')
})

describe('the retention of a snapshot', () => {
  const retain = (server: CheckedServer, path: string, retentionUnit: string, retentionValue: number) =>
    patch(server, path, { retentionUnit, retentionValue })

  it('starts when the snapshot is taken, in days, weeks, calendar months and years', async () => {
    const server = await startChecked()
    const own = `${snapshots}/691ae3900f3a5d6e7f80b402`
    for (const [unit, value, until] of [
      ['WEEKS', 100, '2027-10-18T09:00:00Z'],
      ['MONTHS', 15, '2027-02-17T09:00:00Z'],
      ['YEARS', 2_147_483_647, '9999-12-31T23:59:59Z'],
      ['DAYS', 365, '2026-11-17T09:00:00Z'],
    ] as const) {
      expect((await retain(server, own, unit, value)).at('expiresAt')).toBe(until)
    }
    expect((await server.ask(own)).at('expiresAt')).toBe('2026-11-17T09:00:00Z')
    await retain(server, own, 'DAYS', 1)
    expect((await server.ask(own)).status).toBe(404)
  })

  it('of a scheduled snapshot is at least that of more frequent policy items', async () => {
    const server = await startChecked()
    const own = `${snapshots}/${monthlySnapshot}`
    expect(refusal(await retain(server, own, 'WEEKS', 7))).toEqual(['VALIDATION_ERROR', ['/retentionValue']])
    expect((await retain(server, own, 'WEEKS', 40)).at('expiresAt')).toBe('2026-08-08T02:15:00Z')
    expect(refusal(await patch(server, own, { retentionUnit: 'hours' }))).toEqual([
      'VALIDATION_ERROR',
      ['/retentionValue', '/retentionUnit'],
    ])
  })

  it('is set for a sharded cluster by the same operation, but not for other clusters', async () => {
    const server = await startChecked()
    const id = '691450900f3a5d6e7f80b432'
    const changed = await retain(server, `${ordersGlobal}/snapshots/${id}`, 'YEARS', 2)
    expect(changed.at('expiresAt')).toBe('2027-11-12T09:15:44Z')
    expect((await server.ask(`${sharded}/${id}`)).body).toEqual(changed.body)
    expect((await retain(server, `${snapshots}/${id}`, 'YEARS', 2)).status).toBe(404)
    expect((await retain(server, `${snapshots}/${unknownId}`, 'YEARS', 2)).status).toBe(404)
  })
})

describe('deleting a snapshot', () => {
  it('removes it from reads and lists', async () => {
    const server = await startChecked()
    expect((await remove(server, `${snapshots}/${monthlySnapshot}`)).status).toBe(204)
    expect((await server.ask(`${snapshots}/${monthlySnapshot}`)).status).toBe(404)
    expect((await server.ask(snapshots)).at('totalCount')).toBe(1)
    expect((await remove(server, `${snapshots}/${monthlySnapshot}`)).status).toBe(404)
    const own = `${sharded}/690569100f3a5d6e7f80b431`
    expect((await remove(server, `${snapshots}/690569100f3a5d6e7f80b431`)).status).toBe(404)
    expect((await remove(server, own)).status).toBe(204)
    expect((await server.ask(own)).status).toBe(404)
  })

  it('is rejected while it is in progress', async () => {
    const server = await startChecked()
    const own = `${snapshots}/${(await take(server)).textAt('id')}`
    expect(refusal(await remove(server, own))[0]).toBe('INVALID_STATE')
    await wait(server, 12)
    expect((await remove(server, own)).status).toBe(204)
  })
})

describe('backups by type of cluster', () => {
  const ofClusters = ['schedule', 'snapshots', 'snapshots/shardedClusters', 'restoreJobs', 'exports']

  it('are not found for a serverless instance, flex cluster or unknown name in the cluster operations', async () => {
    const server = await startChecked()
    for (const name of ['reports-serverless', 'reports-flex', 'menus', 'nowhere']) {
      for (const path of ofClusters) {
        expect((await server.ask(`${backupOf(name)}/${path}`)).at('errorCode')).toBe('RESOURCE_NOT_FOUND')
      }
      expect((await take(server, backupOf(name))).status).toBe(404)
    }
  })

  it('are found for serverless instances and flex clusters only in the instance operations', async () => {
    const server = await startChecked()
    for (const name of ['orders-eu', 'orders-global', 'nowhere']) {
      for (const path of ['snapshots', 'restoreJobs']) {
        expect((await server.ask(`/groups/${projectId}/serverless/${name}/backup/${path}`)).status).toBe(404)
      }
    }
    const flex = await server.ask(`/groups/${projectId}/serverless/reports-flex/backup/snapshots`)
    expect(flex.at('results', 0, 'serverlessInstanceName')).toBe('reports-flex')
    expect(flex.headers.get('sunset')).toBe('Sat, 31 Jan 2026 00:00:00 GMT')
  })

  it('include snapshots that the service takes of an instance', async () => {
    const server = await startChecked()
    const where = { groupId: projectId, clusterName: 'reports-serverless', frequencyType: 'daily' }
    const made = await server.control('POST', '/backups/snapshots', where)
    const own = `${reports}/snapshots/${made.textAt('id')}`
    expect((await server.ask(own)).body).toMatchObject({ status: 'queued', frequencyType: 'daily' })
    await wait(server, 12)
    expect((await server.askV1(own)).at('status')).toBe('completed')
    expect((await server.ask(`${reports}/snapshots?itemsPerPage=1`)).at('totalCount')).toBe(3)
    await wait(server, 7 * day)
    expect((await server.ask(own)).status).toBe(404)
  })
})
