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
  'getSearchIndex',
  'getMigrationValidation',
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
    'role resources as strings',
    'definitions with defaults',
    'log lines with dates',
    'JSON strings with different formatting',
    'unordered lists in a different order',
    'different error texts',
    'additional fields',
    'fields in a different order',
    'timestamps in a different format',
    'different indentation',
    'escaped characters',
    'charset parameter',
    'two challenges',
    'slow responses',
    'chunked responses',
  ],
  [
    'links at a public address',
    'occasional 429 with Retry-After',
    'a SHA-256 challenge before the MD5 challenge',
    'Allow header in a different order',
    'additional headers',
    'media types in uppercase',
    'header names in lower case',
    'compressed responses',
  ],
  ['nothing', 'a challenge in a different letter case', 'removed dot segments'],
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
