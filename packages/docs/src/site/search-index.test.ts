import { describe, expect, test } from 'vitest'
import { createFinder } from '../browser/search.ts'
import { meaningOf } from '../browser/search-words.ts'
import type { Page } from '../content/block.ts'
import { wordsOf } from '../content/inline.ts'
import { model, searchEntriesOf } from '../testing/inputs.ts'
import { allPages } from './pages.ts'
import { newWords, pageEntries } from './search-pages.ts'

const finder = createFinder(['shared', model.newest.id].flatMap(searchEntriesOf))
const urls = (query: string, limit?: number) => finder.find(query, limit).found.map(({ url }) => `/${url}`)
const pages = allPages(model).pages.filter(
  ({ version }) => version === undefined || version === model.newest.id,
)
/** Returns a key that is the same for titles with the same meaning. */
const sameMeaning = (title: string) => meaningOf(title).join(' ')

/**
 * Queries and their expected first results. If the expected address has no anchor, a section on the page is also
 * accepted.
 */
const asked: readonly (readonly [query: string, first: string])[] = [
  // Queries that find pages by name.
  ['roles', '/roles/'],
  ['limits', '/limits/'],
  ['error codes', '/errors/'],
  ['changelog', '/changelog/'],
  ['downloads', '/downloads/'],
  ['try it', '/try/'],
  ['decisions', '/decisions/'],
  ['sandbox control', '/sandbox/'],
  ['lint rules', '/lint-rules/'],
  ['requirements', '/requirements/'],
  ['conformance', '/conformance/'],
  ['versioning', '/guides/versioning/'],
  // Queries that are questions.
  ['which version should I use', '/guides/versioning/'],
  ['how do I get started', '/guides/getting-started/'],
  ['migrate from v1', '/guides/migration/#migrate-a-program-to-a-newer-version'],
  ['acknowledge alert forever', '/guides/alerts/#acknowledge-it'],
  ['npm install', '/guides/getting-started/#install-the-typescript-client'],
  ['install', '/guides/getting-started/#install-the-typescript-client'],
  ['openapi download', '/downloads/'],
  ['python', '/downloads/#generate'],
  ['java', '/downloads/#generate'],
  ['timezone', '/guides/getting-started/#timestamps-and-time-zones'],
  ['time zone', '/guides/getting-started/#timestamps-and-time-zones'],
  ['idempotent', '/guides/retries/#which-requests-to-retry'],
  ['advance clock', '/sandbox/#setClock'],
  ['reset the sandbox', '/sandbox/#reset'],
  ['kubernetes', '/guides/postgresql/#deploy-in-containers-or-on-kubernetes'],
  ['docker', '/guides/postgresql/#deploy-in-containers-or-on-kubernetes'],
  ['deploy', '/guides/postgresql/#deploy-in-containers-or-on-kubernetes'],
  ['Accept header', '/guides/versioning/'],
  ['junit', '/guides/contract-testing/#report-formats'],
  ['cors', '/guides/getting-started/#calls-from-a-browser-cors'],
  ['free tier', '/guides/getting-started/#free-and-shared-tiers'],
  ['create a cluster', '/guides/getting-started/#create-or-list-clusters-and-projects'],
  ['create project', '/guides/getting-started/#create-or-list-clusters-and-projects'],
  ['rate limit', '/errors/RATE_LIMITED/'],
  ['api key', '/guides/authentication/#with-an-api-key'],
  ['retry', '/guides/retries/'],
  ['webhook signature', '/guides/webhooks/#verify-the-signature'],
  ['webhook payload', '/guides/webhooks/#payload'],
  ['when is v1.0 shut off', '/guides/versioning/'],
  ['page', '/guides/paging/'],
  ['how do I page', '/guides/paging/'],
  ['how to page', '/guides/paging/'],
  ['next page', '/guides/paging/'],
  ['how to list all pages', '/guides/paging/'],
  ['get token', `/${model.newest.id}/operations/issueToken/`],
  ['get an access token', `/${model.newest.id}/operations/issueToken/`],
  ['get alert', `/${model.newest.id}/operations/getAlert/`],
  ['get snapshot', `/${model.newest.id}/operations/getSnapshot/`],
  ['bigint', '/guides/getting-started/#large-integers'],
  ['postman', '/downloads/#collections'],
  ['receive a webhook', '/guides/webhooks/'],
  ['too many requests', '/errors/RATE_LIMITED/'],
  ['throttle', '/errors/RATE_LIMITED/'],
  ['Accept header missing', '/guides/versioning/'],
  ['bearer token header', '/guides/authentication/#with-a-service-account'],
  ['create snapshot', `/${model.newest.id}/operations/takeSnapshot/`],
  ['make snapshot', `/${model.newest.id}/operations/takeSnapshot/`],
  ['take a snapshot', `/${model.newest.id}/operations/takeSnapshot/`],
  ['drop index', `/${model.newest.id}/operations/deleteSearchIndex/`],
  ['remove an export bucket', `/${model.newest.id}/operations/deleteExportBucket/`],
  ['snapshots filter by date', `/${model.newest.id}/operations/listSnapshots/`],
  ['list snapshots by date', `/${model.newest.id}/operations/listSnapshots/`],
  ['filter alerts by status', `/${model.newest.id}/operations/listAlerts/`],
  ['snapshot date', `/${model.newest.id}/operations/listSnapshots/`],
  ['alerts by date', `/${model.newest.id}/operations/listAlerts/`],
  ['alerts since date', `/${model.newest.id}/operations/listAlerts/`],
  ['newest alert', `/${model.newest.id}/operations/listAlerts/`],
  ['retry after', '/guides/retries/'],
  ['find alerts', `/${model.newest.id}/operations/listAlerts/`],
  ['show all snapshots', `/${model.newest.id}/operations/listSnapshots/`],
  ['restore job date', `/${model.newest.id}/operations/listRestoreJobs/`],
  ['snapshot by id', `/${model.newest.id}/operations/getSnapshot/`],
  // Queries that use synonyms.
  ['create backup', `/${model.newest.id}/operations/takeSnapshot/`],
  ['modify backup schedule', `/${model.newest.id}/operations/updateBackupSchedule/`],
  ['change retention', `/${model.newest.id}/operations/updateSnapshotRetention/`],
  ['mute alert', `/${model.newest.id}/operations/acknowledgeAlert/`],
  ['abort restore job', `/${model.newest.id}/operations/cancelRestoreJob/`],
  ['create indices', `/${model.newest.id}/operations/createSearchIndex/`],
  ['edit alert', `/${model.newest.id}/operations/updateAlertConfig/`],
  ['snooze alert', `/${model.newest.id}/operations/acknowledgeAlert/`],
  ['stop restore', `/${model.newest.id}/operations/cancelRestoreJob/`],
  ['latest snapshot', `/${model.newest.id}/operations/listSnapshots/`],
  ['permissions', '/roles/'],
  ['privileges', '/roles/'],
  ['login', '/guides/authentication/'],
  ['ci', '/guides/contract-testing/'],
  ['k8s', '/guides/postgresql/#deploy-in-containers-or-on-kubernetes'],
  ['eol', '/guides/versioning/#when-a-version-ends'],
  ['when will v1.0 stop working', '/guides/versioning/'],
  ['ip whitelist', '/guides/authentication/#ip-access-lists'],
  ['cluster name length', '/limits/#clusterName'],
  // Queries that contain plurals of short words.
  ['api keys', '/guides/authentication/#with-an-api-key'],
  // Deprecated operations must rank below their successors.
  ['create index', `/${model.newest.id}/operations/createSearchIndex/`],
]

describe('the first result', () => {
  test.each(asked)('%s', (query, first) => {
    const [found = ''] = urls(query, 1)
    expect(first.includes('#') ? found : found.replace(/#.*/, '')).toBe(first)
  })
})

/** Queries that have several good results, one of which must be among the first results. */
const among: readonly (readonly [query: string, count: number, wanted: string])[] = [
  ['alert date', 1, 'operations/listAlerts/'],
  ['version date', 3, '/errors/INVALID_VERSION_DATE/'],
  ['403 error', 3, '/errors/INSUFFICIENT_ROLE/'],
  ['pretty print', 2, '/guides/envelopes/'],
  ['which roles can create an index', 2, 'operations/createSearchIndex/'],
  ['create index role', 2, 'operations/createSearchIndex/'],
  ['delete index', 2, 'operations/deleteSearchIndex/'],
  ['list all alerts', 2, 'operations/listAlerts/'],
  ['fetch a snapshot', 1, 'operations/getSnapshot/'],
  ['flex cluster', 5, 'operations/createServerlessRestoreJob/'],
  ['flex cluster', 5, 'operations/listServerlessSnapshots/'],
  ['go client', 1, '/downloads/#generate'],
  ['quickstart', 2, '/guides/getting-started/'],
  ['sdk', 5, '/guides/getting-started/#install-the-typescript-client'],
  ['token', 2, 'operations/issueToken/'],
  ['how long does a token last', 2, '/limits/#tokenLifetime'],
  ['how long does a token last', 3, '/guides/authentication/#with-a-service-account'],
]

test.each(among)('%s: among the first %i is %s', (query, count, wanted) => {
  const address = wanted.startsWith('/') ? wanted : `/${model.newest.id}/${wanted}`
  expect(urls(query, count)).toContain(address)
})

test('finds entries with most of the words if none has all', () => {
  expect(urls('Accept header required', 2)).toContain('/guides/versioning/')
  expect(urls('change log 2024-08-05', 4)).toEqual(
    expect.arrayContaining(['/changelog/v1.0/2024-08-05/', '/changelog/2024-05-30/2024-08-05/']),
  )
})

test('indexes only the titles of the pages on where a decision applies', () => {
  const places = pages.filter(({ path, crumbs }) => path.startsWith('/decisions/') && crumbs.length > 0)
  expect(places.length).toBeGreaterThan(5)
  const bodied = searchEntriesOf('shared').filter(({ url }) => places.some(({ path }) => path === `/${url}`))
  expect(bodied.filter(({ body }) => body !== '')).toEqual([])
})

test('finds every operation by its summary and the word role', () => {
  const missed = model.newest.operations.filter(
    ({ id, operation }) =>
      operation['x-roles']?.length &&
      !urls(`${operation.summary} role`, 3).includes(`/${model.newest.id}/operations/${id}/`),
  )
  expect(missed.map(({ id }) => id)).toEqual([])
})

test('finds every page by its title first', () => {
  const alike = new Map<string, number>()
  for (const { title } of pages) alike.set(sameMeaning(title), (alike.get(sameMeaning(title)) ?? 0) + 1)
  const missed = pages.filter(({ title, path }) => !urls(title, alike.get(sameMeaning(title))).includes(path))
  expect(missed.map(({ path }) => path)).toEqual([])
})

const headingsOf = ({ blocks, path }: Page) =>
  blocks.flatMap((block) =>
    block.kind === 'heading' ? [{ text: wordsOf(block.text), url: `${path}#${block.id}` }] : [],
  )

test('finds every heading of unique pages', () => {
  const alone = pages.filter(({ crumbs, section }) => crumbs.length === 0 || section === 'guides')
  const missed = alone.flatMap((page) =>
    headingsOf(page).filter(({ text, url }) => !urls(`${page.title} ${text}`, 12).includes(url)),
  )
  expect(missed).toEqual([])
})

test('finds pages by words in tables and code', () => {
  for (const [word, path] of [
    ['q-values', '/guides/versioning/'],
    ['SVC_CLIENT_SECRET', '/guides/authentication/'],
    ['STARTS_WITH', '/guides/alerts/'],
    ['dumps', '/guides/postgresql/'],
    ['sarif', '/guides/contract-testing/'],
    ['maxDelayMs', '/guides/retries/'],
    ['stale-nonce', '/sandbox/'],
    ['Deprecating', '/changelog/'],
  ] as const)
    expect([word, urls(word).map((url) => url.replace(/#.*/, ''))]).toEqual([
      word,
      expect.arrayContaining([path]),
    ])
})

test('ranks titles above tables', () => {
  const page: Page = {
    path: '/a/',
    title: 'Pears',
    description: 'Of fruit.',
    section: 'errors',
    crumbs: [],
    blocks: [
      {
        kind: 'table',
        head: ['Fruit'],
        rows: [{ cells: ['apples'] }, { id: 'x', cells: ['plums', 'blue'] }],
      },
      { kind: 'heading', level: 2, text: 'Apples', id: 'anApple' },
      { kind: 'prose', markdown: 'Red.\n\n```sh\ncider --press\n```' },
    ],
  }
  const entries = pageEntries(page, new Set())
  expect(entries).toEqual([
    expect.objectContaining({ title: 'Pears', text: 'Of fruit.', body: 'apples' }),
    expect.objectContaining({
      title: 'Apples',
      names: 'Pears anApple',
      text: 'Red.',
      body: 'sh cider press',
    }),
    expect.objectContaining({ title: 'plums', url: '/a/#x', text: 'blue' }),
  ])
  expect(pageEntries(page, new Set(['/a/', '/a/#x'])).map(({ title }) => title)).toEqual(['Apples'])
  const keyed = entries.map((each) => ({ key: each.title, body: '', ...each, url: each.url.slice(1) }))
  expect(
    createFinder(keyed)
      .find('apples')
      .found.map(({ url }) => url),
  ).toEqual(['a/#anApple', 'a/'])
})

test('ranks decisions below other entries with the name', () => {
  const kinds = finder.find('alert', 5).found.map(({ kind }) => kind)
  expect(kinds).not.toContain('Decision')
})

test('indexes distinct words without identifiers and timestamps', () => {
  const text = 'One one two, 64b7e1c20f3a5d6e7f809101 2025-11-18T18:00:00Z 2025-11-18 three.'
  expect(newWords(text, 'Three')).toBe('One two 00 00Z 2025-11-18')
})
