import { expectError } from '../../engine/expect.ts'
import { own, rules } from '../../engine/rule.ts'
import { answered, expectField, expectFields } from '../../given/answered.ts'
import { item, ownSchedule, policies, readSchedule } from '../../given/backup-schedules.ts'
import { ownPolicy } from '../../given/compliance.ts'
import { ask } from '../../given/own-places.ts'
import { readSnapshot, seedSnapshot } from '../../given/snapshots.ts'

export default rules({
  /** The schedule is answered and returned without any policy item, and without nextSnapshot. */
  'deleteBackupSchedules.empties-policies': own(async (trial) => {
    const place = await ownSchedule(trial)
    expectFields(await readSchedule(trial, place), 'nextSnapshot')
    for (const schedule of [answered(await ask(trial, place)), await readSchedule(trial, place)]) {
      expectField(schedule, 'policies', [])
      expectField(schedule, 'nextSnapshot', undefined)
    }
  }),

  /** The operation answers with the backup schedule. */
  'deleteBackupSchedules.returns-schedule': own(async (trial) => {
    const place = await ownSchedule(trial)
    const response = answered(await ask(trial, place))
    expectField(response, 'clusterName', place.clusterName)
    expectFields(response, 'clusterId', 'policies')
  }),

  /** The snapshots that there are stay. */
  'deleteBackupSchedules.snapshots-stay': own(async (trial) => {
    const place = await ownSchedule(trial)
    const scheduled = { snapshotType: 'scheduled', frequencyType: 'daily' }
    const snapshots = [
      await seedSnapshot(trial, place, 'replicaSet', scheduled),
      await seedSnapshot(trial, place, 'replicaSet'),
    ]
    answered(await ask(trial, place))
    for (const snapshot of snapshots)
      expectField(await readSnapshot(trial, snapshot), 'id', snapshot.snapshotId)
  }),

  /** While a compliance policy with scheduled policy items is active the answer is 409 COMPLIANCE_POLICY_ACTIVE. */
  'deleteBackupSchedules.below-compliance-refused': own(async (trial) => {
    const within = await ownPolicy(trial)
    const place = await ownSchedule(trial, policies(item('daily', 1, 7)), within)
    expectError(await ask(trial, place), 'COMPLIANCE_POLICY_ACTIVE', 'the policy asks for a schedule')
    expectFields(await readSchedule(trial, place), 'nextSnapshot')
  }),
})
