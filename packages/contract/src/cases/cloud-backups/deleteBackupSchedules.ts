import { ownResourceRule, rules } from '../../check/rule.ts'
import { expectError } from '../../model/expect.ts'
import { item, ownSchedule, policies, readSchedule } from '../../resources/backup-schedules.ts'
import { ownPolicy } from '../../resources/compliance.ts'
import { sendRequest } from '../../resources/own-resources.ts'
import { readSnapshot, seedSnapshot } from '../../resources/snapshots.ts'
import { expectField, expectFields, successfulResponse } from '../../resources/successful-response.ts'

export default rules({
  /** Neither the stored schedule nor the returned one has policy items or `nextSnapshot`. */
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

  /** The operation returns the changed schedule. */
  'deleteBackupSchedules.returns-schedule': ownResourceRule(async (trial) => {
    const place = await ownSchedule(trial)
    const response = successfulResponse(await sendRequest(trial, place))
    expectField(response, 'clusterName', place.clusterName)
    expectFields(response, 'clusterId', 'policies')
  }),

  /** The operation doesn't delete existing snapshots. */
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

  /** If an active compliance policy has scheduled policy items, the operation returns 409 COMPLIANCE_POLICY_ACTIVE. */
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
