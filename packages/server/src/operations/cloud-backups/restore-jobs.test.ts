import { describe, expect, it } from 'vitest'
import {
  foreignId,
  monthlySnapshot,
  ordersEu,
  ordersGlobal,
  post,
  refusal,
  remove,
  reports,
  stagingId,
  unknownId,
  wait,
} from '../../../test/backups.ts'
import { type CheckedServer, projectId, startChecked } from '../../../test/checked-server.ts'

const jobs = `${ordersEu}/restoreJobs`
const target = { targetClusterName: 'orders-archive', targetGroupId: projectId }
const automated = { deliveryType: 'automated', snapshotId: monthlySnapshot, ...target }
const serverless = {
  ...automated,
  snapshotId: '691bbc600f3a5d6e7f80b451',
  targetClusterName: 'reports-flex',
}
const download = { deliveryType: 'download', snapshotId: monthlySnapshot }
const moment = { deliveryType: 'pointInTime', ...target }
const flags = (cancelled: boolean, expired: boolean, failed: boolean) => ({ cancelled, expired, failed })

async function start(server: CheckedServer, body: unknown = automated, backup = ordersEu) {
  const started = await post(server, `${backup}/restoreJobs`, body)
  expect(started.status).toBe(200)
  return `${backup}/restoreJobs/${started.textAt('id')}`
}

describe('a restore job', () => {
  it.each([
    ['a cluster', jobs, automated],
    ['a serverless instance', `${reports}/restoreJobs`, serverless],
  ])('of %s is returned in its current state if it takes no time', async (_, path, body) => {
    const server = await startChecked()
    await server.control('PUT', '/transitions', { 'restore-job': { mode: 'immediate' } })
    const started = await post(server, path, body)
    expect(started.at('finishedAt')).toBe('2026-03-01T12:00:00Z')
    expect((await server.ask(`${path}/${started.textAt('id')}`)).body).toEqual(started.body)
  })

  it('runs and finishes', async () => {
    const server = await startChecked()
    const own = await start(server)
    const running = await server.ask(own)
    expect(running.body).toMatchObject({ ...automated, ...flags(false, false, false) })
    expect(running.body).toMatchObject({ timestamp: '2025-11-01T02:15:00Z' })
    expect(running.at('finishedAt')).toBeUndefined()
    await wait(server, 15)
    const finished = await server.ask(own)
    expect(finished.body).toMatchObject({ finishedAt: '2026-03-01T12:00:15Z', ...flags(false, false, false) })
    expect([finished.at('deliveryUrl'), finished.at('expiresAt')]).toEqual([undefined, undefined])
    await wait(server, 20_000)
    expect((await server.ask(own)).body).toEqual(finished.body)
    expect((await server.ask(jobs)).at('results', 3)).toEqual(finished.body)
  })

  it('that is seeded runs until its seeded end', async () => {
    const server = await startChecked()
    const own = `${ordersEu}/restoreJobs/${'a'.repeat(24)}`
    const seeded = { id: 'a'.repeat(24), groupId: projectId, clusterName: 'orders-eu', ...automated }
    const from = { createdAt: '2026-02-01T12:00:00Z', finishesAt: '2026-03-01T13:00:00Z' }
    await server.control('POST', '/seed', {
      restoreJobs: [{ ...seeded, ...from, ...flags(false, false, false) }],
    })
    await wait(server, 3599)
    const running = await server.ask(own)
    expect([running.at('finishedAt'), running.at('finishesAt')]).toEqual([undefined, undefined])
    await wait(server, 1)
    expect((await server.ask(own)).at('finishedAt')).toBe('2026-03-01T13:00:00Z')
    expect(refusal(await remove(server, own))[0]).toBe('INVALID_STATE')
  })

  it('of a download can be downloaded for a limited time', async () => {
    const server = await startChecked()
    const own = await start(server, download)
    await wait(server, 15)
    const delivered = await server.ask(own)
    expect(delivered.body).toMatchObject({ expiresAt: '2026-03-01T16:00:15Z', expired: false })
    expect(delivered.textAt('deliveryUrl', 0)).toMatch(/^https:\/\//)
    await wait(server, 14_399)
    expect((await server.ask(own)).at('expired')).toBe(false)
    await wait(server, 1)
    expect((await server.askV1(own)).body).toMatchObject({
      expired: true,
      finishedAt: delivered.at('finishedAt'),
    })
    expect(refusal(await remove(server, own))[0]).toBe('INVALID_STATE')
  })

  it('to a point in time returns the requested time', async () => {
    const server = await startChecked()
    const bySecond = await server.ask(await start(server, { ...moment, pointInTimeUTCSeconds: 1763452800 }))
    expect(bySecond.at('desiredTimestamp')).toEqual({ date: '2025-11-18T08:00:00Z', increment: 1 })
    const byEntry = await server.ask(await start(server, { ...moment, oplogTs: 1199145600, oplogInc: 7 }))
    expect(byEntry.body).toMatchObject({ oplogTs: 1199145600, oplogInc: 7 })
    expect(byEntry.at('desiredTimestamp', 'increment')).toBe(7)
  })

  it('of a sharded cluster has a part for each shard', async () => {
    const server = await startChecked()
    const own = await start(server, { ...download, snapshotId: '690569100f3a5d6e7f80b431' }, ordersGlobal)
    await wait(server, 15)
    const { body } = await server.ask(own)
    expect(body).toMatchObject({
      components: [{ replicaSetName: 'orders-global-shard-0' }, { replicaSetName: 'orders-global-shard-1' }],
      deliveryUrl: [expect.any(String), expect.any(String)],
    })
  })

  it('can be canceled once, while it runs', async () => {
    const server = await startChecked()
    const own = await start(server)
    expect((await remove(server, own)).status).toBe(204)
    expect((await server.ask(own)).body).toMatchObject(flags(true, false, false))
    expect(refusal(await remove(server, own))[0]).toBe('INVALID_STATE')
    await wait(server, 100)
    expect((await server.ask(own)).body).toMatchObject(flags(true, false, false))
    const finished = await start(server)
    await wait(server, 15)
    expect(refusal(await remove(server, finished))[0]).toBe('INVALID_STATE')
    expect((await remove(server, `${jobs}/${unknownId}`)).status).toBe(404)
  })

  it('can fail', async () => {
    const server = await startChecked()
    const own = await start(server)
    const where = { groupId: projectId, clusterName: 'orders-eu', restoreJobId: own.split('/').at(-1) }
    expect((await server.control('POST', '/backups/restore-jobs/fail', where)).status).toBe(200)
    expect((await server.ask(own)).body).toMatchObject(flags(false, false, true))
    expect((await server.control('POST', '/backups/restore-jobs/fail', where)).status).toBe(409)
  })
})

describe('a restore whose snapshot is deleted', () => {
  it("fails while it runs, and doesn't change once it is finished", async () => {
    const server = await startChecked()
    const over = [await start(server), await start(server, download)]
    await wait(server, 15)
    const running = await start(server)
    const own = `${ordersEu}/snapshots/${monthlySnapshot}`
    expect((await remove(server, own)).status).toBe(204)
    await wait(server, 15)
    const failed = await server.ask(running)
    expect(failed.body).toMatchObject(flags(false, false, true))
    expect(failed.at('finishedAt')).toBeUndefined()
    for (const path of over) {
      expect((await server.ask(path)).body).toMatchObject({
        ...flags(false, false, false),
        finishedAt: '2026-03-01T12:00:15Z',
      })
    }
  })
})

describe('a restore request', () => {
  it.each([
    [{ deliveryType: 'automated', ...target }, ['/snapshotId']],
    [{ deliveryType: 'automated', snapshotId: monthlySnapshot }, ['/targetClusterName', '/targetGroupId']],
    [{ deliveryType: 'download' }, ['/snapshotId']],
    [{ deliveryType: 'pointInTime', targetGroupId: projectId }, ['/targetClusterName']],
    [moment, ['/pointInTimeUTCSeconds', '/oplogTs']],
    [{ ...moment, pointInTimeUTCSeconds: 1763452800, oplogTs: 1763452800, oplogInc: 1 }, undefined],
    [{ ...moment, oplogTs: 1763452800 }, ['/oplogInc']],
    [{ ...moment, oplogInc: 1 }, ['/oplogTs']],
    [{ ...moment, oplogTs: 1763452800, oplogInc: 0 }, ['/oplogInc']],
    [{ ...moment, pointInTimeUTCSeconds: 1199145599 }, ['/pointInTimeUTCSeconds']],
    [{ ...automated, deliveryType: 'byPost' }, ['/deliveryType']],
  ])('is rejected for %j', async (body, parameters) => {
    const server = await startChecked()
    const refused = await post(server, jobs, body)
    expect(refusal(refused)).toEqual([
      'VALIDATION_ERROR',
      parameters ?? ['/pointInTimeUTCSeconds', '/oplogTs'],
    ])
  })

  it('to a point in time is rejected without a time or with two', async () => {
    const server = await startChecked()
    const told = async (fields: object) =>
      (await post(server, jobs, { ...moment, ...fields })).textAt('detail')
    expect(await told({})).toMatch(/ requires either `pointInTimeUTCSeconds` or `oplogTs`\.$/)
    expect(await told({ pointInTimeUTCSeconds: 1763452800, oplogTs: 1763452800, oplogInc: 1 })).toMatch(
      /, but both were sent\.$/,
    )
  })

  it('requires a completed snapshot of the cluster', async () => {
    const server = await startChecked()
    for (const snapshotId of [unknownId, '690569100f3a5d6e7f80b431', '691ae3900f3a5d6e7f80b421']) {
      const refused = await post(server, jobs, { ...automated, snapshotId })
      expect(refusal(refused)).toEqual(['RESOURCE_NOT_FOUND', ['/snapshotId']])
    }
    const { textAt } = await post(server, `${ordersEu}/snapshots`, {})
    const early = { ...automated, snapshotId: textAt('id') }
    expect(refusal(await post(server, jobs, early))).toEqual(['INVALID_STATE', ['/snapshotId']])
    await wait(server, 12)
    expect((await post(server, jobs, early)).status).toBe(200)
  })

  it('requires an existing target in which the caller has the role', async () => {
    const server = await startChecked()
    const to = (targetGroupId: string, targetClusterName: string, as = 'orgowner') =>
      post(server, jobs, { ...automated, targetGroupId, targetClusterName }, { as }).then(refusal)
    expect(await to(projectId, 'nowhere')).toEqual(['RESOURCE_NOT_FOUND', ['/targetClusterName']])
    expect(await to(projectId, 'reports-flex')).toEqual(['RESOURCE_NOT_FOUND', ['/targetClusterName']])
    expect(await to(unknownId, 'orders-eu')).toEqual(['RESOURCE_NOT_FOUND', ['/targetGroupId']])
    expect(await to(foreignId, 'menus')).toEqual(['RESOURCE_NOT_FOUND', ['/targetGroupId']])
    expect(await to(stagingId, 'orders-eu-staging')).toEqual([undefined, undefined])
    expect(await to(stagingId, 'orders-eu-staging', 'bakmangr')).toEqual([
      'RESOURCE_NOT_FOUND',
      ['/targetGroupId'],
    ])
  })

  it('for a download requires no target, and validates one if sent', async () => {
    const server = await startChecked()
    const to = (named: Record<string, string>, as = 'bakmangr') => {
      const json = { deliveryType: 'download', snapshotId: monthlySnapshot, ...named }
      return post(server, jobs, json, { as }).then(refusal)
    }
    expect(await to({})).toEqual([undefined, undefined])
    expect(await to(target)).toEqual([undefined, undefined])
    expect(await to({ targetGroupId: projectId })).toEqual([undefined, undefined])
    expect(await to({ ...target, targetClusterName: 'nowhere' })).toEqual([
      'RESOURCE_NOT_FOUND',
      ['/targetClusterName'],
    ])
    for (const targetGroupId of [unknownId, stagingId, foreignId]) {
      const refused = ['RESOURCE_NOT_FOUND', ['/targetGroupId']]
      expect(await to({ ...target, targetGroupId })).toEqual(refused)
      expect(await to({ targetGroupId })).toEqual(refused)
    }
  })

  it("returns 403 if the caller has another role in the target's project", async () => {
    const server = await startChecked()
    const roles = [
      { role: 'PROJECT_BACKUP_MANAGER', groupId: projectId },
      { role: 'PROJECT_READ_ONLY', groupId: stagingId },
    ]
    const key = { publicKey: 'orgowner', privateKey: '', label: 'two projects', roles }
    const demo = (await import('@svc-admin/spec'))
      .loadDemo()
      .apiKeys?.find((one) => one.publicKey === 'orgowner')
    await server.control('POST', '/seed', { apiKeys: [{ ...key, privateKey: demo?.privateKey }] })
    const body = { ...automated, targetGroupId: stagingId, targetClusterName: 'orders-eu-staging' }
    expect(refusal(await post(server, jobs, body))[0]).toBe('INSUFFICIENT_ROLE')
  })
})

describe('a restore of a serverless instance', () => {
  it('finishes without the fields that only clusters have', async () => {
    const server = await startChecked()
    const own = await start(server, serverless, reports)
    await wait(server, 15)
    const got = await server.ask(own)
    expect(got.body).toMatchObject({
      ...serverless,
      finishedAt: '2026-03-01T12:00:15Z',
      ...flags(false, false, false),
    })
    expect([got.at('components'), got.at('privateDownloadDeliveryUrls')]).toEqual([undefined, undefined])
    expect((await server.ask(`${reports}/restoreJobs`)).at('totalCount')).toBe(3)
    expect((await server.askV1(own)).at('id')).toBe(got.at('id'))
  })

  it('always requires a target of its kind and a snapshot of its own', async () => {
    const server = await startChecked()
    const ask = (body: unknown) => post(server, `${reports}/restoreJobs`, body).then(refusal)
    expect(await ask({ deliveryType: 'download', snapshotId: serverless.snapshotId })).toEqual([
      'VALIDATION_ERROR',
      ['/targetClusterName', '/targetGroupId'],
    ])
    expect(await ask({ ...serverless, targetClusterName: 'orders-eu' })).toEqual([
      'RESOURCE_NOT_FOUND',
      ['/targetClusterName'],
    ])
    expect(await ask({ ...serverless, snapshotId: monthlySnapshot })).toEqual([
      'RESOURCE_NOT_FOUND',
      ['/snapshotId'],
    ])
    expect((await ask({ ...serverless, deliveryType: 'pointInTime' }))[0]).toBe('VALIDATION_ERROR')
  })
})
