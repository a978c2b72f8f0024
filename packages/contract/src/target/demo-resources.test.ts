import { expect, test } from 'vitest'
import { resourceIdsOf } from './demo-resources.ts'

const snapshot = (groupId: string, id: string, snapshotType: string) => ({
  id,
  snapshotType,
  self: `/groups/${groupId}/clusters/Cluster0/backup/snapshots/${id}`,
})

test('uses resources of the project, and specific ones for single operations', () => {
  const snapshots = [
    snapshot('elsewhere', 'of-another-project', 'onDemand'),
    snapshot('here', 'scheduled', 'scheduled'),
    snapshot('here', 'on-demand', 'onDemand'),
  ]
  const things = resourceIdsOf({ snapshots }, 'org', 'here')
  expect(things).toMatchObject({ orgId: 'org', groupId: 'here', snapshotId: 'scheduled' })
  expect(things['updateSnapshotRetention.snapshotId']).toBe('on-demand')
})
