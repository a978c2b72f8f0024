/**
 * Runs all checks (`npm test`). Node is the only prerequisite. The last line of the output shows how many checks passed
 * and failed.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  bin,
  build,
  command,
  findProgram,
  install,
  installSystemPackage,
  root,
  step,
  stepsSideBySide,
  testCounts,
  turbo,
  workspaces,
} from './steps.mjs'

const started = performance.now()
let passed = 0
let failed = 0
/** The failed checks and tests. The end of the output lists them, because CI may show only the end. */
const failures = []
const count = ({ ok, title }) => {
  if (ok) passed += 1
  else {
    failed += 1
    failures.push(title)
  }
  return ok
}

function needChromium() {
  const find = () => findProgram('CHROMIUM_PATH', ['chromium', 'chromium-browser', 'google-chrome'])
  const outcome = find() ? { ok: true } : installSystemPackage('chromium', 'CHROMIUM_PATH')
  const path = find()
  if (path) process.env.CHROMIUM_PATH = path
  return { ...outcome, note: path }
}

const tsx = (script) => [process.execPath, [bin('tsx/dist/cli.mjs'), script]]

/** Returns the names of the checks. Each `scripts/check-*.ts` file enforces one of the repository's rules. */
function checks() {
  return readdirSync(join(root, 'scripts')).flatMap((name) => /^check-(.+)\.ts$/.exec(name)?.[1] ?? [])
}

/**
 * Runs the tests in workspaces that have changed, and adds up the results. Tests in a workspace use all processors, so
 * only one workspace is tested at a time.
 */
function runTests() {
  const files = workspaces().map((folder) => join(root, folder, testCounts))
  for (const file of files) rmSync(file, { force: true })
  const flags = [
    '--continue',
    '--concurrency=1',
    '--env-mode=loose',
    '--output-logs=new-only',
    '--log-prefix=none',
  ]
  const args = [join(root, 'scripts/turbo.mjs'), 'test', ...flags, '--no-update-notifier']
  const outcome = command(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const counts = files
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')))
  failures.push(...counts.flatMap((each) => each.failures))
  const sum = (name) => counts.reduce((total, each) => total + each[name], 0)
  // If a workspace has no results, its tests couldn't run.
  const broken = files.length - counts.length
  passed += sum('passed')
  failed += sum('failed') + broken
  if (!outcome.ok && sum('failed') + broken === 0) failed += 1
  return {
    ...outcome,
    note: `${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped${broken > 0 ? `, ${broken} workspaces without results` : ''}`,
  }
}

const ready =
  count(step('Install the dependencies', install)) &&
  count(step('Find or install Chromium', needChromium)) &&
  count(step('Build the packages', build))
if (ready) {
  // Run all of these tasks in a single turbo command, because concurrent commands would write to the same files.
  const packages = 'Lint the specification, check the ledger and all types'
  count(step(packages, () => turbo('lint', 'ledger', 'typecheck', '--continue')))
  const biome = bin('@biomejs', 'biome', 'bin', 'biome')
  const outcomes = await stepsSideBySide([
    ['Find unused code', process.execPath, [bin('knip/bin/knip.js'), '--no-progress']],
    ['Check released versions for breaking changes', ...tsx('spec/diff/gate.ts')],
    ['Check format and style', process.execPath, [biome, 'check', '.']],
    [
      'Check the spelling',
      process.execPath,
      [bin('cspell', 'bin.mjs'), 'lint', '--no-progress', '--no-summary', '--show-suggestions'],
    ],
    [
      'Check the types of the scripts',
      process.execPath,
      [join(root, 'scripts/tsc.mjs'), '-p', 'scripts/tsconfig.json'],
    ],
    ...checks().map((name) => [`Check ${name}`, ...tsx(`scripts/check-${name}.ts`)]),
  ])
  for (const outcome of outcomes) count(outcome)
  step('Run the tests', runTests)
}
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ${failure}`).join('\n')}`)
console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
