import { expect, test } from 'vitest'
import { reportOf, result } from '../../test/reports.ts'
import { missingErrorCode, noResponse, serverError } from '../model/difference.ts'
import type { Result } from '../model/result.ts'
import { htmlReport } from './html.ts'
import { junitReport } from './junit.ts'
import type { Report } from './report.ts'
import { sarifReport } from './sarif.ts'
import { terminalReport } from './terminal.ts'

const red = (verdict: Result['verdict'], requirement: string, more: Partial<Result> = {}): Result => {
  const { operation = 'getAlert', version = 'v1.0', variant = '' } = more
  return {
    ...result('FAIL', requirement),
    ...more,
    id: `${requirement}@${operation}@${version}#${variant}`,
    verdict,
  }
}

const shown = ({ findings }: Report) =>
  findings.map(({ verdict, requirement, results }) => `${verdict} ${requirement} ${results.length}`)

test('a missing field is one finding, under the requirement that names it', () => {
  const missing = { difference: missingErrorCode }
  const warnings = [
    'auth.no-credentials-refused',
    'errors.validation',
    'identifiers.unknown-not-found',
  ].flatMap((requirement) =>
    ['v1.0', '2023-01-01'].map((version) => red('WARN', requirement, { ...missing, version })),
  )
  const elsewhere = red('WARN', 'deleteExportBucket.removes', { ...missing, operation: 'deleteExportBucket' })
  const report = reportOf([...warnings, elsewhere, red('FAIL', 'errors.body-fits-schema', missing)])
  expect(shown(report)).toEqual(['FAIL errors.body-fits-schema 8'])
  expect(terminalReport(report)).toContain(
    'Explains     7 more checks of 5 requirements on getAlert, deleteExportBucket\n',
  )
  expect(terminalReport(report)).toMatch(/^Broken {11}1 {3}1 failure$/m)
})

test('a server error explains every red check of its operation, but of no other', () => {
  const failed = { difference: serverError }
  const report = reportOf([
    red('FAIL', 'getAlert.answers-with-alert', failed),
    red('FAIL', 'errors.never-500-on-input', failed),
    red('WARN', 'errors.validation', failed),
    red('WARN', 'errors.validation', { ...failed, operation: 'listAlerts' }),
  ])
  expect(shown(report)).toEqual(['FAIL errors.never-500-on-input 2', 'WARN errors.validation 2'])
})

test('a warning that repeats a failure is not counted again', () => {
  const [fail, warn] = [
    red('FAIL', 'paging.order'),
    red('WARN', 'paging.order', { actual: 'something else' }),
  ]
  expect(shown(reportOf([warn, fail]))).toEqual(['FAIL paging.order 2'])
  expect(shown(reportOf([{ ...fail, waived: 'later' }, warn]))).toEqual(['WARN paging.order 1'])
})

test('a broken token endpoint is the first finding, and explains its other checks', () => {
  const onToken = (requirement: string) =>
    red('FAIL', requirement, { operation: 'issueToken', difference: serverError })
  const report = reportOf([
    ...['listAlerts', 'listSnapshots'].map((operation) => red('FAIL', 'paging.order', { operation })),
    onToken('issueToken.envelope'),
    onToken('issueToken.answers-with-token'),
  ])
  expect(shown(report)).toEqual(['FAIL issueToken.answers-with-token 2', 'FAIL paging.order 2'])
})

test('values such as ids and numbers do not make different findings', () => {
  const at = (operation: string, actual: string) => red('FAIL', 'paging.order', { operation, actual })
  const results = [
    at('listAlerts', 'id 64b7e1c20f3a5d6e7f809101 after "b" at 7'),
    at('listSnapshots', 'id 64b7e1c20f3a5d6e7f809102 after "c" at 9'),
  ]
  expect(shown(reportOf(results))).toEqual(['FAIL paging.order 2'])
  expect(shown(reportOf([...results, at('listExportJobs', 'nothing')]))).toHaveLength(2)
})

test('IDs of any kind do not make different findings or reasons', () => {
  const ids = ['550e8400-e29b-41d4-a716-446655440000', 'own-3f9ac2d81e', '64b7e1c20f3a5d6e7f809101']
  const at = (verdict: 'FAIL' | 'UNTESTABLE', id: string): Result =>
    red(verdict, 'paging.order', {
      variant: id,
      actual: `the alert ${id} first`,
      reason: `the alert ${id}`,
      operation: id,
    })
  expect(shown(reportOf(ids.map((id) => at('FAIL', id))))).toEqual(['FAIL paging.order 3'])
  const text = terminalReport(reportOf(ids.map((id) => at('UNTESTABLE', id))))
  expect(text).toMatch(/^ {7}3 {2}the alert 550e8400-\S+$/m)
})

test('missing responses with the same code are one finding', () => {
  const lost = (requirement: string, code: string, operation = 'getAlert') =>
    red('FAIL', requirement, {
      operation,
      expected: 'a response',
      actual: `GET /a: no response (${code})`,
      difference: noResponse(code),
    })
  const report = reportOf([
    lost('paging.order', 'TIMEOUT'),
    lost('errors.validation', 'TIMEOUT', 'listAlerts'),
    lost('auth.bearer-accepted', 'ECONNRESET'),
  ])
  expect(shown(report)).toHaveLength(2)
  expect(terminalReport(report)).toMatch(/^1 {2}FAIL {2}No response {2,}\w+ v1\.0$/m)
})

test('every format has the findings in the same order: by severity, then by what they explain', () => {
  const of = (verdict: Result['verdict'], requirement: string, operation: string, count: number) =>
    Array.from({ length: count }, (_, index) =>
      red(verdict, requirement, { operation, variant: `${index}`, actual: requirement }),
    )
  const report = reportOf([
    ...of('WARN', 'errors.validation', 'getAlert', 9),
    ...of('FAIL', 'auth.bearer-accepted', 'listAlerts', 1),
    ...of('FAIL', 'paging.order', 'listSnapshots', 3),
    result('PASS', 'auth.digest-accepted'),
  ])
  const order = ['paging.order', 'auth.bearer-accepted', 'errors.validation']
  expect(report.findings.map(({ requirement }) => requirement)).toEqual(order)
  const inOrder = (text: string, names: readonly string[]): boolean => {
    const places = names.map((name) => text.indexOf(name))
    return places.every((place, index) => place >= 0 && place >= (places[index - 1] ?? 0))
  }
  const page = htmlReport(report)
  for (const text of [terminalReport(report), page.slice(page.indexOf('<section')), junitReport(report)])
    expect(inOrder(text, order)).toBe(true)
  const { results } = JSON.parse(sarifReport(report)).runs[0]
  expect(results.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(order)
  expect(results[0].message.text).toMatch(/ \(explains 2 more checks\)$/)
})

test("a finding's title is its headline, if it has one", () => {
  const headline = '`enabled` is false in getAlert, but the request sent true'
  const text = terminalReport(reportOf([red('FAIL', 'resources.change-shows', { headline })]))
  expect(text).toContain('1  FAIL  enabled is false in getAlert, but the request sent true   getAlert v1.0')
})

test('the first screen says how many operations the first findings repair', () => {
  const failing = (requirement: string, ...operations: readonly string[]): Result[] =>
    operations.map((operation) => red('FAIL', requirement, { operation, actual: requirement }))
  const results = [
    ...failing('errors.body-fits-schema', 'getAlert', 'listAlerts', 'listSnapshots'),
    ...failing('paging.order', 'getAlert', 'listAlerts'),
    ...failing('auth.bearer-accepted', 'listAlerts'),
  ]
  const hint = 'findings 1 to 3 explain all failures of'
  expect(terminalReport(reportOf(results))).not.toContain(hint)
  const more = [...results, ...failing('auth.digest-accepted', 'listAlerts')]
  expect(terminalReport(reportOf(more))).toContain(hint)
})
