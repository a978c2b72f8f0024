import { afterAll, beforeAll, expect, test } from 'vitest'
import { falseAlarmsOf } from '../packages/contract/mutants/false-alarms.ts'
import type { Sending } from '../packages/contract/mutants/proxy.ts'
import { type RunningServer, startServer } from '../packages/contract/mutants/server.ts'
import type { Variant } from '../packages/contract/mutants/variant.ts'
import { variants } from '../packages/contract/mutants/variants.ts'

// `npm run benign -w packages/contract` tests all variants on all operations. This test covers fewer of them. Variants
// of our decisions run on operations for each success status, and on operations with missing or conflicting resources.
// Layout variants run in groups, on a few of the operations that they affect.

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const operations = [
  'createAlertConfig',
  'deleteAlertConfig',
  'updateCustomDns',
  'updateAuditingConfig',
  'createMigration',
  'cutoverMigration',
  'createSearchIndex',
  'deleteSearchIndexByName',
  'deleteSnapshot',
  'deleteShardedClusterSnapshot',
  'listShardedClusterSnapshots',
]

test.each(
  variants.filter(({ warned }) => warned !== undefined).map((variant) => [variant.name, variant] as const),
)('warns only about %s', { timeout: 300_000 }, async (_, variant) => {
  expect(await falseAlarmsOf(variant, server, { seed: 7, selection: { operations, brief: true } })).toEqual(
    [],
  )
})

const written = [
  'getCustomDns',
  'getAuditingConfig',
  'updateAuditingConfig',
  'listAlerts',
  'getCloudProviderAccessRole',
  'listAccessLogsByCluster',
]

/**
 * Layout variants that can occur together. In each group, every variant changes the responses of the previous variants
 * without undoing their changes.
 */
const groups = [
  [
    'resources that use a role in a string',
    'definitions filled in',
    'lines of logs with dates in them',
    'documents in texts laid out otherwise',
    'other order where none is promised',
    'other texts of errors',
    'more members',
    'other order of members',
    'timestamps spelt otherwise',
    'indented as others do',
    'characters escaped',
    'charset parameter',
    'two challenges',
    'slow answers',
    'chunked answers',
  ],
  [
    'links at a public address',
    'put off with Retry-After',
    'a challenge with SHA-256 before that with MD5',
    'other order in Allow',
    'more headers',
    'media types in capitals',
    'header names in lower case',
    'compressed answers',
  ],
  ['nothing', 'challenge spelt otherwise', 'dot segments taken away'],
]

const layouts = variants.filter(({ warned }) => warned === undefined)

test('every layout variant is in a group', () => {
  expect(groups.flat().sort()).toEqual(layouts.map(({ name }) => name).sort())
})

/** Combines variants. The last one changes the responses last. */
const combined = (names: readonly string[]): Variant => {
  const parts = names.flatMap((name) => layouts.filter((one) => one.name === name))
  const make = () =>
    parts
      .map((part) => part.make())
      .reduce((inner, outer) => (request, forward) => outer(request, (next) => inner(next, forward)))
  const sending: Sending = Object.assign({}, ...parts.map((part) => part.sending))
  return { name: names.join(', '), make, sending }
}

test.each(groups.map((names) => combined(names)).map((variant) => [variant.name, variant] as const))(
  'reports nothing against %s',
  { timeout: 300_000 },
  async (_, variant) => {
    expect(
      await falseAlarmsOf(variant, server, { seed: 7, selection: { operations: written, brief: true } }),
    ).toEqual([])
  },
)
