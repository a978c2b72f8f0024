import { limits } from '@svc-admin/types'
import { forEach, onV1, onV2, ownResourceRule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { isObject, type Json, type JsonObject, listAt, stringAt } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import { expectAt, expectError, expectRefusal, expectSuccess } from '../../model/expect.ts'
import { asHolder, bucketBody, childPath, expectNamed, readAt, seedRole } from '../../resources/backups.ts'
import { expectSameAsEarlier } from '../../resources/earlier-response.ts'
import { knownOf } from '../../resources/known-values.ts'
import {
  type OwnProject,
  ownProject,
  type ResourcePath,
  sendRequest,
  targetsProject,
  unusedId,
} from '../../resources/own-resources.ts'
import { someProject } from '../../resources/provided-resources.ts'
import {
  expectContains,
  expectText,
  refused,
  successfulResponse,
  without,
} from '../../resources/successful-response.ts'

/** Creates a bucket with a role that no other bucket uses. */
const create = async (trial: Trial, place: OwnProject, differs: JsonObject = {}): Promise<Exchange> =>
  sendRequest(trial, place, { body: bucketBody(await seedRole(trial, place), differs) })

/** All other fields are valid, so the error can't refer to them. */
const refuseAt = async (trial: Trial, field: string, value: string, why: string): Promise<void> => {
  const { body } = await trial.good()
  const exchange = await trial.try({ body: { ...(isObject(body) && body), [field]: value } })
  refused(exchange, why)
  expectAt(exchange, [`/${field}`])
}

const providersOf = ({ version }: { version: Trial['cell']['version'] }): string[] =>
  listAt(version.document.follow('/components/schemas/CloudProvider').value, 'enum').map(String)

const nameOf = (length: number): string => 'b'.repeat(length)

/** Returns all combinations of a cloud provider and a length. */
const providersWith =
  (...lengths: readonly number[]) =>
  (cell: Trial['cell']): [provider: string, length: number][] =>
    providersOf(cell).flatMap((provider) => lengths.map((length): [string, number] => [provider, length]))

const lengthLabel = ([provider, length]: [provider: string, length: number]): string =>
  `${length} characters${provider === 'AWS' ? '' : `, ${provider}`}`

/** Creates a bucket and an access role with the given cloud provider. */
const createAt = async (trial: Trial, cloudProvider: string, bucketName: string): Promise<Exchange> => {
  const place = await ownProject(trial.context)
  const iamRoleId = await seedRole(trial, place, { providerName: cloudProvider })
  return sendRequest(trial, place, { body: bucketBody(iamRoleId, { cloudProvider, bucketName }) })
}

const refuseRole = async (trial: Trial, place: ResourcePath, iamRoleId: string): Promise<void> => {
  const exchange = await sendRequest(trial, place, { body: bucketBody(iamRoleId) })
  expectNamed(exchange, 'RESOURCE_NOT_FOUND', '/iamRoleId', 'the project has no role with this ID')
}

export default rules({
  'createExportBucket.answers-with-export-bucket': ownResourceRule(async (trial) => {
    const place = await ownProject(trial.context)
    const sent = bucketBody(await seedRole(trial, place))
    const created = successfulResponse(await sendRequest(trial, place, { body: sent }))
    expectContains(created.exchange, created.body, sent)
    expectText(created, '_id')
    const exportBucketId = stringAt(created.body, '_id') ?? ''
    const found = await readAt(trial, childPath(place, { exportBucketId }), 'getExportBucket')
    const lasting = (bucket: Json) => knownOf(trial, 'getExportBucket', bucket, 'links')
    expectSameAsEarlier(found.exchange, lasting(found.body), {
      operation: 'createExportBucket',
      value: lasting(created.body),
    })
  }),

  'createExportBucket.all-members-required': forEach(
    () => ['bucketName', 'cloudProvider', 'iamRoleId'] as const,
    (field) => field,
    async (trial, field) => {
      // The body doesn't need an existing role, because `iamRoleId` is removed.
      const body = field === 'iamRoleId' ? bucketBody(unusedId()) : (await trial.good()).body
      const exchange = await sendRequest(trial, targetsProject(trial), { body: without(body, field) })
      expectNamed(exchange, 'VALIDATION_ERROR', `/${field}`, `${field} is missing`)
    },
  ),

  'createExportBucket.three-cloud-providers': [
    forEach(
      providersOf,
      (provider) => provider,
      async (trial, cloudProvider) => {
        const exchange = await createAt(trial, cloudProvider, 'contract-exports')
        const { body } = successfulResponse(exchange, `a success for ${cloudProvider}`)
        expectContains(exchange, body, { cloudProvider })
      },
    ),
    forEach(
      () => ['ORACLE', 'aws', ''] as const,
      (provider) => `invalid ${JSON.stringify(provider)}`,
      async (trial, cloudProvider) => {
        await refuseAt(trial, 'cloudProvider', cloudProvider, 'it is not a supported cloud provider')
      },
    ),
  ],

  'createExportBucket.bucket-name-3-to-63': [
    forEach(
      providersWith(limits.bucketName.minLength, limits.bucketName.maxLength),
      lengthLabel,
      async (trial, [provider, length]) => {
        const exchange = await createAt(trial, provider, nameOf(length))
        expectSuccess(exchange, `a success for ${provider} and a name of ${length} characters`)
      },
    ),
    forEach(
      providersWith(limits.bucketName.minLength - 1, limits.bucketName.maxLength + 1),
      lengthLabel,
      async (trial, [provider, length]) => {
        const why = `the name has ${length} characters`
        if (provider === 'AWS') return refuseAt(trial, 'bucketName', nameOf(length), why)
        const exchange = await createAt(trial, provider, nameOf(length))
        refused(exchange, why)
        expectAt(exchange, ['/bucketName'])
      },
    ),
  ],

  'createExportBucket.iam-role-id-is-identifier': forEach(
    (): [string, string][] => [
      ['ARN', 'arn:aws:iam::123456789012:role/export'],
      ['too short', 'abcdef0123456789abcdef0'],
      ['uppercase', 'ABCDEF0123456789ABCDEF01'],
    ],
    ([label]) => label,
    async (trial, [, iamRoleId]) => {
      const exchange = await sendRequest(trial, targetsProject(trial), { body: bucketBody(iamRoleId) })
      expectNamed(exchange, 'VALIDATION_ERROR', '/iamRoleId', 'it is not a valid identifier')
    },
  ),

  'createExportBucket.role-must-exist': [
    ownResourceRule(async (trial) => refuseRole(trial, await someProject(trial), unusedId())),
    ownResourceRule(
      async (trial) => {
        const ofAnother = await seedRole(trial, await ownProject(trial.context))
        await refuseRole(trial, await ownProject(trial.context), ofAnother)
      },
      { label: 'role of another project' },
    ),
  ],

  'createExportBucket.role-must-be-authorized': ownResourceRule(async (trial) => {
    const place = await ownProject(trial.context)
    const iamRoleId = await seedRole(trial, place, { authorizedDate: null })
    const exchange = await sendRequest(trial, place, { body: bucketBody(iamRoleId) })
    expectError(exchange, 'INVALID_STATE', 'the role is not authorized')
  }),

  'createExportBucket.backup-manager-in-v1': ownResourceRule(
    async (trial) => {
      const place = await ownProject(trial.context)
      const grant = { role: 'PROJECT_BACKUP_MANAGER', groupId: place.groupId } as const
      const manager = await asHolder(trial, place, grant)
      expectSuccess(await create(trial, manager), 'a success for a holder of Project Backup Manager')
    },
    { at: onV1 },
  ),

  'createExportBucket.owner-in-v2': ownResourceRule(
    async (trial) => {
      const place = await ownProject(trial.context)
      const { groupId } = place
      const manager = await asHolder(trial, place, { role: 'PROJECT_BACKUP_MANAGER', groupId })
      expectRefusal(await create(trial, manager), 'INSUFFICIENT_ROLE', 'the operation requires Project Owner')
      const owner = await asHolder(trial, place, { role: 'PROJECT_OWNER', groupId })
      expectSuccess(await create(trial, owner), 'a success for a holder of Project Owner')
    },
    { at: onV2 },
  ),
})
