import { inspect, listAt, stringAt } from '../../document/json.ts'
import { expectThat } from '../../engine/expect.ts'
import { always, own, type Rule, rules, timed } from '../../engine/rule.ts'
import { answered, expectFields, fieldOf } from '../../given/answered.ts'
import { copyField, item, ownSchedule, policies, readSchedule } from '../../given/backup-schedules.ts'
import { look, momentAt, pass } from '../../given/backups.ts'
import { ask, nobodysId, ownCluster } from '../../given/own-places.ts'

const hour = 3600

/** A copy setting names its part of the cluster by the member that the version has, and by no other. */
const namesPartBy = (wanted: 'replicationSpecId' | 'zoneId', other: string): Rule =>
  own(async (trial) => {
    const place = await ownCluster(trial.world)
    const part = nobodysId()
    const setting = { cloudProvider: 'AWS', regionName: 'EU_WEST_1', [copyField(trial)]: part }
    answered(await ask(trial, place, { body: { copySettings: [setting] } }, 'updateBackupSchedule'))
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
  /** The schedule of the cluster is returned. */
  'getBackupSchedule.answers-with-backup-schedule': always(async (trial) => {
    const { clusterName } = (await trial.good()).parameters
    const found = answered(await trial.try())
    expectFields(found, 'autoExportEnabled', 'clusterId', 'policies')
    const named = stringAt(found.body, 'clusterName')
    expectThat(named === clusterName, {
      expected: `the schedule of ${clusterName}`,
      actual: named,
      exchange: found.exchange,
    })
  }),

  /** The nextSnapshot is the moment of the next snapshot that a policy item asks for. */
  'getBackupSchedule.next-snapshot': timed(async (trial) => {
    const place = await ownSchedule(trial, policies(item('hourly', 1, 2)))
    const now = await trial.world.prerequisites.now()
    const before = await readSchedule(trial, place)
    const next = momentAt(before.body, 'nextSnapshot')
    // The clock goes on while the check asks.
    const right = next > now - 1000 && next <= now + (hour + 60) * 1000
    expectThat(right, {
      expected: 'a nextSnapshot within the hour',
      actual: inspect(fieldOf(before.body, 'nextSnapshot')),
      exchange: before.exchange,
    })
    await pass(trial, Math.ceil((next - now) / 1000) + 1)
    const taken = await look(trial, place, 'listSnapshots')
    const moments = listAt(taken.body, 'results').map((snapshot) => momentAt(snapshot, 'createdAt'))
    expectThat(moments.includes(next), {
      expected: `a snapshot of ${stringAt(before.body, 'nextSnapshot')}`,
      actual: inspect(listAt(taken.body, 'results').map((one) => stringAt(one, 'createdAt') ?? null)),
      exchange: taken.exchange,
    })
    const after = await readSchedule(trial, place)
    expectThat(momentAt(after.body, 'nextSnapshot') === next + hour * 1000, {
      expected: 'a nextSnapshot an hour later',
      actual: inspect(fieldOf(after.body, 'nextSnapshot')),
      exchange: after.exchange,
    })
  }),

  /** Before 2024-08-05 a copy setting names its part of the cluster by replicationSpecId. */
  'getBackupSchedule.replication-spec-until-2024-08-05': namesPartBy('replicationSpecId', 'zoneId'),

  /** From 2024-08-05 on a copy setting names its part of the cluster by zoneId. */
  'getBackupSchedule.zone-since-2024-08-05': namesPartBy('zoneId', 'replicationSpecId'),
})
