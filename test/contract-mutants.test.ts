import { describe, expect, test } from 'vitest'
import { candidatesOf, drawn } from '../packages/contract/mutants/candidates.ts'
import { runCell } from '../packages/contract/mutants/outcomes.ts'
import { statedPromises } from '../packages/contract/mutants/promises.ts'
import { excuseFor } from '../packages/contract/mutants/survivors.ts'
import { loadApi } from '../packages/contract/src/model/api.ts'
import { useHarness } from './mutant-harness.ts'

// `npm run mutants -w packages/contract` tests all mutants. This test covers some of them, for a few operations and
// versions.

const harness = useHarness()

const { cells } = loadApi()

test('every stated requirement has a mutant, and all mutants have distinct names', async () => {
  const all = candidatesOf(harness(), cells)
  const broken = new Set<string>(all.flatMap(({ hints }) => hints))
  expect((await statedPromises()).filter((id) => !broken.has(id))).toEqual([])
  const names = all.map(({ id }) => id)
  expect(names.length).toBeGreaterThan(40_000)
  expect(new Set(names).size).toBe(names.length)
})

/** The mutants of an operator, or only those with a text in their ID. */
type Choice = readonly [operator: string, only?: string]

describe.each<readonly [key: string, ...choices: readonly Choice[]]>([
  ['createExportBucket@2024-05-30', ['exports']],
  ['takeSnapshot@2023-01-01', ['snapshots'], ['order of checks']],
  ['cutoverMigration@v1.0', ['migrations']],
  ['getAlert@v1.0'],
  // This operation belongs to an organization and not to a project.
  ['listMigrationProjects@2023-01-01', ['order of checks'], ['stranger learns of the project']],
  ['deleteSnapshot@2023-01-01', ['order of checks']],
  ['createSearchIndex@2024-05-30', ['order of checks']],
  ['listAccessLogsByCluster@v1.0', ['order of checks']],
  ['listRestoreJobs@v1.0', ['paging', 'equal timestamps']],
  [
    'listAccessLogsByHostname@v1.0',
    ['state', 'ignored along with'],
    ['state', 'a default of'],
    ['state', 'as a beginning'],
  ],
  ['createAlertConfig@v1.0', ['effects']],
  ['deleteAlertConfig@2023-01-01', ['effects'], ['only some']],
  ['listAlertConfigs@v1.0', ['effects'], ['only some']],
  ['toggleAlertConfig@2023-01-01', ['effects']],
  ['updateCustomDns@v1.0', ['effects']],
  ['getAlertConfig@2023-01-01', ['drop listed member']],
  ['getBackupSchedule@2023-01-01', ['drop listed member']],
  ['issueToken@2023-01-01', ['token', 'limited for longer'], ['only some']],
  ['listAlertConfigsByAlert@v1.0', ['paging', 'pageNum ignored']],
  ['listShardedClusterSnapshots@2023-01-01', ['paging']],
  ['acknowledgeAlert@v1.0', ['state', 'offset']],
  ['listAlertsByAlertConfig@v1.0', ['state', 'closed alerts counted']],
  ['updateBackupSchedule@v1.0', ['optional fields', 'reset']],
  ['takeSnapshot@2023-01-01', ['only some']],
  ['cancelRestoreJob@v1.0', ['only some']],
  ['updateBackupSchedule@2024-08-05', ['only some']],
  ['updateCompliancePolicy@2023-01-01', ['only some']],
  ['listAlertConfigsByAlert@v1.0', ['only some']],
  ['listAlertsByAlertConfig@v1.0', ['only some']],
  ['updateSearchAnalyzers@v1.0', ['only some']],
  ['issueToken@2023-01-01', ['only some']],
  ['listExportJobs@2023-01-01', ['only some']],
  ['getRestoreJob@2023-01-01', ['only some']],
  ['getSearchIndex@2024-05-30', ['only some']],
  ['updateAlertConfig@v1.0', ['only some']],
  ['updateCustomDns@v1.0', ['only some']],
  ['getAlert@2023-01-01', ['only some']],
])('%s', (key, ...choices) => {
  const cell = cells.find((one) => one.key === key)

  test('every mutant is noticed by its own check, and nothing else is reported', async () => {
    if (cell === undefined) throw new Error(`there is no cell ${key}`)
    const there = drawn(candidatesOf(harness(), [cell]), 7)
    const chosen = choices.flatMap(([operator, only = '']) => {
      const own = there.filter((one) => one.operator === operator && one.id.includes(only))
      expect(own).not.toEqual([])
      return own.slice(0, 24)
    })
    const told: string[] = []
    const outcomes = await runCell(
      harness(),
      cell,
      choices.length > 0 ? chosen : there.slice(0, 12),
      (text) => told.push(text),
    )
    expect(told.filter((text) => text.startsWith('clean server'))).toEqual([])
    expect(outcomes.filter((outcome) => !outcome.killed && excuseFor(outcome) === undefined)).toEqual([])
    expect(outcomes.flatMap(({ kitErrors }) => kitErrors)).toEqual([])
    expect(outcomes.filter(({ expected }) => expected).length).toBeGreaterThan(0)
    // If operators are selected, the requirement that a mutant violates must detect it. A related requirement isn't
    // enough.
    if (choices.length > 0)
      expect(outcomes.filter((outcome) => !outcome.expected && excuseFor(outcome) === undefined)).toEqual([])
  }, 300_000)
})
