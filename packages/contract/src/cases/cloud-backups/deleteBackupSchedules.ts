import { ownResourceRule, type Rule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, type JsonObject, listAt } from '../../document/json.ts'
import { expectError, expectThat, isSuccess } from '../../model/expect.ts'
import {
  changeSchedule,
  copyTo,
  fullSchedule,
  item,
  ownSchedule,
  policies,
  readSchedule,
} from '../../resources/backup-schedules.ts'
import { prepared, seedBucket, sendInAnyVersion } from '../../resources/backups.ts'
import { ownPolicy } from '../../resources/compliance.ts'
import { type OwnCluster, ownProject, sendRequest } from '../../resources/own-resources.ts'
import { readSnapshot, seedSnapshot } from '../../resources/snapshots.ts'
import {
  expectField,
  expectFields,
  type SuccessfulResponse,
  successfulResponse,
} from '../../resources/successful-response.ts'

/** Settings that schedules can have in addition to policies. They must not affect the removal. */
const settings: Readonly<Record<string, (trial: Trial, exportBucketId: string) => JsonObject>> = {
  '': () => ({}),
  'automatic export': (_, exportBucketId) => ({ autoExportEnabled: true, export: { exportBucketId } }),
  'copy settings': (trial) => ({ copySettings: [copyTo(trial, 'EU_WEST_1')] }),
}

/** Creates a rule for schedules with each of the settings. */
const withEachSetting = (check: (trial: Trial, place: OwnCluster) => Promise<void>): readonly Rule[] =>
  Object.entries(settings).map(([label, bodyOf]) =>
    ownResourceRule(
      async (trial) => {
        const within = await ownProject(trial.context)
        const place = await ownSchedule(trial, fullSchedule, within)
        const body = bodyOf(trial, await seedBucket(trial, within))
        prepared(await changeSchedule(trial, place, body), 'a schedule with more settings')
        await check(trial, place)
      },
      { label },
    ),
  )

const expectNoItems = ({ body, exchange }: SuccessfulResponse): void => {
  const items = listAt(body, 'policies').flatMap((policy) => listAt(policy, 'policyItems'))
  expectThat(items.length === 0, {
    expected: 'a schedule without policy items, because the request removed all schedules',
    actual: inspect(items),
    exchange,
  })
}

export default rules({
  'deleteBackupSchedules.empties-policies': withEachSetting(async (trial, place) => {
    expectFields(await readSchedule(trial, place), 'nextSnapshot')
    for (const schedule of [
      successfulResponse(await sendRequest(trial, place)),
      await readSchedule(trial, place),
    ]) {
      expectField(schedule, 'policies', [])
      expectField(schedule, 'nextSnapshot', undefined)
    }
  }),

  'deleteBackupSchedules.returns-schedule': withEachSetting(async (trial, place) => {
    const response = successfulResponse(await sendRequest(trial, place))
    expectNoItems(response)
    // A server may return 404 for a removed schedule.
    const exchange = await sendInAnyVersion(trial, place, 'getBackupSchedule')
    if (isSuccess(exchange)) expectNoItems(successfulResponse(exchange))
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
