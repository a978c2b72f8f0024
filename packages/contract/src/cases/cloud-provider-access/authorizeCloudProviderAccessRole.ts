import { limits } from '@svc-admin/types'
import { always, forEach, ownResourceRule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import type { JsonObject } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import { expectError, expectSuccess, isRefusal, isSuccess } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import {
  arn,
  authorized,
  knownOfRole,
  ownRole,
  readRole,
  roleIdOf,
  type SomeRole,
  unauthorizedRole,
} from '../../resources/access-roles.ts'
import { bucketBody, childPath, prepared, sendInAnyVersion } from '../../resources/backups.ts'
import { expectSameAsEarlier } from '../../resources/earlier-response.ts'
import { valuesOf } from '../../resources/known-values.ts'
import {
  ownProject,
  type ResourcePath,
  sendRequest,
  targetsProject,
  unusedId,
} from '../../resources/own-resources.ts'
import {
  expectField,
  expectSame,
  expectText,
  refused,
  type SuccessfulResponse,
  successfulResponse,
} from '../../resources/successful-response.ts'

const { minLength, maxLength } = limits.iamAssumedRoleArn

const authorize = (trial: Trial, role: ResourcePath, body: JsonObject): Promise<Exchange> =>
  sendRequest(trial, role, { body })

const ofLength = (length: number): string => arn.padEnd(length, 'x').slice(0, length)

/** Returns an ARN that ends after the account number. The account number is as long as needed for the given length. */
const arnUntilAccount = (length: number): string => 'arn:aws:iam::'.padEnd(length, '1234567890')

/**
 * Expects the server to accept an ARN of the minimum length. No ARN of a role is that short, so a server may reject it
 * because of its format. Then the server rejects longer ARNs of the same format too.
 */
const acceptsShortest = async (trial: Trial): Promise<SuccessfulResponse> => {
  const send = async (length: number) =>
    authorize(trial, await ownRole(trial.context), {
      providerName: 'AWS',
      iamAssumedRoleArn: arnUntilAccount(length),
    })
  const exchange = await send(minLength)
  if (isRefusal(exchange.response)) {
    const longer = [await send(minLength + 1), await send(arn.length)]
    if (!longer.some(isSuccess)) throw new Untestable(`a role ARN of ${minLength} characters`)
  }
  return successfulResponse(exchange, `a success for ${minLength} characters, as for longer ARNs`)
}

const expectUnauthorized = async (trial: Trial, role: SomeRole): Promise<void> =>
  expectField(await readRole(trial, role, role.roleId), 'authorizedDate', undefined)

/** Compares the role with its earlier state, because some providers' roles are authorized when they are created. */
const expectUnchanged = async (trial: Trial, role: SomeRole, before: SuccessfulResponse): Promise<void> => {
  const { exchange, body } = await readRole(trial, role, role.roleId)
  expectSame(exchange, 'the role', knownOfRole(trial, body), knownOfRole(trial, before.body))
}

const ofProvider = (provider: string, ...labels: readonly string[]): string =>
  [...labels, ...(provider === 'AWS' ? [] : [provider])].join(', ')

const useForBucket = (trial: Trial, place: ResourcePath, iamRoleId: string): Promise<Exchange> => {
  const body = bucketBody(iamRoleId, { cloudProvider: 'GCP' })
  return sendInAnyVersion(trial, place, 'createExportBucket', { body })
}

/**
 * Uses a new GCP role for a bucket. If the server rejects the role only until the role is authorized, the authorization is
 * required.
 */
const gcpNotRequired = async (trial: Trial): Promise<void> => {
  const place = await ownProject(trial.context)
  const create = { body: { providerName: 'GCP' } }
  const created = await sendInAnyVersion(trial, place, 'createCloudProviderAccessRole', create)
  const roleId = roleIdOf(prepared(created, 'a GCP role'))
  const exchange = await useForBucket(trial, place, roleId)
  if (isSuccess(exchange)) return
  await authorize(trial, childPath(place, { roleId }), create.body)
  if (!isSuccess(await useForBucket(trial, place, roleId)))
    throw new Untestable('an export bucket that can use a GCP role')
  expectSuccess(exchange, 'a success, because GCP roles need no authorization')
}

export default rules({
  'authorizeCloudProviderAccessRole.gcp-not-required': ownResourceRule(gcpNotRequired),

  'authorizeCloudProviderAccessRole.authorizes': always(async (trial) => {
    const role = await ownRole(trial.context)
    const done = successfulResponse(
      await authorize(trial, role, { providerName: 'AWS', iamAssumedRoleArn: arn }),
    )
    expectField(done, 'roleId', role.roleId)
    expectField(done, 'iamAssumedRoleArn', arn)
    expectText(done, 'authorizedDate')
    const again = await readRole(trial, role, role.roleId)
    expectSameAsEarlier(again.exchange, knownOfRole(trial, again.body), {
      operation: 'authorizeCloudProviderAccessRole',
      value: knownOfRole(trial, done.body),
    })
  }),

  'authorizeCloudProviderAccessRole.arn-length': [
    always(
      async (trial) =>
        expectField(await acceptsShortest(trial), 'iamAssumedRoleArn', arnUntilAccount(minLength)),
      { label: String(minLength) },
    ),
    always(
      async (trial) => {
        const iamAssumedRoleArn = ofLength(maxLength)
        const body = { providerName: 'AWS', iamAssumedRoleArn }
        const exchange = await authorize(trial, await ownRole(trial.context), body)
        expectField(successfulResponse(exchange), 'iamAssumedRoleArn', iamAssumedRoleArn)
      },
      { label: String(maxLength) },
    ),
    forEach(
      (cell) =>
        valuesOf(cell, 'CloudProvider').flatMap((providerName) =>
          [minLength - 1, maxLength + 1].map((length) => ({ providerName, length })),
        ),
      ({ providerName, length }) => ofProvider(providerName, `${length} characters`),
      async (trial, { providerName, length }) => {
        const role = await unauthorizedRole(trial, providerName)
        const before = await readRole(trial, role, role.roleId)
        const body = { providerName, iamAssumedRoleArn: ofLength(length) }
        refused(await authorize(trial, role, body), `the ARN has ${length} characters`)
        await expectUnchanged(trial, role, before)
      },
    ),
  ],

  'authorizeCloudProviderAccessRole.arn-optional': always(async (trial) =>
    expectText(
      successfulResponse(await authorize(trial, await ownRole(trial.context), { providerName: 'AWS' })),
      'authorizedDate',
    ),
  ),

  'authorizeCloudProviderAccessRole.provider-required': forEach(
    (cell) => valuesOf(cell, 'CloudProvider'),
    (providerName) => ofProvider(providerName),
    async (trial, providerName) => {
      const role = await unauthorizedRole(trial, providerName)
      const before = await readRole(trial, role, role.roleId)
      refused(await authorize(trial, role, { iamAssumedRoleArn: arn }), 'the body has no providerName')
      await expectUnchanged(trial, role, before)
    },
  ),

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
