import { ownResourceRule, type Rule, rules, timed } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import type { JsonObject } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import { expectError, expectRefusal, expectRefused, expectSuccess } from '../../model/expect.ts'
import { pass, sendInAnyVersion } from '../../resources/backups.ts'
import {
  fullPolicy,
  lastingOf,
  leastPolicy,
  ownPolicy,
  passUntilActive,
  putPolicy,
  readPolicy,
} from '../../resources/compliance.ts'
import { expectSameAsEarlier } from '../../resources/earlier-response.ts'
import { type OwnProject, ownProject, sendRequest } from '../../resources/own-resources.ts'
import {
  expectContains,
  expectField,
  expectFields,
  secondsIn,
  successfulResponse,
} from '../../resources/successful-response.ts'

const put = async (trial: Trial, place: OwnProject) =>
  successfulResponse(await putPolicy(trial, place, leastPolicy))

/** Policies with all fields, and without the policy items that are optional. */
const policyKinds: readonly [label: string, policy: JsonObject][] = [
  ['', {}],
  ['without scheduled items', { scheduledPolicyItems: [] }],
  ['with all fields', fullPolicy],
]

/** Expects the policy to stay in effect unless the support team has allowed the project to disable it. */
const notDisabled = (look: (exchange: Exchange) => void): readonly Rule[] =>
  policyKinds.map(([label, policy]) =>
    ownResourceRule(
      async (trial) => {
        const place = await ownPolicy(trial, { ...policy, deletable: false })
        look(await sendRequest(trial, place))
        expectField(await readPolicy(trial, place), 'state', 'ACTIVE')
      },
      { label },
    ),
  )

const notDeletable = 'support has not made the policy deletable'

export default rules({
  'compliance-policy.enabling-first': timed(async (trial) => {
    const place = await ownProject(trial.context)
    expectField(await put(trial, place), 'state', 'ENABLING')
    expectField(await readPolicy(trial, place), 'state', 'ENABLING')
  }),

  'compliance-policy.active-next': timed(async (trial) => {
    const place = await ownProject(trial.context)
    await put(trial, place)
    await passUntilActive(trial)
    expectField(await readPolicy(trial, place), 'state', 'ACTIVE')
  }),

  'compliance-policy.updating': timed(async (trial) => {
    const place = await ownPolicy(trial)
    expectField(await put(trial, place), 'state', 'UPDATING')
    expectField(await readPolicy(trial, place), 'state', 'UPDATING')
    await pass(trial, secondsIn('compliance-policy', 'UPDATING'))
    expectField(await readPolicy(trial, place), 'state', 'ACTIVE')
  }),

  'getCompliancePolicy.answers-with-compliance-policy': ownResourceRule(async (trial) => {
    const place = await ownProject(trial.context)
    const stored = successfulResponse(await putPolicy(trial, place, fullPolicy))
    const found = successfulResponse(await sendRequest(trial, place))
    expectContains(found.exchange, found.body, { ...fullPolicy, projectId: place.groupId })
    expectFields(found, 'state')
    expectSameAsEarlier(found.exchange, lastingOf(trial, found.body), {
      operation: 'updateCompliancePolicy',
      value: lastingOf(trial, stored.body),
    })
  }),

  'getCompliancePolicy.none-not-found': ownResourceRule(async (trial) => {
    const exchange = await sendRequest(trial, await ownProject(trial.context))
    expectError(exchange, 'RESOURCE_NOT_FOUND', 'the project has no policy')
  }),

  'disableCompliancePolicy.needs-support': notDisabled((exchange) => expectRefused(exchange, notDeletable)),

  'disableCompliancePolicy.needs-support-code': notDisabled((exchange) =>
    expectError(exchange, 'COMPLIANCE_POLICY_ACTIVE', notDeletable),
  ),

  'disableCompliancePolicy.removes': ownResourceRule(async (trial) => {
    const place = await ownPolicy(trial)
    await trial.context.prerequisites.arrange('backups/deletable', { groupId: place.groupId })
    expectField(await readPolicy(trial, place), 'deletable', true)
    expectSuccess(await sendRequest(trial, place))
    const exchange = await sendInAnyVersion(trial, place, 'getCompliancePolicy')
    expectRefusal(exchange, 'RESOURCE_NOT_FOUND', 'the policy was deleted')
  }),
})
