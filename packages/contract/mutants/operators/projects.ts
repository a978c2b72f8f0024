import { limits } from '@svc-admin/types'
import { isArray, isObject, type Json, listAt, stringAt } from '../../src/document/json.ts'
import { isSuccess, onResponse } from '../mutant.ts'
import {
  allowedAgain,
  another,
  type Body,
  breaking,
  forgotten,
  granted,
  nothings,
  optional,
  otherDefault,
  paged,
  pretended,
  refused,
  seen,
  seenAs,
  stored,
  taken,
  textIn,
  turnedOver,
  unseen,
  type Way,
  without,
} from './ways.ts'

const put =
  (name: string, value: Json) =>
  (body: Body): Json => ({ ...body, [name]: value })

/** Auditing and custom DNS. */
export const settings = breaking('settings', {
  'getAuditingConfig.answers-with-auditing-config': [
    seenAs('enabled', false),
    seenAs('auditFilter', '{}'),
    seenAs('configurationType', 'NONE'),
  ],
  'getAuditingConfig.defaults': [seenAs('enabled', true), seenAs('auditAuthorizationSuccess', true)],
  'updateAuditingConfig.stored': [
    forgotten('enabled'),
    forgotten('auditAuthorizationSuccess'),
    forgotten('auditFilter'),
    pretended,
    turnedOver('enabled'),
  ],
  'updateAuditingConfig.changes-only-what-is-sent': [
    otherDefault('enabled', false),
    otherDefault('auditFilter', '{}'),
  ],
  'updateAuditingConfig.filter-is-json': [
    refused('an operator', ({ auditFilter }) => String(auditFilter).includes('$in')),
    forgotten('auditFilter'),
  ],
  'updateAuditingConfig.configuration-type-not-sent': [
    taken('configurationType', (body) => 'configurationType' in body, without('configurationType')),
  ],
  'updateAuditingConfig.tiers': [granted(400)],
  'getCustomDns.answers-with-custom-dns': [seenAs('enabled', true), seenAs('enabled', false)],
  'updateCustomDns.stored': [stored('always on', put('enabled', true)), pretended, turnedOver('enabled')],
  'updateCustomDns.enabled-required': [optional('enabled', true)],
})

const { minLength, maxLength } = limits.iamAssumedRoleArn
const arn = 'arn:aws:iam::123456789012:role/contract'
const arnOf = (length: number) => (body: Body) => textIn(body, 'iamAssumedRoleArn').length === length

const swapped = seen('the lists swapped', (body) => ({
  ...body,
  awsIamRoles: listAt(body, 'azureServicePrincipals'),
  azureServicePrincipals: listAt(body, 'awsIamRoles'),
}))

/** Cloud provider access roles. */
export const accessRoles = breaking('access roles', {
  'createCloudProviderAccessRole.answers-with-role': [another('roleId'), unseen('createdDate')],
  'createCloudProviderAccessRole.provider-required': [optional('providerName', 'AWS')],
  'createCloudProviderAccessRole.providers': [
    refused('AZURE', ({ providerName }) => providerName === 'AZURE'),
    taken('ALIBABA', ({ providerName }) => providerName === 'ALIBABA', put('providerName', 'AWS')),
  ],
  'createCloudProviderAccessRole.not-authorized': [seenAs('authorizedDate', '2025-11-18T06:00:00Z')],
  'createCloudProviderAccessRole.whom-to-trust': [
    unseen('svcAWSAccountArn'),
    unseen('svcAssumedRoleExternalId'),
  ],
  'createCloudProviderAccessRole.external-id-its-own': [seenAs('svcAssumedRoleExternalId', nothings)],
  'authorizeCloudProviderAccessRole.authorizes': [
    forgotten('iamAssumedRoleArn'),
    unseen('authorizedDate'),
    pretended,
  ],
  'authorizeCloudProviderAccessRole.arn-length': [
    refused('the shortest', arnOf(minLength)),
    refused('the longest', arnOf(maxLength)),
    taken('too short an ARN', arnOf(minLength - 1), put('iamAssumedRoleArn', arn)),
    taken('too long an ARN', arnOf(maxLength + 1), put('iamAssumedRoleArn', arn)),
  ],
  'authorizeCloudProviderAccessRole.arn-optional': [
    refused('no ARN', (body) => !('iamAssumedRoleArn' in body)),
  ],
  'authorizeCloudProviderAccessRole.provider-required': [optional('providerName', 'AWS')],
  'authorizeCloudProviderAccessRole.twice-refused': [granted(409)],
  'authorizeCloudProviderAccessRole.provider-of-the-role': [
    taken('another provider', ({ providerName }) => providerName === 'AZURE', put('providerName', 'AWS')),
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
    unseen('awsIamRoles'),
    seen('the roles without their numbers', (body) => ({
      ...body,
      awsIamRoles: listAt(body, 'awsIamRoles').map((one) => (isObject(one) ? without('roleId')(one) : one)),
    })),
  ],
  'listCloudProviderAccessRoles.by-provider': [swapped],
})

/** Simulations of outages. */
export const outages = breaking('outages', {
  'endOutageSimulation.answers-with-outage-simulation': [
    unseen('startRequestDate'),
    unseen('state'),
    another('id'),
    seenAs('clusterName', 'another'),
    seenAs('outageFilters', []),
  ],
  'endOutageSimulation.ends': [
    seenAs('state', 'SIMULATING'),
    pretended,
    allowedAgain(409),
    refused('every end', () => true, [409, 'INVALID_STATE']),
  ],
  'endOutageSimulation.not-running-refused': [granted(409)],
  'endOutageSimulation.starting-refused': [granted(409)],
  'endOutageSimulation.twice-refused': [allowedAgain(409)],
  'endOutageSimulation.recovery-requested': [seenAs('state', 'SIMULATING')],
  'endOutageSimulation.none': [granted(404)],
})

const required: Body = {
  destination: { clusterName: 'none', groupId: nothings, hostnameSchemaType: 'PUBLIC' },
  dropEnabled: false,
  source: { clusterName: 'self-managed', groupId: nothings, ssl: true, managedAuthentication: true },
}

const hostsOf = ({ migrationHosts }: Body): readonly Json[] | undefined =>
  isArray(migrationHosts) ? migrationHosts : undefined

const host = 'mover-09.contract.example'

/** A validation job is found as a migration too. */
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
      const asked = path.split('/').at(-1) ?? ''
      const found = request.method === 'GET' && !path.includes('/validate/') && jobs.has(asked)
      return found && response.status === 404
        ? {
            ...response,
            status: 200,
            body: JSON.stringify({ _id: asked, status: 'NEW', readyForCutover: false }),
          }
        : response
    }
  },
}

const stuck = (from: string, to: string): Way => seenAs('status', to, from)

/** Live migrations, validations of them, and link-tokens. */
export const migrations = breaking('migrations', {
  'createLinkToken.answers-with-link-token': [unseen('linkToken')],
  'createLinkToken.access-list': [
    refused('no entry', ({ accessListIps }) => isArray(accessListIps) && accessListIps.length === 0),
    refused('IPv6', ({ accessListIps }) => JSON.stringify(accessListIps ?? '').includes('2001:db8')),
  ],
  'createLinkToken.another-each-time': [seenAs('linkToken', 'the-same-each-time')],
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
  'createMigration.answers-with-migration': [another('_id'), unseen('status'), unseen('readyForCutover')],
  'createMigration.hosts-returned': [stored('another host', put('migrationHosts', [host]))],
  'createMigration.new-first': [seenAs('status', 'COMPLETE'), seenAs('readyForCutover', true)],
  'getMigration.answers-with-migration': [
    another('_id'),
    seenAs('migrationHosts', [host]),
    seenAs('readyForCutover', false),
  ],
  'getMigration.working': [stuck('WORKING', 'NEW')],
  'getMigration.lag-falls': [seenAs('lagTimeSeconds', 300)],
  'getMigration.ready-when-caught-up': [seenAs('readyForCutover', true), seenAs('readyForCutover', false)],
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
    taken('no host', (body) => hostsOf(body)?.length === 0, put('migrationHosts', [host])),
    taken('two hosts', (body) => (hostsOf(body)?.length ?? 0) > 1, put('migrationHosts', [host])),
  ],
  'migrationRequest.hosts-optional': [refused('no hosts', (body) => hostsOf(body) === undefined)],
  'migrationRequest.sharding-optional': [
    refused('no sharding', (body) => !('sharding' in body)),
    refused('empty sharding', ({ sharding }) => isObject(sharding) && Object.keys(sharding).length === 0),
  ],
  'migrationRequest.secrets-not-returned': [
    seen('the password', (body, { source }) => ({ ...body, source: isObject(source) ? source : {} })),
  ],
  'validateMigration.answers-with-validation': [
    another('_id'),
    unseen('status'),
    seenAs('groupId', nothings),
  ],
  'validateMigration.pending-first': [seenAs('status', 'FAILED')],
  'validateMigration.migrates-nothing': [validationMigrates],
  'getMigrationValidation.answers-with-validation': [another('_id'), seenAs('groupId', nothings)],
  'getMigrationValidation.success': [stuck('SUCCESS', 'PENDING'), stuck('SUCCESS', 'FAILED')],
  'getMigrationValidation.failed-has-message': [unseen('errorMessage'), stuck('FAILED', 'SUCCESS')],
  'getMigrationValidation.unknown-destination-fails': [stuck('FAILED', 'SUCCESS')],
})
