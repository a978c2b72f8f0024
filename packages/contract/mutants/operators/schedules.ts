import { limits } from '@svc-admin/types'
import { isArray, type Json, stringAt } from '../../src/document/json.ts'
import { type MutantInput, withQuery } from '../mutant.ts'
import {
  acceptsInvalid,
  type Body,
  breaking,
  changedRequest,
  changedResponse,
  granted,
  ignoredFields,
  optional,
  otherDefault,
  pretended,
  refused,
  responseField,
  type Way,
  withoutResponseFields,
} from './ways.ts'

const { minimum: window } = limits.restoreWindowDays

const put =
  (name: string, value: Json) =>
  (body: Body): Json => ({ ...body, [name]: value })

const windows: readonly Way[] = [
  refused('the least window', ({ restoreWindowDays }) => restoreWindowDays === window),
  acceptsInvalid(
    'no window',
    ({ restoreWindowDays }) => typeof restoreWindowDays === 'number' && restoreWindowDays < window,
    put('restoreWindowDays', window),
  ),
]

const wideWindow: readonly Way[] = [
  acceptsInvalid(
    'too wide a window',
    ({ restoreWindowDays }) => Number(restoreWindowDays) === 4,
    put('restoreWindowDays', window),
  ),
  refused('a window that fits', ({ restoreWindowDays }) => restoreWindowDays === 3),
]

const later = (time: string | undefined): string =>
  new Date(Date.parse(time ?? '') + 2 * 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z')

const orders = ['deleteCopiedBackups', 'updateSnapshots'] as const

const policiesOf = ({ policies }: Body): readonly Json[] => (isArray(policies) ? policies : [])

/** Mutants that break the requirements for backup schedules. */
export const schedules = breaking('schedules', {
  'getBackupSchedule.answers-with-backup-schedule': [
    responseField('clusterName', 'another'),
    withoutResponseFields('policies'),
    withoutResponseFields('clusterId'),
  ],
  'getBackupSchedule.next-snapshot': [
    changedResponse('nextSnapshot later', (body) => ({
      ...body,
      nextSnapshot: later(stringAt(body, 'nextSnapshot')),
    })),
  ],
  'deleteBackupSchedules.returns-schedule': [
    changedResponse('nothing', () => ({})),
    withoutResponseFields('policies'),
    responseField('clusterName', 'another'),
  ],
  'deleteBackupSchedules.empties-policies': [pretended],
  'updateBackupSchedule.answers-with-backup-schedule': [
    ignoredFields('policies'),
    withoutResponseFields('clusterName'),
    pretended,
  ],
  'updateBackupSchedule.only-what-is-sent': [
    otherDefault('referenceHourOfDay', 22),
    otherDefault('policies', [{ policyItems: [] }]),
  ],
  'updateBackupSchedule.policies-at-most-1': [
    refused('one policy', (body) => policiesOf(body).length === 1),
    acceptsInvalid(
      'two policies',
      (body) => policiesOf(body).length > 1,
      (body) => ({ ...body, policies: policiesOf(body).slice(0, 1) }),
    ),
  ],
  'updateBackupSchedule.window-positive': windows,
  'updateBackupSchedule.window-within-hourly-retention': wideWindow,
  'updateBackupSchedule.retention-grows': [granted(400)],
  'updateBackupSchedule.reference-hour-in-utc': [
    changedResponse('nextSnapshot in another zone', (body) => ({
      ...body,
      nextSnapshot: later(stringAt(body, 'nextSnapshot')),
    })),
  ],
  'updateBackupSchedule.update-snapshots': [ignoredFields('updateSnapshots')],
  'updateBackupSchedule.snapshots-stay-otherwise': [
    otherDefault('updateSnapshots', true),
    changedRequest(
      'false is true',
      put('updateSnapshots', true),
      ({ updateSnapshots }) => updateSnapshots === false,
    ),
  ],
  'updateBackupSchedule.copies-stored': [
    ignoredFields('copySettings'),
    changedRequest(
      'the first alone',
      (body) => ({ ...body, copySettings: isArray(body.copySettings) ? body.copySettings.slice(0, 1) : [] }),
      ({ copySettings }) => isArray(copySettings),
    ),
  ],
  'updateBackupSchedule.request-only-members': orders.map((name) => refused(name, (body) => name in body)),
  'updateBackupSchedule.request-only-unanswered': orders.map((name) =>
    changedResponse(`${name} answered`, (body, sent) => ({ ...body, [name]: sent[name] ?? [] })),
  ),
  'updateBackupSchedule.extra-retention-kept': [ignoredFields('extraRetentionSettings')],
  'updateBackupSchedule.auto-export-needs-bucket': [granted(400)],
  'updateBackupSchedule.bucket-must-exist': [granted(404)],
  'updateBackupSchedule.below-compliance-refused': [granted(409)],
})

const overwriting = (what: string, change: (query: URLSearchParams) => void): Way => ({
  what,
  make: (): MutantInput['make'] => () => (request, forward) =>
    forward(request.method === 'PUT' ? withQuery(request, change) : request),
})

const flag = 'overwriteBackupPolicies'

const address = /^[^@\s]+@[^@\s]+\.[^@\s]+$/

const flags = ['copyProtectionEnabled', 'encryptionAtRestEnabled', 'pitEnabled'] as const

/** Mutants that break the requirements for backup compliance policies. */
export const compliance = breaking('compliance', {
  'getCompliancePolicy.answers-with-compliance-policy': [
    responseField('projectId', 'f'.repeat(24)),
    responseField('authorizedEmail', 'somebody@else.example'),
    withoutResponseFields('state'),
  ],
  'getCompliancePolicy.none-not-found': [granted(404)],
  'updateCompliancePolicy.answers-with-compliance-policy': [
    ...['updatedUser', 'updatedDate', 'state', 'projectId'].map((name) => withoutResponseFields(name)),
    responseField('updatedDate', '2020-01-01T00:00:00Z'),
    ignoredFields('scheduledPolicyItems'),
  ],
  'updateCompliancePolicy.email-required': [
    optional('authorizedEmail', 'somebody@contract.example'),
    acceptsInvalid(
      'no e-mail address',
      ({ authorizedEmail }) => typeof authorizedEmail === 'string' && !address.test(authorizedEmail),
      put('authorizedEmail', 'somebody@contract.example'),
    ),
  ],
  'updateCompliancePolicy.flags-default-false': flags.map((name) => otherDefault(name, true)),
  'updateCompliancePolicy.window-positive': windows,
  'updateCompliancePolicy.window-within-hourly-retention': wideWindow,
  'updateCompliancePolicy.retention-grows': [granted(400)],
  'updateCompliancePolicy.overwrite-rewrites': [
    overwriting('true is false', (query) => query.get(flag) === 'true' && query.set(flag, 'false')),
  ],
  'updateCompliancePolicy.overwrite-default-true': [
    overwriting('false by default', (query) => query.has(flag) || query.set(flag, 'false')),
  ],
  'updateCompliancePolicy.overwrite-false-leaves': [
    overwriting('false is true', (query) => query.get(flag) === 'false' && query.set(flag, 'true')),
  ],
  'updateCompliancePolicy.not-while-in-transition': [granted(409)],
  'disableCompliancePolicy.needs-support': [granted(409)],
  'disableCompliancePolicy.removes': [pretended],
  'compliance-policy.enabling-first': [
    responseField('state', 'ACTIVE', 'ENABLING'),
    { ...responseField('state', 'UPDATING', 'ENABLING'), at: ['updateCompliancePolicy'] },
  ],
  'compliance-policy.active-next': [
    { ...responseField('state', 'ENABLING', 'ACTIVE'), at: ['getCompliancePolicy'] },
  ],
  'compliance-policy.updating': [responseField('state', 'ACTIVE', 'UPDATING')],
})
