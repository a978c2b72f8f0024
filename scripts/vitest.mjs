/**
 * Runs the tests in Vitest projects, and records how many passed and which failed (`node scripts/vitest.mjs
 * <project>…`). turbo caches this record together with the task, so `npm test` also counts tests in packages that
 * haven't changed.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { bin, command, root, testCounts } from './steps.mjs'

const projects = process.argv.slice(2)
const work = mkdtempSync(join(tmpdir(), 'svc-admin-test-'))
const report = join(work, 'report.json')
const counts = join(process.cwd(), testCounts)
rmSync(counts, { force: true })
const { ok } = command(
  process.execPath,
  [
    bin('vitest', 'vitest.mjs'),
    'run',
    ...projects.flatMap((name) => ['--project', name]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
)
try {
  const { numPassedTests, numFailedTests, numFailedTestSuites, numPendingTests, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  )
  const failures = testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const file = relative(root, name)
      const tests = assertionResults.filter(({ status }) => status === 'failed')
      return tests.length > 0 ? tests.map(({ fullName }) => `${file}: ${fullName}`) : [file]
    })
  const failed = numFailedTests || (ok ? 0 : Math.max(1, numFailedTestSuites))
  mkdirSync(join(counts, '..'), { recursive: true })
  writeFileSync(
    counts,
    JSON.stringify({ passed: numPassedTests, failed, skipped: numPendingTests, failures }),
  )
} finally {
  rmSync(work, { recursive: true, force: true })
}
process.exitCode = ok ? 0 : 1
