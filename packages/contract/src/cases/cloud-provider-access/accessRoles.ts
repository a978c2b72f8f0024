import { isObject, listAt } from '../../document/json.ts'
import { expectError, expectThat } from '../../engine/expect.ts'
import { always, own, rules } from '../../engine/rule.ts'
import {
  arn,
  authorized,
  knownOfRole,
  ownRole,
  roleIdOf,
  seedRole,
  usedRole,
} from '../../given/access-roles.ts'
import {
  answered,
  expectContains,
  expectMember,
  expectMoment,
  expectSame,
  memberOf,
} from '../../given/answered.ts'
import { ask, nobodysId, ownProject, targetsProject } from '../../given/own-places.ts'

export default rules({
  /** One role is returned by its id. */
  'getCloudProviderAccessRole.answers-with-role': own(async (trial) => {
    const row = { iamAssumedRoleArn: arn, svcAssumedRoleExternalId: nobodysId() }
    const role = await ownRole(trial.world, 'AWS', { ...authorized, ...row })
    const seen = answered(await ask(trial, role))
    const { exchange, body } = seen
    const dates = { createdDate: memberOf(body, 'createdDate') ?? null }
    expectContains(exchange, body, { ...row, ...dates, roleId: role.roleId, providerName: 'AWS' })
    expectMoment(seen, 'authorizedDate', authorized.authorizedDate)
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
      actual: JSON.stringify(memberOf(body, 'featureUsages')),
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
    const role = await ownRole(trial.world, 'AWS', authorized)
    const { exchange, body } = answered(await ask(trial, role))
    const one = answered(await ask(trial, role, {}, 'getCloudProviderAccessRole'))
    const roles = listAt(body, 'awsIamRoles').map((each) => knownOfRole(trial, each))
    expectSame(exchange, 'awsIamRoles', roles, [knownOfRole(trial, one.body)])
    expectMember({ exchange, body }, 'azureServicePrincipals', [], 'decided')
  }),

  /** Roles of AWS are in awsIamRoles and those of Azure in azureServicePrincipals. */
  'listCloudProviderAccessRoles.by-provider': own(async (trial) => {
    const place = await ownProject(trial.world)
    const [aws, azure] = [
      await seedRole(trial.world, place, 'AWS'),
      await seedRole(trial.world, place, 'AZURE', authorized),
    ]
    await ownRole(trial.world)
    const { exchange, body } = answered(await ask(trial, place))
    expectSame(exchange, 'awsIamRoles', listAt(body, 'awsIamRoles').map(roleIdOf), [aws.roleId])
    const principals = listAt(body, 'azureServicePrincipals').map(roleIdOf)
    expectSame(exchange, 'azureServicePrincipals', principals, [azure.roleId])
  }),

  /** Both arrays are there, empty where the project has no such role. */
  'listCloudProviderAccessRoles.both-always': own(async (trial) => {
    const listed = answered(await ask(trial, await ownProject(trial.world)))
    expectMember(listed, 'awsIamRoles', [])
    expectMember(listed, 'azureServicePrincipals', [])
  }),
})
