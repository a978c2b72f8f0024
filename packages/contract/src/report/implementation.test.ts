import { expect, test } from 'vitest'
import { reportOf, result } from '../../test/reports.ts'
import { loadApi } from '../model/api.ts'
import { mainRequirementOf, outsideOf, requirementOf } from '../model/requirement.ts'
import { schemaErrors } from '../target/file.ts'
import { badge } from './badge.ts'
import { htmlReport } from './html.ts'
import { absentGroups, coverageByArea } from './implementation.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import { exitCodeOf, type Report } from './report.ts'
import { sarifReport } from './sarif.ts'
import { terminalReport } from './terminal.ts'

const versions = ['v1.0', '2023-01-01']
const operation = (name: string, area: string, notImplemented: readonly string[] = []) => ({
  operation: name,
  area,
  versions,
  notImplemented,
})

const operations = [
  operation('getAlert', 'Alerts'),
  operation('listAlerts', 'Alerts', versions),
  operation('getCustomDns', 'Custom DNS', versions),
  operation('updateCustomDns', 'Custom DNS', versions),
  operation('listSnapshots', 'Cloud Backups', ['v1.0']),
  operation('getSnapshot', 'Cloud Backups'),
]
const partial = (more: Partial<Report> = {}) =>
  reportOf([result('PASS', 'errors.validation')], { operations, ...more })

test('absent operations are grouped by area, and a whole area is one word', () => {
  expect(absentGroups({ operations })).toEqual([
    { name: 'Alerts', text: 'listAlerts' },
    { name: 'Custom DNS', text: 'all 2 operations' },
    { name: 'Cloud Backups', text: 'listSnapshots (v1.0)' },
  ])
})

test('a version without any operation is one group', () => {
  const only = [operation('getAlert', 'Alerts', ['v1.0']), operation('listAlerts', 'Alerts', ['v1.0'])]
  expect(absentGroups({ operations: only })).toEqual([{ name: 'v1.0', text: 'all 2 operations' }])
})

test('every report shows the absent operations once, before the findings', () => {
  const text = terminalReport(partial())
  expect(text).toContain('Implemented      3 of 6 operations\n')
  expect(text).toContain('\nNot implemented (4)\n  Alerts         listAlerts\n')
  for (const report of [markdownReport(partial()), htmlReport(partial())])
    expect(report).toContain('Not implemented (4)')
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test('absent operations fail the run only with --expect-all, in every format', () => {
  expect(exitCodeOf(partial())).toBe(0)
  expect(terminalReport(partial())).toContain('The implemented operations conform.')
  const asked = partial({ expectAll: true })
  expect(exitCodeOf(asked)).toBe(1)
  expect(schemaErrors('report', JSON.parse([...jsonReport(asked)].join('')))).toEqual([])
  expect(terminalReport(asked)).toContain('FAIL  Not implemented (4)')
  expect(junitReport(asked)).toContain('<failure message="not implemented: listAlerts, getCustomDns')
  expect(sarifReport(asked)).toContain('"ruleId": "contract.operations"')
  expect(badge(asked)).toContain('>4 not implemented<')
  expect(exitCodeOf(reportOf([result('PASS', 'errors.validation')], { expectAll: true }))).toBe(0)
})

test('counts implemented, conforming, broken and untestable operations by area', () => {
  const on = (name: string, verdict: 'PASS' | 'FAIL' | 'UNTESTABLE') => ({
    ...result(verdict, 'errors.validation', name),
    operation: name,
  })
  const report = reportOf(
    [on('getAlert', 'PASS'), on('listSnapshots', 'FAIL'), on('getSnapshot', 'UNTESTABLE')],
    {
      operations,
    },
  )
  const none = { implemented: 0, conforming: 0, broken: 0, untestable: 0 }
  expect(coverageByArea(report)).toEqual([
    { ...none, area: 'Alerts', operations: 2, implemented: 1, conforming: 1 },
    { ...none, area: 'Custom DNS', operations: 2 },
    { ...none, area: 'Cloud Backups', operations: 2, implemented: 2, broken: 1, untestable: 1 },
  ])
  expect(terminalReport(report)).toMatch(/^Cloud Backups +2 of 2 +- +1 +1$/m)
})

test('an operation whose main requirement could not be tested is untestable, with the reason', () => {
  const main = result('UNTESTABLE', 'getAlert.answers-with-alert')
  const untested = reportOf([result('PASS', 'errors.validation'), main])
  expect(coverageByArea(untested)).toMatchObject([{ implemented: 1, conforming: 0, untestable: 1 }])
  expect(terminalReport(untested)).toContain('main requirement needs\n  a service account: getAlert\n')
  expect(htmlReport(untested)).toContain('<dt>a service account</dt><dd>getAlert</dd>')
  for (const verdict of ['PASS', 'WARN'] as const) {
    const later = { ...main, version: '2023-01-01', verdict }
    expect(coverageByArea(reportOf([main, later]))).toMatchObject([{ conforming: 1, untestable: 0 }])
  }
  const failed = reportOf([result('FAIL', 'errors.validation'), main])
  expect(coverageByArea(failed)).toMatchObject([{ broken: 1, untestable: 0 }])
  expect(terminalReport(failed)).not.toContain('main requirement needs')
})

test("each operation's main requirement applies in all of its versions", () => {
  for (const cell of loadApi().cells) {
    const main = mainRequirementOf(cell.operation.id)
    expect(main && outsideOf(requirementOf(main), cell), cell.key).toBe(undefined)
    expect(main, cell.key).toMatch(new RegExp(`^${cell.operation.id}\\.`))
  }
})
