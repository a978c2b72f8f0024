import { expect, test } from 'vitest'
import { reportOf, result } from '../../test/reports.ts'
import { badge } from './badge.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import type { Reported } from './report.ts'
import { sarifReport } from './sarif.ts'

/** Returns the counts on the root element of a JUnit report, and the actual numbers of elements. */
const countsOf = (xml: string) => {
  const [head = ''] = /<testsuites[^>]*>/.exec(xml) ?? []
  const declared = [...head.matchAll(/(tests|failures|errors|skipped)="(\d+)"/g)].map(([, name, n]) => [
    name,
    Number(n),
  ])
  const counted = (element: string) => xml.split(`<${element} `).length - 1
  return {
    told: Object.fromEntries(declared),
    held: {
      tests: counted('testcase'),
      failures: counted('failure'),
      errors: counted('error'),
      skipped: counted('skipped'),
    },
  }
}

const errorsIn = (sarif: string): string[] =>
  JSON.parse(sarif)
    .runs[0].results.filter(({ level }: { level: string }) => level === 'error')
    .map(({ message }: { message: { text: string } }) => message.text)

const untestable = result('UNTESTABLE', 'auth.bearer-accepted')

test.each([
  ['an interrupt', [], { interrupted: 'broken off after 6 of 74 checks' }, /^broken off after 6/],
  ['a stale waiver', [], { waiverProblems: ['the waiver of x is stale'] }, /is stale$/],
  ['what could not be tested, with --require-all', [untestable], { requireAll: true }, /a service account$/],
  [
    'an error of the kit',
    [{ ...result('KIT ERROR', 'errors.validation'), reason: 'TypeError: x' }],
    {},
    /TypeError/,
  ],
  ['a violation', [result('FAIL', 'errors.validation')], {}, /expected status 401, got status <200>$/],
])('a run that fails because of %s fails in every format', (_, more, changes, declared) => {
  const red = reportOf([result('PASS', 'auth.digest-accepted'), ...more], changes)
  const counts = countsOf(junitReport(red))
  expect(counts.told).toEqual(counts.held)
  expect(counts.held.failures + counts.held.errors).toBe(1)
  expect(errorsIn(sarifReport(red))).toEqual([expect.stringMatching(declared)])
  expect(badge(red)).not.toContain('>conforms')
  expect(markdownReport(red)).not.toMatch(/The target conforms( as far as it could be tested)?\./)
})

const waived: Reported = { ...result('FAIL', 'errors.validation'), waived: 'later' }

test('a run that passes passes in every format', () => {
  const green = reportOf([result('PASS', 'auth.digest-accepted'), untestable, waived])
  const counts = countsOf(junitReport(green))
  expect(counts.told).toEqual({ tests: 3, failures: 0, errors: 0, skipped: 2 })
  expect(counts.held).toEqual(counts.told)
  const [only] = JSON.parse(sarifReport(green)).runs[0].results
  expect(only.suppressions).toEqual([{ kind: 'external', justification: 'later' }])
  expect(badge(green)).toContain('>conforms, 1 untested<')
  expect(markdownReport(green)).toContain('The target conforms as far as it could be tested.')
})
