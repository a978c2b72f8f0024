import { always, ownResourceRule, type Rule, rules, timed } from '../../check/rule.ts'
import { inspect, listAt, stringAt } from '../../document/json.ts'
import { expectThat } from '../../model/expect.ts'
import { copyField, item, ownSchedule, policies, readSchedule } from '../../resources/backup-schedules.ts'
import { pass, readAt, timestampAt } from '../../resources/backups.ts'
import { ownCluster, sendRequest, unusedId } from '../../resources/own-resources.ts'
import { expectFields, fieldOf, successfulResponse } from '../../resources/successful-response.ts'

const hour = 3600

/** Expects copy settings to identify a part of the cluster only by the field that this version uses. */
const namesPartBy = (wanted: 'replicationSpecId' | 'zoneId', other: string): Rule =>
  ownResourceRule(async (trial) => {
    const place = await ownCluster(trial.context)
    const part = unusedId()
    const setting = { cloudProvider: 'AWS', regionName: 'EU_WEST_1', [copyField(trial)]: part }
    successfulResponse(
      await sendRequest(trial, place, { body: { copySettings: [setting] } }, 'updateBackupSchedule'),
    )
    const { body, exchange } = await readSchedule(trial, place)
    const [shown] = listAt(body, 'copySettings')
    const right = fieldOf(shown, wanted) === part && fieldOf(shown, other) === undefined
    expectThat(right, {
      expected: `${wanted} ${part} and no ${other}`,
      actual: inspect(shown),
      exchange,
    })
  })

export default rules({
  'getBackupSchedule.answers-with-backup-schedule': always(async (trial) => {
    const { clusterName } = (await trial.good()).parameters
    const found = successfulResponse(await trial.try())
    expectFields(found, 'autoExportEnabled', 'clusterId', 'policies')
    const named = stringAt(found.body, 'clusterName')
    expectThat(named === clusterName, {
      expected: `the backup schedule of ${clusterName}`,
      actual: named,
      exchange: found.exchange,
    })
  }),

  'getBackupSchedule.next-snapshot': timed(async (trial) => {
    const place = await ownSchedule(trial, policies(item('hourly', 1, 2)))
    const now = await trial.context.prerequisites.now()
    const before = await readSchedule(trial, place)
    const next = timestampAt(before.body, 'nextSnapshot')
    // The next snapshot may be slightly late or early, because time passes during the check.
    const right = next > now - 1000 && next <= now + (hour + 60) * 1000
    expectThat(right, {
      expected: 'a nextSnapshot within the hour',
      actual: inspect(fieldOf(before.body, 'nextSnapshot')),
      exchange: before.exchange,
    })
    await pass(trial, Math.ceil((next - now) / 1000) + 1)
    const snapshots = await readAt(trial, place, 'listSnapshots')
    const timestamps = listAt(snapshots.body, 'results').map((snapshot) => timestampAt(snapshot, 'createdAt'))
    expectThat(timestamps.includes(next), {
      expected: `a snapshot of ${stringAt(before.body, 'nextSnapshot')}`,
      actual: inspect(listAt(snapshots.body, 'results').map((one) => stringAt(one, 'createdAt') ?? null)),
      exchange: snapshots.exchange,
    })
    const after = await readSchedule(trial, place)
    expectThat(timestampAt(after.body, 'nextSnapshot') === next + hour * 1000, {
      expected: 'a nextSnapshot an hour later',
      actual: inspect(fieldOf(after.body, 'nextSnapshot')),
      exchange: after.exchange,
    })
  }),

  'getBackupSchedule.replication-spec-until-2024-08-05': namesPartBy('replicationSpecId', 'zoneId'),

  'getBackupSchedule.zone-since-2024-08-05': namesPartBy('zoneId', 'replicationSpecId'),
})
