// `npm test` runs all checks on a machine that only has Node. Its last line is the number of passed and
// failed checks.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
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
  turbo,
} from './steps.mjs'

const started = performance.now()
let passed = 0
let failed = 0
const count = ({ ok }) => {
  if (ok) passed += 1
  else failed += 1
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

/** Every scripts/check-*.ts enforces one rule of the repository. */
function checks() {
  return readdirSync(join(root, 'scripts')).flatMap((name) => /^check-(.+)\.ts$/.exec(name)?.[1] ?? [])
}

function runTests() {
  const work = mkdtempSync(join(tmpdir(), 'svc-admin-test-'))
  const report = join(work, 'report.json')
  const args = [
    bin('vitest', 'vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${report}`,
  ]
  const outcome = command(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests } = JSON.parse(
      readFileSync(report, 'utf8'),
    )
    passed += numPassedTests
    failed += numFailedTests || (outcome.ok ? 0 : Math.max(1, numFailedTestSuites))
    return {
      ...outcome,
      note: `${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`,
    }
  } catch (error) {
    failed += 1
    return { ok: false, output: `The tests wrote no report: ${error.message}` }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

const ready =
  count(step('Install the dependencies', install)) &&
  count(step('Find or install Chromium', needChromium)) &&
  count(step('Build the packages', build))
if (ready) {
  // One command for all package tasks: two parallel commands would read and write the same files.
  const packages = 'Lint the specification, check the ledger and all types'
  count(step(packages, () => turbo('lint', 'ledger', 'typecheck', '--continue')))
  const biome = bin('@biomejs', 'biome', 'bin', 'biome')
  const outcomes = await stepsSideBySide([
    ['Find unused code', process.execPath, [bin('knip/bin/knip.js'), '--no-progress']],
    ['Check the contract of released versions', ...tsx('spec/diff/gate.ts')],
    ['Check format and style', process.execPath, [biome, 'check', '.']],
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
console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
