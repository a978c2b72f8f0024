import { afterAll, beforeAll, expect, test } from 'vitest'
import { falseAlarmsOf } from '../packages/contract/mutants/false-alarms.ts'
import { type RunningServer, startServer } from '../packages/contract/mutants/server.ts'
import { variants } from '../packages/contract/mutants/variants.ts'

// `npm run benign -w packages/contract` tests all variants on all operations. This test covers fewer of them. Variants
// of our decisions run on operations for each success status, and on operations with missing or conflicting resources.
// Layout variants run on a few of the operations that they affect.

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

test.each(
  variants.filter(({ warned }) => warned === undefined).map((variant) => [variant.name, variant] as const),
)('reports nothing against %s', { timeout: 300_000 }, async (_, variant) => {
  expect(
    await falseAlarmsOf(variant, server, { seed: 7, selection: { operations: written, brief: true } }),
  ).toEqual([])
})
