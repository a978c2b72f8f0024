import { expect, it } from 'vitest'
import { projectId, startChecked } from '../../test/checked-server.ts'
import { Stored } from '../domain/stored.ts'
import { backupSchedules } from './backup-schedules.ts'
import { clusters } from './clusters.ts'
import { compliancePolicies } from './compliance-policies.ts'

const groups = ['b', 'a', 'c'].map((digit) => digit.repeat(24))

it('finds due backup work in the same order, regardless of the storage order', async () => {
  const { world } = await startChecked({ seedDemo: false })
  const { database } = world
  for (const groupId of groups) {
    for (const name of ['z', 'y']) {
      const kept = { groupId, name, id: '', tier: 'M10', type: '', databaseVersion: '8.0', provider: 'AWS' }
      await clusters.put(database, kept, [], 0)
      await backupSchedules.put(database, scheduleOf(groupId, name))
    }
    const policy = { groupId, state: 'ENABLING', since: 0, deletable: false, overwrites: true }
    await compliancePolicies.add(database, { ...policy, document: Stored.from('{}') })
  }
  const overdue = await backupSchedules.overdue(database, 5)
  expect(overdue.map(({ groupId, name }) => groupId[0] + name)).toEqual(['ay', 'az', 'by', 'bz', 'cy', 'cz'])
  expect(await compliancePolicies.groupsToRewrite(database)).toEqual(groups.toSorted())
})

it('returns the first cluster by name that exports to a bucket', async () => {
  const { world } = await startChecked()
  const bucketId = 'f'.repeat(24)
  const exporting = async () => backupSchedules.exportingTo(world.database, projectId, bucketId)
  expect(await exporting()).toBeUndefined()
  for (const name of ['z', 'y'])
    await backupSchedules.put(world.database, scheduleOf(projectId, name, bucketId))
  expect(await exporting()).toBe('y')
})

function scheduleOf(groupId: string, clusterName: string, exportBucketId?: string) {
  const target = exportBucketId === undefined ? {} : { autoExportEnabled: true, export: { exportBucketId } }
  return { groupId, clusterName, nextAt: 5, document: Stored.from<never>(JSON.stringify(target)) }
}
