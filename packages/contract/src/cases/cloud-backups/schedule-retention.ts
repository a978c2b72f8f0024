import { forEach, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, type Json, type JsonObject } from '../../document/json.ts'
import type { Strength } from '../../document/strength.ts'
import { type ClusterKind, kinds } from '../../given/clusters.ts'
import { expectThat } from '../../model/expect.ts'
import {
  type Frequency,
  frequencies,
  item,
  ownSchedule,
  policies,
  strengthOfFrequency,
} from '../../resources/backup-schedules.ts'
import { days, expectRetained, readAt } from '../../resources/backups.ts'
import { sendRequest } from '../../resources/own-resources.ts'
import { type OwnSnapshot, operationsOf, readSnapshot, seedSnapshot } from '../../resources/snapshots.ts'
import {
  expectField,
  fieldOf,
  type SuccessfulResponse,
  successfulResponse,
} from '../../resources/successful-response.ts'

const daily = { snapshotType: 'scheduled', frequencyType: 'daily' }
const monthly = { snapshotType: 'scheduled', frequencyType: 'monthly' }

/** Creates a daily snapshot in a cluster that retains daily snapshots for three days. */
const dailySnapshot = async (trial: Trial): Promise<OwnSnapshot> => {
  const place = await ownSchedule(trial, policies(item('daily', 1, 3)))
  return seedSnapshot(trial, place, 'replicaSet', daily)
}

/**
 * Bodies that each contain another field to send with the flag. The flag must have the same effect regardless of the
 * other field.
 */
const companions: readonly JsonObject[] = [
  { referenceHourOfDay: 7 },
  { referenceMinuteOfHour: 35 },
  { useOrgAndGroupNamesInExportPrefix: true },
  { extraRetentionSettings: [{ frequencyType: 'weekly', retentionDays: 20 }] },
  { copySettings: [] },
  { deleteCopiedBackups: [] },
  { autoExportEnabled: false },
]

/** The expiration must change for all kinds of clusters and for snapshots of each frequency. */
const snapshotGroups = (): [ClusterKind, readonly Frequency[]][] => {
  const shown = frequencies.filter((one) => strengthOfFrequency(one) === 'stated')
  return [
    ['replicaSet', shown],
    ['shardedCluster', shown],
    // Yearly items are tested separately, because a server may reject a schedule that contains them.
    ['replicaSet', ['yearly']],
  ]
}

/** Returns a schedule in which each less frequent type of snapshot is retained for one more day. */
const keptFrom = (least: number, chosen: readonly Frequency[]): JsonObject =>
  policies(...chosen.map((frequency, index) => item(frequency, 1, least + index)))

const expectMoved = (
  { body, exchange }: SuccessfulResponse,
  before: Json | undefined,
  strength: Strength = 'stated',
): void =>
  expectThat(fieldOf(body, 'expiresAt') !== before, {
    expected: `an expiresAt other than ${inspect(before)}`,
    actual: 'the same value',
    exchange,
    strength,
  })

const ofEachFrequency = forEach(
  snapshotGroups,
  ([kind, chosen]) => `${kind} with ${chosen.join(', ')}`,
  async (trial, [kind, chosen]) => {
    const place = await ownSchedule(trial, keptFrom(10, chosen), undefined, kinds[kind])
    const snapshots = await Promise.all(
      chosen.map((frequencyType) =>
        seedSnapshot(trial, place, kind, { snapshotType: 'scheduled', frequencyType }),
      ),
    )
    const read = (one: OwnSnapshot) => readAt(trial, one, operationsOf(kind).found)
    const before = await Promise.all(
      snapshots.map(async (one) => fieldOf((await read(one)).body, 'expiresAt')),
    )
    successfulResponse(
      await sendRequest(trial, place, { body: { ...keptFrom(30, chosen), updateSnapshots: true } }),
    )
    for (const [index, frequency] of chosen.entries()) {
      const snapshot = snapshots[index]
      if (snapshot === undefined) continue
      const after = await read(snapshot)
      expectMoved(after, before[index], strengthOfFrequency(frequency))
      expectRetained(after, days(30 + index), { early: strengthOfFrequency(frequency), late: 'decided' })
    }
  },
  { phase: 'write' },
)

const keptForNine = policies(item('daily', 1, 9))

export default rules({
  'updateBackupSchedule.update-snapshots': [
    forEach(
      () => [{}, ...companions, Object.assign({}, ...companions)],
      (companion: JsonObject) => Object.keys(companion).join(' and '),
      async (trial, companion) => {
        const first = await dailySnapshot(trial)
        // The schedule doesn't retain monthly snapshots. They must not affect the other snapshots.
        await seedSnapshot(trial, first, 'replicaSet', monthly)
        // All of a cluster's snapshots must change, so the check also reads a second snapshot.
        const isAlone = Object.keys(companion).length > 0
        const snapshots = isAlone ? [first] : [first, await seedSnapshot(trial, first, 'replicaSet', daily)]
        const expirationOf = async (one: OwnSnapshot) =>
          fieldOf((await readSnapshot(trial, one)).body, 'expiresAt')
        const before = await Promise.all(snapshots.map(expirationOf))
        successfulResponse(
          await sendRequest(trial, first, { body: { ...keptForNine, updateSnapshots: true, ...companion } }),
        )
        for (const [index, snapshot] of snapshots.entries()) {
          const after = await readSnapshot(trial, snapshot)
          expectMoved(after, before[index])
          // The specification doesn't say when a retention period starts, so a later time is our decision.
          expectRetained(after, days(9), { late: 'decided' })
        }
      },
      { phase: 'write' },
    ),
    ofEachFrequency,
  ],

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
