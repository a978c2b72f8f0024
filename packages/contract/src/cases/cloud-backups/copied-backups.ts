import { forEach, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, type JsonObject, listAt } from '../../document/json.ts'
import { expectSuccess, expectThat } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { copyTo, item, ownSchedule, policies } from '../../resources/backup-schedules.ts'
import { prepared } from '../../resources/backups.ts'
import { type OwnCluster, sendRequest } from '../../resources/own-resources.ts'
import { type OwnSnapshot, readSnapshot, seedSnapshot } from '../../resources/snapshots.ts'

const [named, other] = ['EU_WEST_1', 'US_EAST_1'] as const

/** Two copy settings. The request deletes the copies in `named` but not those in `other`. */
interface Settings {
  readonly named: JsonObject
  readonly other: JsonObject
}

/** Creates a cluster that copies daily snapshots to two regions. */
const ownCopying = async (trial: Trial, settings: Settings): Promise<OwnCluster> => {
  const place = await ownSchedule(trial, policies(item('daily', 1, 7)))
  const copySettings = [settings.named, settings.other]
  prepared(await sendRequest(trial, place, { body: { copySettings } }), 'a schedule with copy settings')
  return place
}

const regionsOf = async (trial: Trial, snapshot: OwnSnapshot) => {
  const { body, exchange } = await readSnapshot(trial, snapshot)
  return { regions: listAt(body, 'copyRegions'), exchange }
}

/** Seeds a daily snapshot with copies in these regions. */
const copiedTo = async (
  trial: Trial,
  place: OwnCluster,
  copyRegions: readonly string[],
): Promise<OwnSnapshot> => {
  const scheduled = { snapshotType: 'scheduled', frequencyType: 'daily', copyRegions }
  const snapshot = await seedSnapshot(trial, place, 'replicaSet', scheduled)
  const { regions } = await regionsOf(trial, snapshot)
  if (!copyRegions.every((region) => regions.includes(region)))
    throw new Untestable('a snapshot with copies in other regions')
  return snapshot
}

const expectCopies = async (
  trial: Trial,
  snapshot: OwnSnapshot,
  kept: readonly string[],
  why: string,
): Promise<void> => {
  const { regions, exchange } = await regionsOf(trial, snapshot)
  expectThat(
    kept.every((region) => regions.includes(region)),
    {
      expected: `copyRegions with ${kept.join(' and ')}, because ${why}`,
      actual: inspect(regions),
      exchange,
    },
  )
}

const ofGiven = 'the request deletes only the copies of the given settings'

export default rules({
  'updateBackupSchedule.other-copies-kept': forEach(
    (): [string, readonly string[], (settings: Settings) => JsonObject][] => [
      ['one setting', [other], (settings) => ({ deleteCopiedBackups: [settings.named] })],
      [
        'one setting, also removed from copySettings',
        [other],
        (settings) => ({ deleteCopiedBackups: [settings.named], copySettings: [settings.other] }),
      ],
      ['no setting', [named, other], () => ({ deleteCopiedBackups: [] })],
    ],
    ([label]) => label,
    async (trial, [, kept, bodyOf]) => {
      const settings = { named: copyTo(trial, named), other: copyTo(trial, other) }
      const place = await ownCopying(trial, settings)
      const inBoth = await copiedTo(trial, place, [named, other])
      const inOther = await copiedTo(trial, place, [other])
      const ofOtherCluster = await copiedTo(trial, await ownCopying(trial, settings), [named, other])
      expectSuccess(await sendRequest(trial, place, { body: bodyOf(settings) }))
      await expectCopies(trial, inBoth, kept, ofGiven)
      await expectCopies(trial, inOther, [other], ofGiven)
      await expectCopies(trial, ofOtherCluster, [named, other], 'the request changes another cluster')
    },
    { phase: 'write' },
  ),
})
