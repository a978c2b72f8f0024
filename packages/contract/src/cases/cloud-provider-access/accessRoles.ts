import { inspect, isArray, isObject, type Json, listAt } from '../../document/json.ts'
import { expectError, expectThat } from '../../engine/expect.ts'
import { always, own, rules } from '../../engine/rule.ts'
import type { Trial } from '../../engine/trial.ts'
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
} from '../../given/access-roles.ts'
import {
  answered,
  expectContains,
  expectField,
  expectMoment,
  expectSame,
  fieldOf,
} from '../../given/answered.ts'
import { someProject } from '../../given/lent-places.ts'
import { ask, nobodysId, targetsProject } from '../../given/own-places.ts'

/** A project that is lent may have other roles besides. */
const ofThese = (
  { world }: Trial,
  listed: readonly Json[],
  ...roles: readonly SomeRole[]
): readonly Json[] =>
  world.prerequisites.canSeed
    ? listed
    : listed.filter((one) => roles.some(({ roleId }) => roleId === roleIdOf(one)))

export default rules({
  /** One role is returned by its id. */
  'getCloudProviderAccessRole.answers-with-role': own(async (trial) => {
    const row = { iamAssumedRoleArn: arn, svcAssumedRoleExternalId: nobodysId() }
    const role = await someRole(trial, 'AWS', row)
    const isOwn = trial.world.prerequisites.canSeed
    const seen = answered(await ask(trial, role))
    const { exchange, body } = seen
    const dates = { createdDate: fieldOf(body, 'createdDate') ?? null }
    const expected = { ...(isOwn && row), ...dates, roleId: role.roleId, providerName: 'AWS' }
    expectContains(exchange, body, expected)
    if (isOwn) expectMoment(seen, 'authorizedDate', authorized.authorizedDate)
  }),

  /** A role that an export bucket uses lists it in featureUsages. */
  'getCloudProviderAccessRole.feature-usages': own(async (trial) => {
    const role = await usedRole(trial.world)
    const { exchange, body } = answered(await ask(trial, role))
    const usages = listAt(body, 'featureUsages')
    expectThat(usages.length === 1 && JSON.stringify(usages).includes(role.bucketId), {
      expected: `featureUsages with the bucket ${role.bucketId}`,
      actual: JSON.stringify(usages),
      exchange,
    })
  }),

  /** The members of a feature usage are open. */
  'getCloudProviderAccessRole.feature-usage-open': own(async (trial) => {
    const { exchange, body } = answered(await ask(trial, await usedRole(trial.world)))
    expectThat(listAt(body, 'featureUsages').every(isObject), {
      expected: 'objects, whatever their members',
      actual: inspect(fieldOf(body, 'featureUsages')),
      exchange,
    })
  }),

  /** A role that the project does not have is answered with 404 RESOURCE_NOT_FOUND. */
  'getCloudProviderAccessRole.unknown': always(async (trial) => {
    const exchange = await ask(trial, targetsProject(trial), { parameters: { roleId: nobodysId() } })
    expectError(exchange, 'RESOURCE_NOT_FOUND', 'the project has no such role')
  }),

  /** The roles of a project are an object with awsIamRoles and azureServicePrincipals. */
  'listCloudProviderAccessRoles.answers-with-roles': own(async (trial) => {
    const role = await someRole(trial)
    const { exchange, body } = answered(await ask(trial, role))
    const one = answered(await ask(trial, role, {}, 'getCloudProviderAccessRole'))
    const roles = ofThese(trial, listAt(body, 'awsIamRoles'), role).map((each) => knownOfRole(trial, each))
    expectSame(exchange, 'awsIamRoles', roles, [knownOfRole(trial, one.body)])
    if (trial.world.prerequisites.canSeed)
      expectField({ exchange, body }, 'azureServicePrincipals', [], 'decided')
  }),

  /** Roles of AWS are in awsIamRoles and those of Azure in azureServicePrincipals. */
  'listCloudProviderAccessRoles.by-provider': own(async (trial) => {
    const { aws, azure } = await rolesOfBoth(trial)
    if (trial.world.prerequisites.canSeed) await ownRole(trial.world)
    const { exchange, body } = answered(await ask(trial, aws))
    const listed = (name: string) => ofThese(trial, listAt(body, name), aws, azure).map(roleIdOf)
    expectSame(exchange, 'awsIamRoles', listed('awsIamRoles'), [aws.roleId])
    expectSame(exchange, 'azureServicePrincipals', listed('azureServicePrincipals'), [azure.roleId])
  }),

  /** Both arrays are there, empty where the project has no such role. */
  'listCloudProviderAccessRoles.both-always': own(async (trial) => {
    const listed = answered(await ask(trial, await someProject(trial)))
    for (const name of ['awsIamRoles', 'azureServicePrincipals'])
      if (trial.world.prerequisites.canSeed) expectField(listed, name, [])
      else
        expectThat(isArray(fieldOf(listed.body, name)), {
          expected: `${name}, an array`,
          actual: inspect(fieldOf(listed.body, name)),
          exchange: listed.exchange,
        })
  }),
})
