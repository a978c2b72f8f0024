import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations, type Version } from '@svc-admin/types'
import { beforeAll, describe, expect, test } from 'vitest'
import { runCommandLine } from '../packages/contract/src/command/command.ts'
import { reportFromJson } from '../packages/contract/src/report/json.ts'
import type { Report, Reported } from '../packages/contract/src/report/report.ts'
import { startPrismTarget } from './prism-target.ts'

// Prism knows nothing but our document. It returns examples, validates requests against schemas, and doesn't store
// anything. The kit must report exactly this behavior.

interface Said {
  readonly code: number
  readonly terminal: string
  readonly report: Report
}

/**
 * Runs `contract run` against Prism with a version's document, and returns the output. The first run installs Prism.
 */
async function judge(version: Version, ...selection: string[]): Promise<Said> {
  const folder = mkdtempSync(join(tmpdir(), 'contract-prism-'))
  const prism = await startPrismTarget(version)
  try {
    const [target, json] = [join(folder, 'target.json'), join(folder, 'report.json')]
    writeFileSync(target, JSON.stringify(prism.target))
    const terminal: string[] = []
    const note = (text: string) => terminal.push(text)
    const code = await runCommandLine(['run', '-q', '--target', target, '--json', json, ...selection], {
      write: note,
      warn: note,
      progress: { write: note },
      columns: 80,
      color: false,
      ask: async () => '',
    })
    return {
      code,
      terminal: terminal.join(''),
      report: reportFromJson(JSON.parse(readFileSync(json, 'utf8'))),
    }
  } finally {
    await prism.stop()
    rmSync(folder, { recursive: true })
  }
}

/**
 * The verdicts for a requirement in all places where it could be tested, and what the kit observed where the
 * requirement didn't pass.
 */
const on = (results: readonly Reported[], requirement: string) => {
  const tried = results.filter(
    (one) =>
      one.requirement === requirement && one.verdict !== 'NOT APPLICABLE' && one.verdict !== 'UNTESTABLE',
  )
  const seen = tried.find(({ verdict }) => verdict !== 'PASS')?.actual
  return [requirement, [...new Set(tried.map(({ verdict }) => verdict))].join(' '), seen]
}

const reasonsOf = (results: readonly Reported[], requirement: string) =>
  new Set(results.filter((one) => one.requirement === requirement).map(({ reason }) => reason ?? 'tried'))

/** Operations of every kind. Prism treats all operations alike, and its checks of requests take a minute for all. */
const some = Object.values(operations).filter(
  ({ id, area }) =>
    ['Access Tracking', 'Alert Configurations', 'Alerts', 'Token Issuance'].includes(area) ||
    id === 'updateCompliancePolicy',
)

let said: Said
describe('the v1.0 document, one check per requirement and operation', () => {
  beforeAll(async () => {
    const selected = some.flatMap(({ id }) => ['--operation', id])
    said = await judge('v1.0', '--seed', '7', '--version', 'v1.0', '--brief', '--inputs', '0', ...selected)
  }, 600_000)

  test('the run finishes with exit code 1 and no error of the kit', () => {
    expect(said.terminal).toContain('The target does not conform.')
    expect(said.code).toBe(1)
    expect(said.report.summary['KIT ERROR']).toBe(0)
    expect(said.report.leftovers).toEqual([])
    // The file doesn't list results for checks that don't apply, so this counts all verdicts.
    const counts: readonly number[] = Object.values(said.report.summary)
    expect(counts.reduce((total, count) => total + count, 0)).toBeGreaterThan(5000)
  })

  test.each([
    // The examples in our documents match their schemas and belong to their statuses.
    'errors.success-status',
    'errors.status-declared',
    'errors.body-valid',
    'errors.never-500-on-input',
    'errors.no-secret',
    'auth.bearer-accepted',
    'auth.unauthorized-carries-challenge',
    'envelope.default-false',
  ])('%s passes, because our examples meet it', (requirement) => {
    expect(on(said.report.results, requirement)).toEqual([requirement, 'PASS', undefined])
  })

  test.each([
    ['it only checks that there is a token', 'auth.bearer-garbage-refused', 'FAIL', 'status 200'],
    ['it knows no roles', 'roles.without-role-refused', 'FAIL', 'status 200'],
    ['its first error example is a 404', 'errors.error-is-status', 'FAIL', 'error 404'],
    ['which has the reason of 404', 'errors.reason-is-phrase', 'FAIL', '"Not Found"'],
    ['and its code', 'auth.no-credentials-refused', 'WARN', 'status 401 RESOURCE_NOT_FOUND'],
    ['and its code', 'identifiers.malformed-refused', 'WARN', 'status 400 RESOURCE_NOT_FOUND'],
    ['and its code', 'bodies.constraints-enforced', 'WARN', 'status 400 RESOURCE_NOT_FOUND'],
    ['its own errors are problems of RFC 9457', 'errors.media-type', 'FAIL', 'application/problem+json'],
    ['or have their own schema', 'errors.body-fits-schema', 'FAIL', '{"error":{"code":"invalid_json"'],
    ['none of its own paths has our errors', 'errors.unknown-path', 'WARN', 'status 404 "The route /noSuch'],
    ['it ignores other methods', 'errors.method-not-allowed-carries-allow', 'WARN', 'no such'],
    ['it has no envelopes', 'envelope.status-member', 'FAIL', 'status nothing'],
    ['it does not indent', 'pretty.indents', 'FAIL', 'a different layout'],
    ['it has one page', 'paging.past-end-empty', 'WARN', '1 items'],
    ['a description restricts two parameters', 'accessHistory.start-needs-end', 'FAIL', 'status 200'],
    ['a description covers a missing resource', 'identifiers.unknown-not-found', 'WARN', 'status 200'],
    ['nothing is stored', 'bodies.bounds-accepted', 'WARN', '"DEPLOYMENT_FAILURE"'],
    ['nothing is stored', 'createAlertConfig.stored', 'FAIL', '/enabled true'],
    ['nothing is removed', 'deleteAlertConfig.gone', 'FAIL', 'status 200'],
  ])('%s: %s is %s', (_, requirement, verdicts, seen) => {
    const [, told, actual] = on(said.report.results, requirement)
    expect([told?.split(' ')[0], actual]).toEqual([verdicts, expect.stringContaining(seen)])
  })

  test.each([
    // The kit can't use Prism's challenge, because it has no nonce. The target file therefore has no keys.
    ['auth.digest-accepted', 'an API key of '],
    // Prism has no clock, no events and no platform jobs.
    ['auth.bearer-expired-refused', 'a way to advance the clock of the target'],
    ['updateCompliancePolicy.retention-grows', 'create resources'],
    ['identifiers.foreign-not-found', "permission to change another tenant's resources"],
  ])('%s is untestable, not a failure', (requirement, lack) => {
    const reasons = [...reasonsOf(said.report.results, requirement)]
    expect(reasons).toEqual(expect.arrayContaining([expect.stringContaining(lack)]))
    const failed = on(said.report.results, requirement)[1]
    if (requirement.startsWith('auth.')) expect(failed).toBe('')
  })
})

test('Prism knows only the versions in the document, and resolves none', async () => {
  const places = ['--operation', 'getAlert', '--operation', 'getSearchIndex']
  const versions = ['--version', '2023-01-01', '--version', '2024-05-30']
  const { code, report } = await judge(
    '2025-03-12',
    '--seed',
    '7',
    ...places,
    ...versions,
    '--requirement',
    'versions.',
  )
  // How a version is selected is our decision, so a different version is only a warning.
  expect(code).toBe(0)
  expect(report.summary['KIT ERROR']).toBe(0)
  const told = (name: string) => on(report.results, `versions.${name}`).slice(1)
  expect(told('own-date-served')).toEqual(['PASS', undefined])
  expect(told('content-type-names-resolved')).toEqual(['PASS', undefined])
  expect(told('later-date-resolves-to-newest-before')).toEqual([
    'WARN',
    expect.stringContaining('status 406'),
  ])
  expect(told('must-be-chosen')).toEqual(['WARN', 'status 200'])
}, 600_000)

test('a generated field name crashes Prism, and the kit reports the input', async () => {
  const selection = [
    ...['--version', 'v1.0', '--operation', 'createAlertConfig'],
    ...['--requirement', 'bodies.constraints-enforced'],
  ]
  // Violations of our decisions are found first, but don't end the search.
  const { code, report } = await judge('v1.0', '--seed', '7', '--inputs', '100', ...selection)
  expect(code).toBe(1)
  const generated = report.results.find(({ variant }) => variant === 'generated')
  expect(generated?.verdict).toBe('FAIL')
  expect(generated?.expected).toBe('a response (generated)')
  // Prism puts the name into a header, which can't contain characters above U+00FF.
  expect(generated?.actual).toMatch(/no response \(ECONNRESET\) to \{.*[^\0-\u00ff]/s)
}, 600_000)
