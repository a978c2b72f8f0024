import { limits } from '@svc-admin/types'
import { withGenerated } from '../../check/generated.ts'
import { forEach, ownResourceRule, rules, timed } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { storableText } from '../../document/arbitrary.ts'
import { inspect, type JsonObject } from '../../document/json.ts'
import type { Strength } from '../../document/strength.ts'
import { expectError, expectSuccess, expectThat, isSuccess } from '../../model/expect.ts'
import { frequencyPairs, hourlyRetentions, item } from '../../resources/backup-schedules.ts'
import { expectNamed, timestampAt } from '../../resources/backups.ts'
import {
  fullPolicy,
  lastingOf,
  leastPolicy,
  otherPolicy,
  ownPolicy,
  passUntilActive,
  putPolicy,
  readPolicy,
} from '../../resources/compliance.ts'
import { expectSameAsEarlier } from '../../resources/earlier-response.ts'
import { type OwnProject, ownProject, unusedId } from '../../resources/own-resources.ts'
import {
  accepted,
  expectContains,
  expectDefault,
  expectField,
  expectText,
  fieldOf,
  refused,
  successfulResponse,
  without,
} from '../../resources/successful-response.ts'

const flags = ['copyProtectionEnabled', 'encryptionAtRestEnabled', 'pitEnabled'] as const

/** Returns bodies without optional fields, with one of them, and with all except for the flags. */
const withEachField: readonly JsonObject[] = [
  leastPolicy,
  // A restore window applies only to continuous backup.
  ...Object.entries(without(fullPolicy, 'restoreWindowDays')).map(([name, value]) => ({
    ...leastPolicy,
    [name]: value,
  })),
  without(fullPolicy, ...flags, 'restoreWindowDays'),
].filter((body, index) => index === 0 || Object.keys(body).length > 1)

const keeps = async (
  trial: Trial,
  policy: JsonObject,
  arrange: (trial: Trial) => Promise<OwnProject> = ({ context }) => ownProject(context),
): Promise<void> => {
  const place = await arrange(trial)
  const now = await trial.context.prerequisites.now()
  const put = successfulResponse(await putPolicy(trial, place, policy))
  expectContains(put.exchange, put.body, { ...policy, projectId: place.groupId })
  for (const name of ['state', 'updatedDate', 'updatedUser']) expectText(put, name)
  const updated = timestampAt(put.body, 'updatedDate')
  expectThat(Math.abs(updated - now) < 600_000, {
    expected: `a current updatedDate, about ${new Date(now).toISOString()}`,
    actual: inspect(fieldOf(put.body, 'updatedDate')),
    exchange: put.exchange,
  })
  const again = await readPolicy(trial, place)
  expectSameAsEarlier(again.exchange, lastingOf(trial, again.body), {
    operation: 'updateCompliancePolicy',
    value: lastingOf(trial, put.body),
  })
}

/**
 * Supporting units other than days is our decision. However, if a target accepts the unit, and accepts the restore
 * window with the same retention in days, the target must also accept the window with the unit.
 */
const strengthOfUnit = async (trial: Trial, ...policies: readonly JsonObject[]): Promise<Strength> => {
  for (const policy of policies) {
    const place = await ownProject(trial.context)
    if (!isSuccess(await putPolicy(trial, place, { ...leastPolicy, ...policy }))) return 'decided'
  }
  return 'stated'
}

export default rules({
  'updateCompliancePolicy.answers-with-compliance-policy': [
    ownResourceRule((trial) => keeps(trial, fullPolicy)),
    ownResourceRule((trial) => keeps(trial, fullPolicy, (one) => ownPolicy(one, otherPolicy)), {
      label: 'instead of another policy',
    }),
    withGenerated(
      (generate) => {
        const name = storableText(generate, 30)
        return generate
          .record({ authorizedUserFirstName: name, authorizedUserLastName: name })
          .map((names) => ({ ...fullPolicy, ...names }))
      },
      (trial, policy) => keeps(trial, policy),
    ),
  ],

  'updateCompliancePolicy.email-required': forEach(
    (): [string, JsonObject][] => [
      ['none', {}],
      ...['nobody', 'nobody@', '@contract.example', 'no body@contract.example'].map(
        (authorizedEmail): [string, JsonObject] => [authorizedEmail, { authorizedEmail }],
      ),
    ],
    ([label]) => label,
    async (trial, [, body]) => {
      const exchange = await putPolicy(trial, await ownProject(trial.context), body)
      expectNamed(exchange, 'VALIDATION_ERROR', '/authorizedEmail', 'authorizedEmail is not an email address')
    },
  ),

  // The checks use new projects, because resetting the flags of an existing policy is our decision.
  'updateCompliancePolicy.flags-default-false': forEach(
    () => withEachField,
    (body) => Object.keys(body).join(' and '),
    async (trial, body) => {
      const place = await ownProject(trial.context)
      const put = successfulResponse(await putPolicy(trial, place, body))
      for (const policy of [put, await readPolicy(trial, place)])
        for (const name of flags) if (!(name in body)) expectDefault(policy, name, false)
    },
    { phase: 'write' },
  ),

  'updateCompliancePolicy.replaces': ownResourceRule(async (trial) => {
    const place = await ownPolicy(trial, fullPolicy)
    const put = successfulResponse(await putPolicy(trial, place, leastPolicy))
    const names = Object.keys(fullPolicy).filter((name) => !(name in leastPolicy))
    for (const policy of [put, await readPolicy(trial, place)])
      for (const name of names)
        expectField(policy, name, flags.some((flag) => flag === name) ? false : undefined)
  }),

  'updateCompliancePolicy.window-positive': ownResourceRule(async (trial) => {
    const place = await ownProject(trial.context)
    const { minimum } = limits.restoreWindowDays
    const put = (restoreWindowDays: number) => putPolicy(trial, place, { ...leastPolicy, restoreWindowDays })
    refused(await put(minimum - 1), 'the restore window is below the minimum')
    expectField(successfulResponse(await put(minimum)), 'restoreWindowDays', minimum)
  }),

  'updateCompliancePolicy.window-within-hourly-retention': forEach(
    hourlyRetentions,
    ({ label }) => label,
    async (trial, { items, fits, exceeds, unit }) => {
      const place = await ownProject(trial.context)
      const put = (restoreWindowDays: number) =>
        putPolicy(trial, place, { ...leastPolicy, scheduledPolicyItems: items, restoreWindowDays })
      refused(await put(exceeds), 'the restore window is longer than the hourly retention')
      const exchange = await put(fits)
      const inDays = { scheduledPolicyItems: [item('hourly', 6, fits)], restoreWindowDays: fits }
      const isUnit = !isSuccess(exchange) && unit === 'decided'
      const strength = isUnit ? await strengthOfUnit(trial, { scheduledPolicyItems: items }, inDays) : unit
      expectSuccess(exchange, 'a success for a restore window within the hourly retention', strength)
    },
    { phase: 'write' },
  ),

  'updateCompliancePolicy.retention-grows': forEach(
    frequencyPairs,
    (pair) => pair.join(' and '),
    async (trial, [more, less]) => {
      const place = await ownProject(trial.context)
      const put = (retentionDays: number) => {
        const scheduledPolicyItems = [item(more, 1, retentionDays), item(less, 1, 1, 'weeks')]
        return putPolicy(trial, place, { ...leastPolicy, scheduledPolicyItems })
      }
      refused(await put(8), `${more} snapshots have a longer retention than ${less} snapshots`)
      successfulResponse(await put(7))
    },
    { phase: 'write' },
  ),

  'updateCompliancePolicy.project-of-the-path': ownResourceRule(async (trial) => {
    const place = await ownProject(trial.context)
    const other = await ownProject(trial.context)
    for (const projectId of [other.groupId, unusedId()]) {
      const exchange = await putPolicy(trial, place, { ...leastPolicy, projectId })
      expectNamed(
        exchange,
        'VALIDATION_ERROR',
        '/projectId',
        'projectId differs from the project in the path',
      )
    }
    successfulResponse(await putPolicy(trial, place, { ...leastPolicy, projectId: place.groupId }))
  }),

  'updateCompliancePolicy.policy-item-open': ownResourceRule(async (trial) => {
    const open = { ...item('daily', 1, 7), somethingElse: 1 }
    const body = { ...leastPolicy, onDemandPolicyItem: open, scheduledPolicyItems: [open] }
    accepted(
      await putPolicy(trial, await ownProject(trial.context), body),
      'an undocumented field in a policy item',
    )
  }),

  'updateCompliancePolicy.not-while-in-transition': timed(async (trial) => {
    const place = await ownProject(trial.context)
    successfulResponse(await putPolicy(trial, place, leastPolicy))
    expectError(await putPolicy(trial, place, fullPolicy), 'INVALID_STATE', 'the policy is ENABLING')
    await passUntilActive(trial)
    successfulResponse(
      await putPolicy(trial, place, leastPolicy),
      'a success, because the previous policy is active',
    )
    expectError(await putPolicy(trial, place, fullPolicy), 'INVALID_STATE', 'the policy is UPDATING')
    const { body, exchange } = await readPolicy(trial, place)
    expectContains(exchange, body, leastPolicy)
  }),
})
