import { forEach, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, type JsonObject } from '../../document/json.ts'
import { expectThat } from '../../model/expect.ts'
import { item, ownSchedule, policies } from '../../resources/backup-schedules.ts'
import { days, expectRetained } from '../../resources/backups.ts'
import { sendRequest } from '../../resources/own-resources.ts'
import { type OwnSnapshot, readSnapshot, seedSnapshot } from '../../resources/snapshots.ts'
import { expectField, fieldOf, successfulResponse } from '../../resources/successful-response.ts'

/** Creates a daily snapshot in a cluster that retains daily snapshots for three days. */
const dailySnapshot = async (trial: Trial): Promise<OwnSnapshot> => {
  const place = await ownSchedule(trial, policies(item('daily', 1, 3)))
  const daily = { snapshotType: 'scheduled', frequencyType: 'daily' }
  return seedSnapshot(trial, place, 'replicaSet', daily)
}

/** The body's other fields, each on its own. The flag must have the same effect in combination with each field. */
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
      const snapshot = await dailySnapshot(trial)
      const before = fieldOf((await readSnapshot(trial, snapshot)).body, 'expiresAt')
      successfulResponse(
        await sendRequest(trial, snapshot, { body: { ...keptForNine, updateSnapshots: true, ...companion } }),
      )
      const { body, exchange } = await readSnapshot(trial, snapshot)
      expectThat(fieldOf(body, 'expiresAt') !== before, {
        expected: `an expiresAt other than ${inspect(before)}`,
        actual: 'the same value',
        exchange,
      })
      // The specification doesn't say when a retention starts, so the exact time is our decision.
      expectRetained({ body, exchange }, days(9), 'decided')
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
