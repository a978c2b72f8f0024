import { limits } from '@svc-admin/types'
import { isArray, type Json, stringAt } from '../../src/document/json.ts'
import { type MutantInput, withQuery } from '../mutant.ts'
import {
  type Body,
  breaking,
  forgotten,
  granted,
  optional,
  otherDefault,
  pretended,
  refused,
  seen,
  seenAs,
  stored,
  taken,
  unseen,
  type Way,
  without,
} from './ways.ts'

const { minimum: window } = limits.restoreWindowDays

const put =
  (name: string, value: Json) =>
  (body: Body): Json => ({ ...body, [name]: value })

const windows: readonly Way[] = [
  refused('the least window', ({ restoreWindowDays }) => restoreWindowDays === window),
  taken(
    'no window',
    ({ restoreWindowDays }) => typeof restoreWindowDays === 'number' && restoreWindowDays < window,
    put('restoreWindowDays', window),
  ),
]

const wideWindow: readonly Way[] = [
  taken(
    'too wide a window',
    ({ restoreWindowDays }) => Number(restoreWindowDays) === 4,
    put('restoreWindowDays', window),
  ),
  refused('a window that fits', ({ restoreWindowDays }) => restoreWindowDays === 3),
]

const later = (moment: string | undefined): string =>
  new Date(Date.parse(moment ?? '') + 2 * 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z')

const given = ['clusterId', 'clusterName', 'links', 'nextSnapshot'] as const
const orders = ['deleteCopiedBackups', 'updateSnapshots'] as const

const policiesOf = ({ policies }: Body): readonly Json[] => (isArray(policies) ? policies : [])

/** Backup schedules. */
export const schedules = breaking('schedules', {
  'getBackupSchedule.answers-with-backup-schedule': [
    seenAs('clusterName', 'another'),
    unseen('policies'),
    unseen('clusterId'),
  ],
  'getBackupSchedule.next-snapshot': [
    seen('nextSnapshot later', (body) => ({ ...body, nextSnapshot: later(stringAt(body, 'nextSnapshot')) })),
  ],
  'deleteBackupSchedules.returns-schedule': [
    seen('nothing', () => ({})),
    unseen('policies'),
    seenAs('clusterName', 'another'),
  ],
  'deleteBackupSchedules.empties-policies': [pretended],
  'updateBackupSchedule.answers-with-backup-schedule': [
    forgotten('policies'),
    unseen('clusterName'),
    pretended,
  ],
  'updateBackupSchedule.only-what-is-sent': [
    otherDefault('referenceHourOfDay', 22),
    otherDefault('policies', [{ policyItems: [] }]),
  ],
  'updateBackupSchedule.policies-at-most-1': [
    refused('one policy', (body) => policiesOf(body).length === 1),
    taken(
      'two policies',
      (body) => policiesOf(body).length > 1,
      (body) => ({ ...body, policies: policiesOf(body).slice(0, 1) }),
    ),
  ],
  'updateBackupSchedule.window-positive': windows,
  'updateBackupSchedule.window-within-hourly-retention': wideWindow,
  'updateBackupSchedule.retention-grows': [granted(400)],
  'updateBackupSchedule.reference-hour-in-utc': [
    seen('nextSnapshot in another zone', (body) => ({
      ...body,
      nextSnapshot: later(stringAt(body, 'nextSnapshot')),
    })),
  ],
  'updateBackupSchedule.update-snapshots': [forgotten('updateSnapshots')],
  'updateBackupSchedule.snapshots-stay-otherwise': [
    otherDefault('updateSnapshots', true),
    stored('false is true', put('updateSnapshots', true), ({ updateSnapshots }) => updateSnapshots === false),
  ],
  'updateBackupSchedule.copies-stored': [
    forgotten('copySettings'),
    stored(
      'the first alone',
      (body) => ({ ...body, copySettings: isArray(body.copySettings) ? body.copySettings.slice(0, 1) : [] }),
      ({ copySettings }) => isArray(copySettings),
    ),
  ],
  'updateBackupSchedule.request-only-members': orders.map((name) => refused(name, (body) => name in body)),
  'updateBackupSchedule.request-only-unanswered': orders.map((name) =>
    seen(`${name} answered`, (body, sent) => ({ ...body, [name]: sent[name] ?? [] })),
  ),
  'updateBackupSchedule.response-only-members': given.map((name) =>
    taken(name, (body) => name in body, without(name)),
  ),
  'updateBackupSchedule.extra-retention-kept': [forgotten('extraRetentionSettings')],
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
const services = ['deletable', 'state', 'updatedDate', 'updatedUser'] as const

/** Backup compliance policies. */
export const compliance = breaking('compliance', {
  'getCompliancePolicy.answers-with-compliance-policy': [
    seenAs('projectId', 'f'.repeat(24)),
    seenAs('authorizedEmail', 'somebody@else.example'),
    unseen('state'),
  ],
  'getCompliancePolicy.none-not-found': [granted(404)],
  'updateCompliancePolicy.answers-with-compliance-policy': [
    ...['updatedUser', 'updatedDate', 'state', 'projectId'].map((name) => unseen(name)),
    seenAs('updatedDate', '2020-01-01T00:00:00Z'),
    forgotten('scheduledPolicyItems'),
  ],
  'updateCompliancePolicy.email-required': [
    optional('authorizedEmail', 'somebody@contract.example'),
    taken(
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
  'updateCompliancePolicy.response-members-refused': services.map((name) =>
    taken(name, (body) => name in body, without(name)),
  ),
  'updateCompliancePolicy.not-while-in-transition': [granted(409)],
  'disableCompliancePolicy.needs-support': [granted(409)],
  'disableCompliancePolicy.removes': [pretended],
  'compliance-policy.enabling-first': [
    seenAs('state', 'ACTIVE', 'ENABLING'),
    { ...seenAs('state', 'UPDATING', 'ENABLING'), at: ['updateCompliancePolicy'] },
  ],
  'compliance-policy.active-next': [
    { ...seenAs('state', 'ENABLING', 'ACTIVE'), at: ['getCompliancePolicy'] },
  ],
  'compliance-policy.updating': [seenAs('state', 'ACTIVE', 'UPDATING')],
})
