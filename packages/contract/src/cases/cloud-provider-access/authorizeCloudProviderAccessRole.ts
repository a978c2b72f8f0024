import { limits } from '@svc-admin/types'
import { always, forEach, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import type { JsonObject } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import { expectError, expectSuccess } from '../../model/expect.ts'
import {
  arn,
  authorized,
  knownOfRole,
  ownRole,
  readRole,
  type SomeRole,
  unauthorizedRole,
} from '../../resources/access-roles.ts'
import { type ResourcePath, sendRequest, targetsProject, unusedId } from '../../resources/own-resources.ts'
import {
  expectField,
  expectSame,
  expectText,
  refused,
  successfulResponse,
} from '../../resources/successful-response.ts'

const { minLength, maxLength } = limits.iamAssumedRoleArn

const authorize = (trial: Trial, role: ResourcePath, body: JsonObject): Promise<Exchange> =>
  sendRequest(trial, role, { body })

const ofLength = (length: number): string => arn.padEnd(length, 'x').slice(0, length)

const expectUnauthorized = async (trial: Trial, role: SomeRole): Promise<void> =>
  expectField(await readRole(trial, role, role.roleId), 'authorizedDate', undefined)

export default rules({
  'authorizeCloudProviderAccessRole.authorizes': always(async (trial) => {
    const role = await ownRole(trial.context)
    const done = successfulResponse(
      await authorize(trial, role, { providerName: 'AWS', iamAssumedRoleArn: arn }),
    )
    expectField(done, 'roleId', role.roleId)
    expectField(done, 'iamAssumedRoleArn', arn)
    expectText(done, 'authorizedDate')
    const again = await readRole(trial, role, role.roleId)
    expectSame(again.exchange, 'the role', knownOfRole(trial, again.body), knownOfRole(trial, done.body))
  }),

  'authorizeCloudProviderAccessRole.arn-length': [
    forEach(
      () => [minLength, maxLength],
      String,
      async (trial, length) => {
        const iamAssumedRoleArn = ofLength(length)
        const exchange = await authorize(trial, await ownRole(trial.context), {
          providerName: 'AWS',
          iamAssumedRoleArn,
        })
        expectField(successfulResponse(exchange), 'iamAssumedRoleArn', iamAssumedRoleArn)
      },
    ),
    forEach(
      () => [minLength - 1, maxLength + 1],
      (length) => `${length} characters`,
      async (trial, length) => {
        const role = await unauthorizedRole(trial)
        const body = { providerName: 'AWS', iamAssumedRoleArn: ofLength(length) }
        refused(await authorize(trial, role, body), `the ARN has ${length} characters`)
        await expectUnauthorized(trial, role)
      },
    ),
  ],

  'authorizeCloudProviderAccessRole.arn-optional': always(async (trial) =>
    expectText(
      successfulResponse(await authorize(trial, await ownRole(trial.context), { providerName: 'AWS' })),
      'authorizedDate',
    ),
  ),

  'authorizeCloudProviderAccessRole.provider-required': always(async (trial) => {
    const role = await unauthorizedRole(trial)
    refused(await authorize(trial, role, { iamAssumedRoleArn: arn }), 'the body has no providerName')
    await expectUnauthorized(trial, role)
  }),

  'authorizeCloudProviderAccessRole.provider-of-the-role': always(async (trial) => {
    const role = await unauthorizedRole(trial)
    const exchange = await authorize(trial, role, { providerName: 'AZURE' })
    expectError(exchange, 'VALIDATION_ERROR', 'the role belongs to AWS')
    await expectUnauthorized(trial, role)
  }),

  'authorizeCloudProviderAccessRole.twice-refused': [
    always(async (trial) => {
      const role = await ownRole(trial.context, 'AWS', authorized)
      const exchange = await authorize(trial, role, { providerName: 'AWS', iamAssumedRoleArn: arn })
      expectError(exchange, 'INVALID_STATE', 'the role is already authorized')
      expectField(await readRole(trial, role, role.roleId), 'iamAssumedRoleArn', undefined)
    }),
    always(
      async (trial) => {
        const role = await unauthorizedRole(trial)
        const body = { providerName: 'AWS', iamAssumedRoleArn: arn }
        expectSuccess(await authorize(trial, role, body))
        expectError(await authorize(trial, role, body), 'INVALID_STATE', 'the role is already authorized')
      },
      { label: 'second authorization' },
    ),
  ],

  'authorizeCloudProviderAccessRole.unknown': always(
    async (trial) => {
      const exchange = await sendRequest(trial, targetsProject(trial), { parameters: { roleId: unusedId() } })
      expectError(exchange, 'RESOURCE_NOT_FOUND', 'the project has no role with this ID')
    },
    { phase: 'read' },
  ),
})
