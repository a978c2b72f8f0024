import { methods } from '@svc-admin/spec'
import { expect, test } from 'vitest'
import { createFinder } from '../browser/search.ts'
import { addresses } from '../model/addresses.ts'
import { model, searchEntriesOf } from '../testing/inputs.ts'

const { newest } = model
const finder = createFinder(['shared', newest.id].flatMap(searchEntriesOf))
const operation = (id: string) => addresses.operation(newest.id, id)

/**
 * Questions from people who use or build the API, both as keywords and as a sentence, and the pages that answer them.
 * If an address has no anchor, a section on the page is also accepted.
 */
const questions: readonly (readonly [keywords: string, sentence: string, ...answers: string[]])[] = [
  ['metric alert threshold', 'How do I create an alert on CPU usage?', '/guides/alerts/#metric-alerts'],
  [
    'webhook retry delivery',
    'What happens if my webhook endpoint is down?',
    '/guides/webhooks/#response-and-retries',
  ],
  [
    'verify webhook python',
    'How do I verify a webhook signature in Python?',
    '/guides/webhooks/#verify-the-signature',
  ],
  ['poll snapshot completed', 'How do I know when a snapshot is finished?', '/guides/waiting/'],
  ['409 conflict', 'Why do I get a 409 and what should I do?', '/guides/errors/'],
  [
    'deprecated operations end date',
    'Which operations are deprecated and when do they end?',
    '/changelog/deprecated/',
  ],
  [
    'serverless end date',
    'When do the serverless operations stop working?',
    '/changelog/deprecated/',
    '/guides/versioning/#when-a-version-ends',
  ],
  [
    'download snapshot',
    'How can I download a backup?',
    operation('createRestoreJob'),
    '/guides/backups/#restore-a-snapshot',
  ],
  [
    'restore point in time',
    'How do I restore a cluster to a point in time?',
    operation('createRestoreJob'),
    '/guides/backups/#restore-a-snapshot',
  ],
  [
    'export snapshot bucket',
    'How do I export a snapshot to my own bucket?',
    operation('createExportJob'),
    '/guides/backups/#export-a-snapshot',
    '/workflows/export-bucket-to-export-job/',
  ],
  [
    'disable compliance policy',
    'Can I turn off a backup compliance policy?',
    operation('disableCompliancePolicy'),
  ],
  [
    'cut over migration',
    'How do I cut over a live migration?',
    operation('cutoverMigration'),
    '/workflows/migration-validate-to-cut-over/',
  ],
  [
    'end outage simulation',
    'How do I stop a simulated outage?',
    operation('endOutageSimulation'),
    '/workflows/outage-end/',
  ],
  [
    'search index ready',
    'How do I know that a search index is ready?',
    '/guides/waiting/',
    '/lifecycles/search-index/',
    operation('getSearchIndex'),
  ],
  [
    'failed login attempts',
    'Who tried to log in to my cluster?',
    operation('listAccessLogsByCluster'),
    operation('listAccessLogsByHostname'),
  ],
  ['enable auditing', 'How do I enable auditing for a project?', operation('updateAuditingConfig')],
  ['custom dns aws', 'How do I turn on custom DNS?', operation('updateCustomDns'), operation('getCustomDns')],
  [
    'X-Request-Id',
    'Which request id do I include when I report a problem?',
    '/errors/UNEXPECTED_ERROR/',
    '/headers/#x-request-id',
    '/guides/errors/',
    '/guides/retries/',
  ],
  [
    'requests per minute',
    'How many requests can I send per minute?',
    '/guides/rate-limits/',
    '/errors/RATE_LIMITED/',
    '/limits/#tokenRequests',
  ],
  [
    'token lifetime',
    'How long is an access token valid?',
    '/limits/#tokenLifetime',
    '/guides/authentication/#with-a-service-account',
  ],
  [
    'request body size limit',
    'How large can a request body be?',
    '/limits/#body',
    '/errors/PAYLOAD_TOO_LARGE/',
  ],
  ['envelope status', 'Why does every response have status 200 with an envelope?', '/guides/envelopes/'],
  [
    'conformance kit ci',
    'How do I run the conformance kit in continuous integration?',
    '/guides/contract-testing/',
  ],
  ['simulate errors sandbox', 'How can I make the sandbox return an error?', '/sandbox/', '/guides/retries/'],
  [
    'role create alert configuration',
    'Which role do I need to create an alert configuration?',
    operation('createAlertConfig'),
  ],
]

/** Questions that were written in November 2026, before the results were tested. */
const later: typeof questions = [
  [
    'poll restore job',
    'How do I wait until a restore job has finished?',
    '/guides/waiting/',
    '/lifecycles/restore-job/',
    operation('getRestoreJob'),
  ],
  [
    'SNAPSHOT_IN_PROGRESS',
    'What does SNAPSHOT_IN_PROGRESS mean and what do I do?',
    '/errors/SNAPSHOT_IN_PROGRESS/',
  ],
  ['role delete snapshot', 'Which role do I need to delete a snapshot?', operation('deleteSnapshot')],
  [
    'replacement createFtsIndex',
    'What replaces createFtsIndex?',
    operation('createSearchIndex'),
    operation('createFtsIndex'),
    '/changelog/deprecated/',
  ],
  [
    'maximum items per page',
    'How many items can one page contain?',
    '/limits/#itemsPerPage',
    '/guides/paging/',
  ],
  ['next page total count', 'How do I get the total number of results of a list?', '/guides/paging/'],
  [
    'breaking changes 2024-08-05',
    'What broke in version 2024-08-05?',
    '/changelog/v1.0/2024-08-05/',
    '/changelog/2023-01-01/2024-08-05/',
    '/changelog/2024-05-30/2024-08-05/',
  ],
  ['migrate v1 v2', 'How do I move my program from v1.0 to v2?', '/guides/migration/'],
  [
    'copy snapshots other region',
    'How do I copy snapshots to another region?',
    addresses.schema(newest.id, 'CopySetting'),
    operation('updateBackupSchedule'),
    '/guides/backups/',
  ],
  ['cancel restore', 'How do I cancel a running restore?', operation('cancelRestoreJob')],
  [
    'delete export bucket conflict',
    'Why can’t I delete an export bucket?',
    '/errors/EXPORT_BUCKET_IN_USE/',
    operation('deleteExportBucket'),
  ],
  [
    'aws iam role authorize',
    'How do I let the service use an AWS IAM role?',
    operation('authorizeCloudProviderAccessRole'),
    operation('createCloudProviderAccessRole'),
    '/guides/backups/#export-a-snapshot',
  ],
  [
    'silence alert',
    'How do I silence an alert for a few hours?',
    operation('acknowledgeAlert'),
    '/guides/alerts/',
  ],
  [
    'slack notification',
    'Can alerts be sent to Slack?',
    addresses.schema(newest.id, 'SlackNotification'),
    '/guides/alerts/',
  ],
  [
    'rotate webhook secret',
    'How do I rotate the secret of a webhook?',
    '/guides/webhooks/#secrets-and-their-rotation',
  ],
  [
    '401 digest',
    'Why are my requests rejected with 401?',
    '/errors/UNAUTHORIZED/',
    '/guides/authentication/',
  ],
  [
    'ip access list blocked',
    'Why is my IP address blocked?',
    '/errors/IP_NOT_ALLOWED/',
    '/guides/authentication/#ip-access-lists',
  ],
  [
    'extend snapshot retention',
    'How do I keep a snapshot longer?',
    operation('updateSnapshotRetention'),
    '/guides/backups/#keep-a-snapshot-longer',
  ],
  [
    'search index synonyms',
    'How do I define synonyms for a search index?',
    operation('createSearchIndex'),
    addresses.schema(newest.id, 'SynonymMapping'),
  ],
  ['add search nodes', 'How do I add dedicated search nodes?', operation('createSearchNodes')],
  [
    'no accept header version',
    'What happens if I send no version?',
    '/guides/versioning/',
    '/errors/NOT_ACCEPTABLE/',
  ],
  [
    'install typescript client',
    'How do I install the TypeScript client?',
    '/guides/getting-started/#install-the-typescript-client',
  ],
  ['retry post idempotent', 'Is it safe to retry a POST request?', '/guides/retries/'],
  [
    'simulate region outage',
    'How do I simulate a regional outage?',
    operation('endOutageSimulation'),
    '/lifecycles/outage-simulation/',
    '/workflows/outage-end/',
  ],
  [
    'timestamp time zone',
    'Which time zone do timestamps use?',
    '/guides/getting-started/#timestamps-and-time-zones',
  ],
]

/** Questions from people who implement the API. The questions were written before the results were tested. */
const implementers: typeof questions = [
  [
    'digest nonce stale',
    'When must the server send stale=true?',
    '/requirements/authentication/#auth.digest-stale-only-for-expired-nonce',
    '/guides/authentication/#with-an-api-key',
  ],
  [
    'waiver contract',
    'How do I waive a failing check in the conformance kit?',
    '/guides/contract-testing/#in-continuous-integration',
  ],
  [
    'junit sarif report',
    'Which report formats does the conformance kit write?',
    '/guides/contract-testing/#report-formats',
  ],
  ['sandbox clock advance', 'How do I move the clock of the sandbox forward?', '/sandbox/'],
  ['lenient verdict', 'What does the verdict LENIENT mean?', '/guides/contract-testing/#read-the-verdicts'],
  ['snapshot status transitions', 'Which states can a snapshot go through?', '/lifecycles/snapshot/'],
  [
    'order of checks',
    'In which order must a server check requests?',
    '/guides/errors/#order-of-checks',
    '/requirements/errors/#errors.order-of-checks',
  ],
  [
    'unknown query parameters',
    'Must the server reject unknown query parameters?',
    '/requirements/input/#parameters.unknown-refused',
  ],
  ['spectral ruleset', 'How can I use the lint rules for my own OpenAPI document?', addresses.lintRules],
  [
    'reference server postgresql',
    'How do I run the reference server with PostgreSQL?',
    '/guides/postgresql/',
  ],
]

const answer = (query: string): string => `/${finder.find(query, 1).found[0]?.url ?? ''}`

const missed = (asked: typeof questions, index: 0 | 1): string[] =>
  asked.flatMap((question) => {
    const [, , ...answers] = question
    const url = answer(question[index])
    const path = url.replace(/#.*/, '')
    return answers.some((each) => each === url || each === path) ? [] : [`${question[index]}: ${url}`]
  })

test.each([
  ['the first questions', 'keywords', questions, 0],
  ['the first questions', 'sentences', questions, 1],
  ['the later questions', 'keywords', later, 0],
  ['the later questions', 'sentences', later, 1],
] as const)('answers at least 22 of 25 first: %s, typed as %s', (_, __, asked, index) => {
  expect(asked).toHaveLength(25)
  const wrong = missed(asked, index)
  expect(asked.length - wrong.length, wrong.join('\n')).toBeGreaterThanOrEqual(22)
})

test.each([
  ['keywords', 0],
  ['sentences', 1],
] as const)('answers the questions of implementers first, typed as %s', (_, index) => {
  expect(missed(implementers, index)).toEqual([])
})

test('finds errors by their status', () => {
  for (const query of ['Why do I get HTTP 415?', '415', 'status 415'])
    expect(answer(query), query).toBe('/errors/UNSUPPORTED_MEDIA_TYPE/')
})

test('finds every header by its name', () => {
  const names = Object.values(newest.document.paths).flatMap((item) =>
    methods.flatMap((method) =>
      Object.values(item[method]?.responses ?? {}).flatMap(({ headers = {} }) => Object.keys(headers)),
    ),
  )
  expect(names.length).toBeGreaterThan(10)
  for (const name of new Set(['Accept', 'Content-Type', ...names]))
    expect(finder.find(name, 2).found.map(({ url }) => url)).toContain(`headers/#${name.toLowerCase()}`)
})
