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

const hits = (index: 0 | 1): string[] =>
  questions.flatMap((question) => {
    const [, , ...answers] = question
    const [found] = finder.find(question[index], 1).found
    const [url, path] = [`/${found?.url ?? ''}`, `/${found?.url ?? ''}`.replace(/#.*/, '')]
    return answers.some((answer) => answer === url || answer === path) ? [question[index]] : []
  })

const missed = (index: 0 | 1): string[] => {
  const found = hits(index)
  return questions.flatMap((question) =>
    found.includes(question[index])
      ? []
      : [`${question[index]}: ${finder.find(question[index], 1).found[0]?.url ?? 'nothing'}`],
  )
}

test.each([
  ['keywords', 0],
  ['sentences', 1],
] as const)('answers at least 22 of 25 questions first, typed as %s', (_, index) => {
  expect(questions).toHaveLength(25)
  expect(questions.length - missed(index).length, missed(index).join('\n')).toBeGreaterThanOrEqual(22)
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
