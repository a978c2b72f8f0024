import { forEach, rules, timedForEach } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, type JsonObject, listAt } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import { expectSuccess, expectThat } from '../../model/expect.ts'
import { Untestable, Violation } from '../../model/signals.ts'
import { copyTo, item, ownSchedule, policies } from '../../resources/backup-schedules.ts'
import { pass, prepared } from '../../resources/backups.ts'
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

const day = 86_400

/**
 * Expects either all of the copies to have been deleted or none of them. The specification doesn't say when copies are
 * deleted. However, if some of the copies have been deleted a day later, the target has carried out the request.
 */
const expectDeleted = async (
  trial: Trial,
  snapshots: readonly OwnSnapshot[],
  deleted: readonly string[],
): Promise<void> => {
  await pass(trial, day)
  const left: string[] = []
  let last: Exchange | undefined
  for (const snapshot of snapshots) {
    const { regions, exchange } = await regionsOf(trial, snapshot)
    const found = deleted.filter((region) => regions.includes(region))
    if (found.length > 0) last = exchange
    left.push(...found)
  }
  if (last === undefined) return
  if (left.length === snapshots.length * deleted.length)
    throw new Untestable('copies of snapshots that the target deletes within a day')
  throw new Violation({
    expected: `no copies in ${deleted.join(' and ')}, because the target has deleted other copies for this request`,
    actual: `copies in ${left.join(' and ')}`,
    exchange: last,
  })
}

const both = [named, other] as const

interface Deletion {
  readonly label: string
  /** The regions whose copies the request deletes. */
  readonly deleted: readonly (typeof both)[number][]
  /** For each snapshot, the regions that it was copied to. */
  readonly copies: readonly (readonly string[])[]
}

const ofGiven = 'the request deletes only the copies of the given settings'

export default rules({
  'updateBackupSchedule.delete-copied-backups': timedForEach(
    (): Deletion[] => [
      { label: 'two settings', deleted: [named, other], copies: [both, both] },
      { label: 'two settings in reverse order', deleted: [other, named], copies: [both, both] },
      { label: 'the only copy', deleted: [named], copies: [both, [named]] },
    ],
    ({ label }) => label,
    async (trial, { deleted, copies }) => {
      const settings = { named: copyTo(trial, named), other: copyTo(trial, other) }
      const place = await ownCopying(trial, settings)
      const snapshots: OwnSnapshot[] = []
      for (const regions of copies) snapshots.push(await copiedTo(trial, place, regions))
      const deleteCopiedBackups = deleted.map((region) =>
        region === named ? settings.named : settings.other,
      )
      expectSuccess(await sendRequest(trial, place, { body: { deleteCopiedBackups } }))
      await expectDeleted(trial, snapshots, deleted)
    },
  ),

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
