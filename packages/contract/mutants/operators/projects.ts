import { limits } from '@svc-admin/types'
import { isArray, isObject, type Json, listAt, stringAt } from '../../src/document/json.ts'
import { isSuccess, onResponse } from '../mutant.ts'
import {
  acceptsInvalid,
  allowedAgain,
  another,
  type Body,
  breaking,
  changedRequest,
  changedResponse,
  flippedFlag,
  granted,
  ignoredFields,
  optional,
  otherDefault,
  paged,
  pretended,
  refused,
  responseField,
  textIn,
  unknownId,
  type Way,
  without,
  withoutResponseFields,
} from './ways.ts'

const put =
  (name: string, value: Json) =>
  (body: Body): Json => ({ ...body, [name]: value })

/** Mutants that break the requirements for auditing and custom DNS. */
export const settings = breaking('settings', {
  'getAuditingConfig.answers-with-auditing-config': [
    responseField('enabled', false),
    responseField('auditFilter', '{}'),
    responseField('configurationType', 'NONE'),
  ],
  'getAuditingConfig.defaults': [
    responseField('enabled', true),
    responseField('auditAuthorizationSuccess', true),
  ],
  'updateAuditingConfig.stored': [
    ignoredFields('enabled'),
    ignoredFields('auditAuthorizationSuccess'),
    ignoredFields('auditFilter'),
    pretended,
    flippedFlag('enabled'),
  ],
  'updateAuditingConfig.changes-only-what-is-sent': [
    otherDefault('enabled', false),
    otherDefault('auditFilter', '{}'),
  ],
  'updateAuditingConfig.filter-is-json': [
    refused('an operator', ({ auditFilter }) => String(auditFilter).includes('$in')),
    ignoredFields('auditFilter'),
  ],
  'updateAuditingConfig.tiers': [granted(400)],
  'getCustomDns.answers-with-custom-dns': [responseField('enabled', true), responseField('enabled', false)],
  'updateCustomDns.stored': [
    changedRequest('always on', put('enabled', true)),
    pretended,
    flippedFlag('enabled'),
  ],
  'updateCustomDns.enabled-required': [optional('enabled', true)],
})

const { minLength, maxLength } = limits.iamAssumedRoleArn
const arn = 'arn:aws:iam::123456789012:role/contract'
const arnOf = (length: number) => (body: Body) => textIn(body, 'iamAssumedRoleArn').length === length

const swapped = changedResponse('the lists swapped', (body) => ({
  ...body,
  awsIamRoles: listAt(body, 'azureServicePrincipals'),
  azureServicePrincipals: listAt(body, 'awsIamRoles'),
}))

/** Mutants that break the requirements for cloud provider access roles. */
export const accessRoles = breaking('access roles', {
  'createCloudProviderAccessRole.answers-with-role': [
    another('roleId'),
    withoutResponseFields('createdDate'),
  ],
  'createCloudProviderAccessRole.provider-required': [optional('providerName', 'AWS')],
  'createCloudProviderAccessRole.providers': [
    refused('AZURE', ({ providerName }) => providerName === 'AZURE'),
    acceptsInvalid('ALIBABA', ({ providerName }) => providerName === 'ALIBABA', put('providerName', 'AWS')),
  ],
  'createCloudProviderAccessRole.not-authorized': [responseField('authorizedDate', '2025-11-18T06:00:00Z')],
  'createCloudProviderAccessRole.whom-to-trust': [
    withoutResponseFields('svcAWSAccountArn'),
    withoutResponseFields('svcAssumedRoleExternalId'),
  ],
  'createCloudProviderAccessRole.external-id-its-own': [responseField('svcAssumedRoleExternalId', unknownId)],
  'authorizeCloudProviderAccessRole.authorizes': [
    ignoredFields('iamAssumedRoleArn'),
    withoutResponseFields('authorizedDate'),
    pretended,
  ],
  'authorizeCloudProviderAccessRole.arn-length': [
    refused('the shortest', arnOf(minLength)),
    refused('the longest', arnOf(maxLength)),
    acceptsInvalid('too short an ARN', arnOf(minLength - 1), put('iamAssumedRoleArn', arn)),
    acceptsInvalid('too long an ARN', arnOf(maxLength + 1), put('iamAssumedRoleArn', arn)),
  ],
  'authorizeCloudProviderAccessRole.arn-optional': [
    refused('no ARN', (body) => !('iamAssumedRoleArn' in body)),
  ],
  'authorizeCloudProviderAccessRole.provider-required': [optional('providerName', 'AWS')],
  'authorizeCloudProviderAccessRole.twice-refused': [granted(409)],
  'authorizeCloudProviderAccessRole.provider-of-the-role': [
    acceptsInvalid(
      'another provider',
      ({ providerName }) => providerName === 'AZURE',
      put('providerName', 'AWS'),
    ),
  ],
  'deauthorizeCloudProviderAccessRole.removes': [pretended],
  'deauthorizeCloudProviderAccessRole.providers': [
    ...['AWS', 'AZURE', 'GCP'].map((provider) =>
      refused(provider, (_, { path }) => path.includes(`/${provider}/`)),
    ),
    granted(400),
  ],
  'deauthorizeCloudProviderAccessRole.used-refused': [granted(409)],
  'deauthorizeCloudProviderAccessRole.other-provider': [granted(404)],
  'getCloudProviderAccessRole.answers-with-role': [another('roleId')],
  'listCloudProviderAccessRoles.answers-with-roles': [
    withoutResponseFields('awsIamRoles'),
    changedResponse('the roles without their numbers', (body) => ({
      ...body,
      awsIamRoles: listAt(body, 'awsIamRoles').map((one) => (isObject(one) ? without('roleId')(one) : one)),
    })),
  ],
  'listCloudProviderAccessRoles.by-provider': [swapped],
})

/** Mutants that break the requirements for outage simulations. */
export const outages = breaking('outages', {
  'endOutageSimulation.answers-with-outage-simulation': [
    withoutResponseFields('startRequestDate'),
    withoutResponseFields('state'),
    another('id'),
    responseField('clusterName', 'another'),
    responseField('outageFilters', []),
    responseField('startRequestDate', '2030-01-01T00:00:00Z'),
  ],
  'endOutageSimulation.ends': [
    responseField('state', 'SIMULATING'),
    pretended,
    allowedAgain(409),
    refused('every end', () => true, [409, 'INVALID_STATE']),
  ],
  'endOutageSimulation.not-running-refused': [granted(409)],
  'endOutageSimulation.starting-refused': [granted(409)],
  'endOutageSimulation.twice-refused': [allowedAgain(409)],
  'endOutageSimulation.recovery-requested': [responseField('state', 'SIMULATING')],
  'endOutageSimulation.none': [granted(404)],
})

const required: Body = {
  destination: { clusterName: 'none', groupId: unknownId, hostnameSchemaType: 'PUBLIC' },
  dropEnabled: false,
  source: { clusterName: 'self-managed', groupId: unknownId, ssl: true, managedAuthentication: true },
}

const hostsOf = ({ migrationHosts }: Body): readonly Json[] | undefined =>
  isArray(migrationHosts) ? migrationHosts : undefined

const host = 'mover-09.contract.example'

/** Makes it possible to get a migration with the ID of a validation job. */
const validationMigrates: Way = {
  what: 'a validation is a migration',
  reach: 'generation',
  make: () => () => {
    const jobs = new Set<string>()
    return async (request, forward) => {
      const response = await forward(request)
      const path = request.path.split('?')[0] ?? ''
      if (request.method === 'POST' && path.endsWith('/validate') && isSuccess(response)) {
        const id = stringAt(JSON.parse(response.body), '_id')
        if (id !== undefined) jobs.add(id)
      }
      const requestedId = path.split('/').at(-1) ?? ''
      const found = request.method === 'GET' && !path.includes('/validate/') && jobs.has(requestedId)
      return found && response.status === 404
        ? {
            ...response,
            status: 200,
            body: JSON.stringify({ _id: requestedId, status: 'NEW', readyForCutover: false }),
          }
        : response
    }
  },
}

const stuck = (from: string, to: string): Way => responseField('status', to, from)

/** Mutants that break the requirements for live migrations, validations and link tokens. */
export const migrations = breaking('migrations', {
  'createLinkToken.answers-with-link-token': [withoutResponseFields('linkToken')],
  'createLinkToken.access-list': [
    refused('no entry', ({ accessListIps }) => isArray(accessListIps) && accessListIps.length === 0),
    refused('IPv6', ({ accessListIps }) => JSON.stringify(accessListIps ?? '').includes('2001:db8')),
  ],
  'createLinkToken.another-each-time': [responseField('linkToken', 'the-same-each-time')],
  'deleteLinkTokens.removes': [pretended],
  'deleteLinkTokens.none': [granted(404)],
  'listMigrationProjects.answers-with-projects': [
    paged,
    {
      what: 'one is missing',
      make: () =>
        onResponse(isSuccess, (response) => ({
          ...response,
          body: JSON.stringify((JSON.parse(response.body) as unknown[]).slice(1)),
        })),
    },
  ],
  'createMigration.answers-with-migration': [
    another('_id'),
    withoutResponseFields('status'),
    withoutResponseFields('readyForCutover'),
  ],
  'createMigration.hosts-returned': [changedRequest('another host', put('migrationHosts', [host]))],
  'createMigration.new-first': [responseField('status', 'COMPLETE'), responseField('readyForCutover', true)],
  'getMigration.answers-with-migration': [
    another('_id'),
    responseField('migrationHosts', [host]),
    responseField('readyForCutover', false),
  ],
  'getMigration.working': [stuck('WORKING', 'NEW')],
  'getMigration.lag-falls': [responseField('lagTimeSeconds', 300)],
  'getMigration.ready-when-caught-up': [
    responseField('readyForCutover', true),
    responseField('readyForCutover', false),
  ],
  'getMigration.unknown-destination-fails': [stuck('FAILED', 'WORKING')],
  'getMigration.expires': [stuck('EXPIRED', 'WORKING')],
  'getMigration.unknown': [granted(404)],
  'cutoverMigration.completes': [pretended],
  'cutoverMigration.complete-status': [pretended],
  'cutoverMigration.before-ready-refused': [granted(409)],
  'cutoverMigration.ended-refused': [granted(409)],
  'migrationRequest.required': Object.entries(required).map(([name, value]) => optional(name, value)),
  'migrationRequest.one-host': [
    refused('one host', (body) => hostsOf(body)?.length === 1),
    acceptsInvalid('no host', (body) => hostsOf(body)?.length === 0, put('migrationHosts', [host])),
    acceptsInvalid('two hosts', (body) => (hostsOf(body)?.length ?? 0) > 1, put('migrationHosts', [host])),
  ],
  'migrationRequest.hosts-optional': [refused('no hosts', (body) => hostsOf(body) === undefined)],
  'migrationRequest.sharding-optional': [
    refused('no sharding', (body) => !('sharding' in body)),
    refused('empty sharding', ({ sharding }) => isObject(sharding) && Object.keys(sharding).length === 0),
  ],
  'migrationRequest.secrets-not-returned': [
    changedResponse('the password', (body, { source }) => ({
      ...body,
      source: isObject(source) ? source : {},
    })),
  ],
  'validateMigration.answers-with-validation': [
    another('_id'),
    withoutResponseFields('status'),
    responseField('groupId', unknownId),
  ],
  'validateMigration.pending-first': [responseField('status', 'FAILED')],
  'validateMigration.migrates-nothing': [validationMigrates],
  'getMigrationValidation.answers-with-validation': [another('_id'), responseField('groupId', unknownId)],
  'getMigrationValidation.success': [stuck('SUCCESS', 'PENDING'), stuck('SUCCESS', 'FAILED')],
  'getMigrationValidation.failed-has-message': [
    withoutResponseFields('errorMessage'),
    stuck('FAILED', 'SUCCESS'),
  ],
  'getMigrationValidation.unknown-destination-fails': [stuck('FAILED', 'SUCCESS')],
})
