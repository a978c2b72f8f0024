import { afterAll, beforeAll, expect, test } from 'vitest'
import { falseAlarmsOf } from '../packages/contract/mutants/false-alarms.ts'
import { type RunningServer, startServer } from '../packages/contract/mutants/server.ts'
import { variants } from '../packages/contract/mutants/variants.ts'

// `npm run benign -w packages/contract` runs all variants on all operations. These tests run variants with other
// decisions on operations of each success status, and variants with another notation on operations that it affects.

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
)('a server with %s gets only the expected warnings', { timeout: 300_000 }, async (_, variant) => {
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
)('reports nothing for a server with %s', { timeout: 300_000 }, async (_, variant) => {
  expect(
    await falseAlarmsOf(variant, server, { seed: 7, selection: { operations: written, brief: true } }),
  ).toEqual([])
})
