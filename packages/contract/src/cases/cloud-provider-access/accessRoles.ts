import { always, ownResourceRule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, isArray, isObject, type Json, listAt } from '../../document/json.ts'
import { expectError, expectThat } from '../../model/expect.ts'
import {
  arn,
  authorized,
  knownOfRole,
  ownRole,
  roleIdOf,
  rolesOfBoth,
  type SomeRole,
  someRole,
  usedRole,
} from '../../resources/access-roles.ts'
import { sendRequest, targetsProject, unusedId } from '../../resources/own-resources.ts'
import { someProject } from '../../resources/provided-resources.ts'
import {
  expectContains,
  expectField,
  expectSame,
  expectTimestamp,
  fieldOf,
  successfulResponse,
} from '../../resources/successful-response.ts'

/** Ignores all other roles in a response, because a provided project may already have roles. */
const ofThese = (
  { context }: Trial,
  listed: readonly Json[],
  ...roles: readonly SomeRole[]
): readonly Json[] =>
  context.prerequisites.canSeed
    ? listed
    : listed.filter((one) => roles.some(({ roleId }) => roleId === roleIdOf(one)))

export default rules({
  'getCloudProviderAccessRole.answers-with-role': ownResourceRule(async (trial) => {
    const row = { iamAssumedRoleArn: arn, svcAssumedRoleExternalId: unusedId() }
    const role = await someRole(trial, 'AWS', row)
    const isOwn = trial.context.prerequisites.canSeed
    const seen = successfulResponse(await sendRequest(trial, role))
    const { exchange, body } = seen
    const dates = { createdDate: fieldOf(body, 'createdDate') ?? null }
    const expected = { ...(isOwn && row), ...dates, roleId: role.roleId, providerName: 'AWS' }
    expectContains(exchange, body, expected)
    if (isOwn) expectTimestamp(seen, 'authorizedDate', authorized.authorizedDate)
  }),

  'getCloudProviderAccessRole.feature-usages': ownResourceRule(async (trial) => {
    const role = await usedRole(trial.context)
    const { exchange, body } = successfulResponse(await sendRequest(trial, role))
    const usages = listAt(body, 'featureUsages')
    expectThat(usages.length === 1 && JSON.stringify(usages).includes(role.bucketId), {
      expected: `featureUsages with the bucket ${role.bucketId}`,
      actual: JSON.stringify(usages),
      exchange,
    })
  }),

  'getCloudProviderAccessRole.feature-usage-open': ownResourceRule(async (trial) => {
    const { exchange, body } = successfulResponse(await sendRequest(trial, await usedRole(trial.context)))
    const isUsage = (usage: Json): boolean => {
      const featureId = fieldOf(usage, 'featureId')
      return isObject(usage) && (typeof featureId === 'string' || isObject(featureId))
    }
    expectThat(listAt(body, 'featureUsages').every(isUsage), {
      expected: 'objects with a featureId that is a string or an object, and any other fields',
      actual: inspect(fieldOf(body, 'featureUsages')),
      exchange,
    })
  }),

  'getCloudProviderAccessRole.unknown': always(async (trial) => {
    const exchange = await sendRequest(trial, targetsProject(trial), { parameters: { roleId: unusedId() } })
    expectError(exchange, 'RESOURCE_NOT_FOUND', 'the project has no role with this ID')
  }),

  'listCloudProviderAccessRoles.answers-with-roles': ownResourceRule(async (trial) => {
    const role = await someRole(trial)
    const { exchange, body } = successfulResponse(await sendRequest(trial, role))
    const one = successfulResponse(await sendRequest(trial, role, {}, 'getCloudProviderAccessRole'))
    const roles = ofThese(trial, listAt(body, 'awsIamRoles'), role).map((each) => knownOfRole(trial, each))
    expectSame(exchange, 'awsIamRoles', roles, [knownOfRole(trial, one.body)])
    if (trial.context.prerequisites.canSeed)
      expectField({ exchange, body }, 'azureServicePrincipals', [], 'decided')
  }),

  'listCloudProviderAccessRoles.by-provider': ownResourceRule(async (trial) => {
    const { aws, azure } = await rolesOfBoth(trial)
    if (trial.context.prerequisites.canSeed) await ownRole(trial.context)
    const { exchange, body } = successfulResponse(await sendRequest(trial, aws[0]))
    for (const [name, roles] of [
      ['awsIamRoles', aws],
      ['azureServicePrincipals', azure],
    ] as const) {
      const listed = ofThese(trial, listAt(body, name), ...aws, ...azure).map(roleIdOf)
      expectSame(exchange, name, listed.sort(), roles.map(({ roleId }) => roleId).sort())
    }
  }),

  'listCloudProviderAccessRoles.both-always': ownResourceRule(async (trial) => {
    const listed = successfulResponse(await sendRequest(trial, await someProject(trial)))
    for (const name of ['awsIamRoles', 'azureServicePrincipals'])
      if (trial.context.prerequisites.canSeed) expectField(listed, name, [])
      else
        expectThat(isArray(fieldOf(listed.body, name)), {
          expected: `an array in ${name}`,
          actual: inspect(fieldOf(listed.body, name)),
          exchange: listed.exchange,
        })
  }),
})
