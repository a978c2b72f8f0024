import { forEach, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, type JsonObject } from '../../document/json.ts'
import { expectThat } from '../../model/expect.ts'
import { item, ownSchedule, policies } from '../../resources/backup-schedules.ts'
import { days, expectRetained } from '../../resources/backups.ts'
import { sendRequest } from '../../resources/own-resources.ts'
import { type OwnSnapshot, readSnapshot, seedSnapshot } from '../../resources/snapshots.ts'
import { expectField, fieldOf, successfulResponse } from '../../resources/successful-response.ts'

const daily = { snapshotType: 'scheduled', frequencyType: 'daily' }

/** Creates a daily snapshot in a cluster that retains daily snapshots for three days. */
const dailySnapshot = async (trial: Trial): Promise<OwnSnapshot> => {
  const place = await ownSchedule(trial, policies(item('daily', 1, 3)))
  return seedSnapshot(trial, place, 'replicaSet', daily)
}

/** Bodies that each contain one other field. The flag must have the same effect in combination with each field. */
const companions: readonly JsonObject[] = [
  { referenceHourOfDay: 7 },
  { referenceMinuteOfHour: 35 },
  { useOrgAndGroupNamesInExportPrefix: true },
  { extraRetentionSettings: [{ frequencyType: 'weekly', retentionDays: 20 }] },
  { copySettings: [] },
  { deleteCopiedBackups: [] },
  { autoExportEnabled: false },
]

const keptForNine = policies(item('daily', 1, 9))

export default rules({
  'updateBackupSchedule.update-snapshots': forEach(
    () => [{}, ...companions, Object.assign({}, ...companions)],
    (companion: JsonObject) => Object.keys(companion).join(' and '),
    async (trial, companion) => {
      const first = await dailySnapshot(trial)
      // All of a cluster's snapshots change, not only the first one.
      const isAlone = Object.keys(companion).length > 0
      const snapshots = isAlone ? [first] : [first, await seedSnapshot(trial, first, 'replicaSet', daily)]
      const expirationOf = async (one: OwnSnapshot) =>
        fieldOf((await readSnapshot(trial, one)).body, 'expiresAt')
      const before = await Promise.all(snapshots.map(expirationOf))
      successfulResponse(
        await sendRequest(trial, first, { body: { ...keptForNine, updateSnapshots: true, ...companion } }),
      )
      for (const [index, snapshot] of snapshots.entries()) {
        const { body, exchange } = await readSnapshot(trial, snapshot)
        expectThat(fieldOf(body, 'expiresAt') !== before[index], {
          expected: `an expiresAt other than ${inspect(before[index])}`,
          actual: 'the same value',
          exchange,
        })
        // The specification doesn't say when a retention period starts, so the exact time is our decision.
        expectRetained({ body, exchange }, days(9), 'decided')
      }
    },
    { phase: 'write' },
  ),

  'updateBackupSchedule.snapshots-stay-otherwise': forEach(
    (): [string, JsonObject][] => [
      ['without', {}],
      ['false', { updateSnapshots: false }],
    ],
    ([label]) => label,
    async (trial, [, flag]) => {
      const snapshot = await dailySnapshot(trial)
      const before = fieldOf((await readSnapshot(trial, snapshot)).body, 'expiresAt')
      successfulResponse(await sendRequest(trial, snapshot, { body: { ...keptForNine, ...flag } }))
      const strength = 'updateSnapshots' in flag ? 'stated' : 'decided'
      expectField(await readSnapshot(trial, snapshot), 'expiresAt', before, strength)
    },
  ),
})
