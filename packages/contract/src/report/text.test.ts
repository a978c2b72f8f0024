import { expect, test } from 'vitest'
import { reportOf, result } from '../../test/reports.ts'
import { compareReports, comparisonText } from './compare.ts'
import { htmlReport } from './html.ts'
import { markdownReport } from './markdown.ts'
import { sarifReport } from './sarif.ts'
import { terminalReport } from './terminal.ts'
import { codeMarkup, columnsOf } from './text.ts'

test.each([
  [undefined, 80],
  [0, 80],
  [1, 40],
  [60, 60],
  [300, 100],
])('a terminal of %s columns gets lines of at most %i', (columns, expected) => {
  expect(columnsOf({ columns })).toBe(expected)
})

test('data from the target has no effect on a terminal or a CI server', () => {
  const hostile =
    'a\u001b[8m\u009b2J\u007f\u202ez\n::set-output name=a::b ##vso[task.complete] ##[error]c ::1 [::1] ## d'
  const fail = result('FAIL', 'auth.no-credentials-refused')
  const curl = `curl -i --data-raw '${JSON.stringify({ hostile })}' http://127.0.0.1/a`
  const hostiles = { expected: hostile, actual: hostile, reason: hostile, variant: hostile, curl }
  const left = [{ operation: 'unseed' as const, parameters: {}, reason: hostile }]
  const told = terminalReport(
    reportOf([{ ...fail, ...hostiles }], {
      interrupted: hostile,
      waiverProblems: [hostile],
      leftovers: left,
    }),
  )
  expect(told).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]|^\s*::|##\w*\[/mu)
  expect(told).toContain('Got          a\\u001b[8m\\u009b2J\\u007f\\u202ez')
  expect(told).toContain('[::1] ## d')
  const [, body = ''] = /--data-raw '(.*)' http/.exec(told) ?? []
  expect(JSON.parse(body)).toEqual({ hostile })
  const after = reportOf([{ ...fail, ...hostiles, id: `${hostile}@getAlert@v1.0#${hostile}` }])
  expect(comparisonText(compareReports(reportOf([]), after))).not.toMatch(/(?!\n)\p{Cc}|^\s*::|##\w*\[/mu)
})

test('code in the text of a requirement is marked, or plain in formats without markup', () => {
  const report = reportOf([result('FAIL', 'errors.body-fits-schema')])
  expect(report.requirements['errors.body-fits-schema']?.text).toContain('`errorCode`')
  expect(terminalReport(report)).toMatch(/object with error, errorCode/)
  expect(sarifReport(report)).not.toContain('`')
  expect(htmlReport(report)).toContain('<code>errorCode</code>')
  expect(markdownReport(report)).toContain('`errorCode`')
  expect(codeMarkup('a `<b>` and `c`')).toBe('a <code>&lt;b&gt;</code> and <code>c</code>')
})
