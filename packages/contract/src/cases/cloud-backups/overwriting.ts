import { ownResourceRule, type Rule, rules, timed } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, type Json, listAt, numberAt, stringAt } from '../../document/json.ts'
import { clusterKinds, kinds } from '../../given/clusters.ts'
import type { CallChanges } from '../../model/call.ts'
import { expectThat } from '../../model/expect.ts'
import { item, ownSchedule, policies, readSchedule } from '../../resources/backup-schedules.ts'
import { leastPolicy, ownPolicy, passUntilActive, putPolicy } from '../../resources/compliance.ts'
import { knownOf } from '../../resources/known-values.ts'
import { type OwnCluster, type OwnProject, ownProject } from '../../resources/own-resources.ts'
import {
  expectSame,
  fieldOf,
  type SuccessfulResponse,
  successfulResponse,
} from '../../resources/successful-response.ts'

const policy = { ...leastPolicy, scheduledPolicyItems: [item('daily', 1, 7), item('weekly', 1, 4, 'weeks')] }

const daysOf: Readonly<Record<string, number>> = { days: 1, weeks: 7, months: 30, years: 365 }

/** Returns how many days the schedule retains snapshots of each frequency. */
const daysKept = (schedule: Json): ReadonlyMap<string, number> =>
  new Map(
    listAt(listAt(schedule, 'policies')[0], 'policyItems').map((one) => [
      stringAt(one, 'frequencyType') ?? '',
      (numberAt(one, 'retentionValue') ?? 0) * (daysOf[stringAt(one, 'retentionUnit') ?? ''] ?? 0),
    ]),
  )

const least = [
  ['hourly', 2],
  ['daily', 7],
  ['weekly', 28],
] as const

/** A policy with lower minimums, which a project may have before. */
const lowerMinimums = { scheduledPolicyItems: [item('daily', 1, 3)] }

const expectLeast = ({ body, exchange }: SuccessfulResponse): void => {
  const daysByItem = daysKept(body)
  expectThat(
    least.every(([frequency, days]) => (daysByItem.get(frequency) ?? 0) >= days),
    {
      expected: `retention in days: at least ${inspect(Object.fromEntries(least))}`,
      actual: inspect(Object.fromEntries(daysByItem)),
      exchange,
    },
  )
}

/**
 * Expects the server to raise schedule values that are below the policy's minimums, for all kinds of clusters. Schedules that meet the minimums
 * must not change.
 */
const raises = async (trial: Trial, within: OwnProject, query: CallChanges['query']): Promise<void> => {
  const tooShort = policies(item('hourly', 6, 2), item('daily', 1, 3))
  const raised: OwnCluster[] = []
  for (const kind of clusterKinds) raised.push(await ownSchedule(trial, tooShort, within, kinds[kind]))
  const enough = await ownSchedule(
    trial,
    policies(item('daily', 1, 30), item('weekly', 1, 8, 'weeks')),
    within,
  )
  const before = await readSchedule(trial, enough)
  successfulResponse(await putPolicy(trial, within, policy, query))
  for (const place of raised) expectLeast(await readSchedule(trial, place))
  const after = await readSchedule(trial, enough)
  expectSame(
    after.exchange,
    'the policies',
    fieldOf(after.body, 'policies'),
    fieldOf(before.body, 'policies'),
  )
}

/** The parameter must have the same effect on a project's first policy and on later policies. */
const rewrites = (query: CallChanges['query']): readonly Rule[] => [
  ownResourceRule(async (trial) => raises(trial, await ownProject(trial.context), query)),
  ownResourceRule(async (trial) => raises(trial, await ownPolicy(trial, lowerMinimums), query), {
    label: 'instead of another policy',
  }),
]

export default rules({
  'updateCompliancePolicy.overwrite-rewrites': rewrites([['overwriteBackupPolicies', 'true']]),

  'updateCompliancePolicy.overwrite-default-true': rewrites([]),

  'updateCompliancePolicy.overwrite-false-leaves': timed(async (trial) => {
    const lasting = (schedule: Json) => knownOf(trial, 'getBackupSchedule', schedule, 'links', 'nextSnapshot')
    for (const within of [await ownProject(trial.context), await ownPolicy(trial, lowerMinimums)]) {
      const place = await ownSchedule(trial, policies(item('daily', 1, 3)), within)
      const before = await readSchedule(trial, place)
      successfulResponse(await putPolicy(trial, within, policy, [['overwriteBackupPolicies', 'false']]))
      const expectUnchanged = async (): Promise<void> => {
        const { body, exchange } = await readSchedule(trial, place)
        expectSame(exchange, 'the schedule', lasting(body), lasting(before.body))
      }
      await expectUnchanged()
      await passUntilActive(trial)
      await expectUnchanged()
    }
  }),
})
