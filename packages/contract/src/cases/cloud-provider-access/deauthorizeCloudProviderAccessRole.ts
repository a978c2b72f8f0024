import { always, forEach, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { listAt } from '../../document/json.ts'
import { expectError, expectRefusal, expectSuccess, expectThat, isSuccess } from '../../model/expect.ts'
import {
  readRole,
  roleIdOf,
  type SomeRole,
  someRole,
  unauthorizedRole,
  usedRole,
} from '../../resources/access-roles.ts'
import { valuesOf } from '../../resources/known-values.ts'
import { sendRequest, targetsProject, unusedId } from '../../resources/own-resources.ts'
import { expectField, refused, successfulResponse } from '../../resources/successful-response.ts'

/** Expects requests for the role to return 404 and lists to omit the role. */
const expectGone = async (trial: Trial, role: SomeRole): Promise<void> => {
  const one = await sendRequest(trial, role, {}, 'getCloudProviderAccessRole')
  expectRefusal(one, 'RESOURCE_NOT_FOUND', 'the role was deauthorized')
  const { exchange, body } = successfulResponse(
    await sendRequest(trial, role, {}, 'listCloudProviderAccessRoles'),
  )
  const ids = ['awsIamRoles', 'azureServicePrincipals'].flatMap((name) => listAt(body, name).map(roleIdOf))
  expectThat(!ids.includes(role.roleId), {
    expected: 'a list without the role',
    actual: 'a list that includes it',
    exchange,
  })
}

const expectThere = async (trial: Trial, role: SomeRole): Promise<void> =>
  expectField(await readRole(trial, role, role.roleId), 'roleId', role.roleId)

export default rules({
  'deauthorizeCloudProviderAccessRole.removes': always(async (trial) => {
    const role = await someRole(trial)
    expectSuccess(await sendRequest(trial, role))
    await expectGone(trial, role)
    const again = await sendRequest(trial, role)
    expectRefusal(again, 'RESOURCE_NOT_FOUND', 'the role was already deauthorized', 'decided')
  }),

  'deauthorizeCloudProviderAccessRole.providers': [
    forEach(
      (cell) => valuesOf(cell, 'CloudProvider'),
      (provider) => provider,
      async (trial, provider) => {
        const role = await someRole(trial, provider)
        expectSuccess(await sendRequest(trial, role))
        await expectGone(trial, role)
      },
    ),
    forEach(
      () => ['ALIBABA', 'aws'],
      (provider) => `invalid ${provider}`,
      async (trial, cloudProvider) => {
        const role = await someRole(trial)
        const exchange = await sendRequest(trial, role, { parameters: { cloudProvider } })
        const why = 'it is not a supported provider'
        if (cloudProvider !== 'aws') refused(exchange, why)
        // The specification doesn't define whether the letter case matters.
        else if (isSuccess(exchange)) await expectGone(trial, role)
        expectRefusal(exchange, 'VALIDATION_ERROR', why, 'decided')
        await expectThere(trial, role)
      },
    ),
  ],

  'deauthorizeCloudProviderAccessRole.other-provider': always(async (trial) => {
    const role = await someRole(trial)
    const exchange = await sendRequest(trial, role, { parameters: { cloudProvider: 'AZURE' } })
    expectError(exchange, 'RESOURCE_NOT_FOUND', 'the role belongs to AWS')
    await expectThere(trial, role)
  }),

  'deauthorizeCloudProviderAccessRole.used-refused': always(async (trial) => {
    const role = await usedRole(trial.context)
    expectError(await sendRequest(trial, role), 'INVALID_STATE', 'an export bucket uses the role')
    await expectThere(trial, role)
  }),

  'deauthorizeCloudProviderAccessRole.unauthorized-removed': always(async (trial) => {
    const role = await unauthorizedRole(trial)
    expectSuccess(await sendRequest(trial, role))
    await expectGone(trial, role)
  }),

  'deauthorizeCloudProviderAccessRole.unknown': always(
    async (trial) => {
      const parameters = { cloudProvider: 'AWS', roleId: unusedId() }
      const exchange = await sendRequest(trial, targetsProject(trial), { parameters })
      expectError(exchange, 'RESOURCE_NOT_FOUND', 'the project has no role with this ID')
    },
    { phase: 'read' },
  ),
})
