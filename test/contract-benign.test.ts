import { afterAll, beforeAll, expect, test } from 'vitest'
import { falseAlarmsOf } from '../packages/contract/mutants/false-alarms.ts'
import { type RunningServer, startServer } from '../packages/contract/mutants/server.ts'
import { variants } from '../packages/contract/mutants/variants.ts'

// All ways are tried everywhere by `npm run benign -w packages/contract`. Here, those that decided otherwise where the
// source is silent, on operations of each success status and with things that are gone or in the way; and those that
// only write their answers otherwise, on a few that have what is written otherwise.

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
)('a server with %s is warned of that, and of nothing else', { timeout: 300_000 }, async (_, variant) => {
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
)('nothing is said against %s', { timeout: 300_000 }, async (_, variant) => {
  expect(
    await falseAlarmsOf(variant, server, { seed: 7, selection: { operations: written, brief: true } }),
  ).toEqual([])
})
