import { ownResourceRule, rules } from '../../check/rule.ts'
import { expectError } from '../../model/expect.ts'
import { item, ownSchedule, policies, readSchedule } from '../../resources/backup-schedules.ts'
import { ownPolicy } from '../../resources/compliance.ts'
import { sendRequest } from '../../resources/own-resources.ts'
import { readSnapshot, seedSnapshot } from '../../resources/snapshots.ts'
import { expectField, expectFields, successfulResponse } from '../../resources/successful-response.ts'

export default rules({
  'deleteBackupSchedules.empties-policies': ownResourceRule(async (trial) => {
    const place = await ownSchedule(trial)
    expectFields(await readSchedule(trial, place), 'nextSnapshot')
    for (const schedule of [
      successfulResponse(await sendRequest(trial, place)),
      await readSchedule(trial, place),
    ]) {
      expectField(schedule, 'policies', [])
      expectField(schedule, 'nextSnapshot', undefined)
    }
  }),

  'deleteBackupSchedules.returns-schedule': ownResourceRule(async (trial) => {
    const place = await ownSchedule(trial)
    const response = successfulResponse(await sendRequest(trial, place))
    expectField(response, 'clusterName', place.clusterName)
    expectFields(response, 'clusterId', 'policies')
  }),

  'deleteBackupSchedules.snapshots-stay': ownResourceRule(async (trial) => {
    const place = await ownSchedule(trial)
    const scheduled = { snapshotType: 'scheduled', frequencyType: 'daily' }
    const snapshots = [
      await seedSnapshot(trial, place, 'replicaSet', scheduled),
      await seedSnapshot(trial, place, 'replicaSet'),
    ]
    successfulResponse(await sendRequest(trial, place))
    for (const snapshot of snapshots)
      expectField(await readSnapshot(trial, snapshot), 'id', snapshot.snapshotId)
  }),

  'deleteBackupSchedules.below-compliance-refused': ownResourceRule(async (trial) => {
    const within = await ownPolicy(trial)
    const place = await ownSchedule(trial, policies(item('daily', 1, 7)), within)
    expectError(
      await sendRequest(trial, place),
      'COMPLIANCE_POLICY_ACTIVE',
      'the compliance policy requires scheduled snapshots',
    )
    expectFields(await readSchedule(trial, place), 'nextSnapshot')
  }),
})
