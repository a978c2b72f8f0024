import { always, forEach, onV1, ownResourceRule, rules, timed } from '../../check/rule.ts'
import { inspect, isArray, listAt } from '../../document/json.ts'
import { expectThat } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { item, ownSchedule, policies, readSchedule } from '../../resources/backup-schedules.ts'
import { childPath, expectFound, pass, readAt, servesRole } from '../../resources/backups.ts'
import { ownSnapshot, readSnapshot } from '../../resources/snapshots.ts'
import { expectContains, expectField, fieldOf } from '../../resources/successful-response.ts'

const hour = 3600

export default rules({
  'getSnapshot.answers-with-replica-set-snapshot': always((trial) => expectFound(trial, 'snapshotId')),

  'getSnapshot.backup-manager-in-v1': forEach(
    () => ['PROJECT_READ_ONLY', 'PROJECT_BACKUP_MANAGER'] as const,
    (role) => role,
    servesRole,
    { at: onV1 },
  ),

  'getSnapshot.policy-items': timed(async (trial) => {
    const place = await ownSchedule(trial, policies(item('hourly', 1, 2)))
    const schedule = await readSchedule(trial, place)
    const [policyItem] = listAt(listAt(schedule.body, 'policies')[0], 'policyItems')
    await pass(trial, hour)
    const [scheduledSnapshot] = listAt((await readAt(trial, place, 'listSnapshots')).body, 'results')
    const snapshotId = fieldOf(scheduledSnapshot, 'id')
    if (typeof snapshotId !== 'string') throw new Untestable('a scheduled snapshot')
    const found = await readAt(trial, childPath(place, { snapshotId }), 'getSnapshot')
    const named = fieldOf(found.body, 'policyItems')
    expectThat(isArray(named) && named.includes(fieldOf(policyItem, 'id') ?? ''), {
      expected: `policyItems with ${inspect(fieldOf(policyItem, 'id'))}`,
      actual: inspect(named),
      exchange: found.exchange,
    })
  }),

  'getSnapshot.frequency-open': ownResourceRule(async (trial) => {
    const unusual = { frequencyType: 'fortnightly', snapshotType: 'rehearsal', type: 'shard' }
    const found = await readSnapshot(trial, await ownSnapshot(trial, 'replicaSet', unusual))
    expectContains(found.exchange, found.body, unusual)
    expectField(found, 'status', 'completed')
  }),
})
