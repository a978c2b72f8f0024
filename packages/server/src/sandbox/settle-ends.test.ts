import { limits } from '@svc-admin/types'
import { describe, expect, it } from 'vitest'
import { backupOf, day, freeBucket, goTo, item, policies, post, wait } from '../../test/backups.ts'
import { type CheckedServer, projectId, startChecked } from '../../test/checked-server.ts'

const archive = backupOf('orders-archive')
const resultsOf = async (server: CheckedServer, path: string) =>
  (await server.ask(`${path}?itemsPerPage=${limits.itemsPerPage.maximum}`)).listAt('results')

describe('a resource that had ended before the clock went back', () => {
  it('remains ended: exports, with or without their snapshots', async () => {
    const server = await startChecked()
    const exporting = {
      autoExportEnabled: true,
      export: { exportBucketId: freeBucket, frequencyType: 'daily' },
    }
    const json = { ...policies(item('daily', 1, 2)), ...exporting }
    expect((await server.ask(`${archive}/schedule`, { method: 'PATCH', json })).status).toBe(200)
    await wait(server, 5 * day)
    const before = await resultsOf(server, `${archive}/exports`)
    expect(before.map(({ state }) => state)).toEqual(Array(5).fill('Successful'))
    await goTo(server, '2026-03-02T12:00:00Z')
    expect(await resultsOf(server, `${archive}/exports`)).toEqual(before)
    await wait(server, 3600)
    expect(await resultsOf(server, `${archive}/exports`)).toEqual(before)
  })

  it('remains ended: restores, and a download is retained until its expiry time', async () => {
    const server = await startChecked()
    await wait(server, day)
    const taken = (await post(server, `${archive}/snapshots`, { retentionInDays: 9 })).textAt('id')
    await wait(server, 60)
    const restore = (more: object) => post(server, `${archive}/restoreJobs`, { snapshotId: taken, ...more })
    await restore({ deliveryType: 'download' })
    await restore({
      deliveryType: 'automated',
      targetClusterName: 'orders-archive',
      targetGroupId: projectId,
    })
    await wait(server, 60)
    const all = () => resultsOf(server, `${archive}/restoreJobs`)
    const before = await all()
    expect(before.every(({ finishedAt }) => finishedAt !== undefined)).toBe(true)
    await wait(server, -day)
    expect(await all()).toEqual(before)
    // The job is kept for hours, but not beyond the expiry time that earlier responses contained.
    await wait(server, 5 * 3600)
    expect(await all()).toEqual(before)
    await wait(server, day - 3600)
    expect((await all())[0]?.expired).toBe(true)
  })

  it('is deleted or remains ended: Search indexes and simulated outages', async () => {
    const server = await startChecked()
    await wait(server, day)
    const indexes = `/groups/${projectId}/clusters/orders-eu/search/indexes`
    const indexID = (await server.ask(indexes)).textAt(0, 'indexID')
    expect((await server.ask(`${indexes}/${indexID}`, { method: 'DELETE' })).status).toBe(204)
    const outage = { groupId: projectId, clusterName: 'orders-archive' }
    await server.control('POST', '/outage-simulations', outage)
    await wait(server, 60)
    const path = `/groups/${projectId}/clusters/orders-archive/outageSimulation`
    expect((await server.ask(path, { method: 'DELETE' })).status).toBe(200)
    await wait(server, 3600)
    const seen = async () => [
      (await server.ask(`${indexes}/${indexID}`)).status,
      (await server.ask(path)).text,
    ]
    const before = await seen()
    expect(before[0]).toBe(404)
    await wait(server, -day)
    expect(await seen()).toEqual(before)
  })
})
