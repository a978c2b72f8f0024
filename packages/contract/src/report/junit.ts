import type { Report, Reported } from './report.ts'
import { escapeMarkup } from './text.ts'

const attribute = (name: string, value: string | number): string =>
  ` ${name}="${escapeMarkup(String(value))}"`

const details = ({ expected, actual, curl, reason }: Reported): string =>
  [expected && `expected ${expected}`, actual && `got ${actual}`, reason, curl].filter(Boolean).join('\n')

/** WARN and LENIENT are no failures in JUnit, which has no word for them: they are told in the output. */
const content = (result: Reported): string => {
  const text = escapeMarkup(details(result))
  const message = attribute('message', result.waived ?? result.actual ?? result.reason?.split('\n')[0] ?? '')
  if (result.waived !== undefined || result.verdict === 'UNTESTABLE' || result.verdict === 'NOT APPLICABLE')
    return `<skipped${message}/>`
  if (result.verdict === 'FAIL')
    return `<failure${message}${attribute('type', result.strength)}>${text}</failure>`
  if (result.verdict === 'KIT ERROR') return `<error${message}>${text}</error>`
  return result.verdict === 'PASS' ? '' : `<system-out>${result.verdict}: ${text}</system-out>`
}

const testCase = (result: Reported): string => {
  const name = `${result.requirement} ${result.version}${result.variant === '' ? '' : ` ${result.variant}`}`
  return `<testcase${attribute('classname', result.operation)}${attribute('name', name)} time="0">${content(result)}</testcase>`
}

/** What was not tried because the run was broken off is no success. */
const interruption = ({ interrupted }: Report): string[] =>
  interrupted === undefined
    ? []
    : [
        '<testsuite name="contract" tests="1" failures="0" errors="1" skipped="0" time="0">',
        `<testcase classname="contract" name="run" time="0"><error${attribute('message', interrupted)}/></testcase>`,
        '</testsuite>',
      ]

const count = (results: readonly Reported[], element: string): number =>
  results.filter((result) => content(result).startsWith(`<${element}`)).length

const counts = (results: readonly Reported[]): string =>
  attribute('tests', results.length) +
  attribute('failures', count(results, 'failure')) +
  attribute('errors', count(results, 'error')) +
  attribute('skipped', count(results, 'skipped'))

/** The report as JUnit XML: a suite for each operation, a case for each result. */
export const junitReport = (report: Report): string => {
  const suites = new Map<string, Reported[]>()
  for (const result of report.results)
    suites.set(result.operation, [...(suites.get(result.operation) ?? []), result])
  const lines = [...suites].map(([operation, results]) =>
    [
      `<testsuite${attribute('name', operation)}${counts(results)} time="0">`,
      ...results.map(testCase),
      '</testsuite>',
    ].join('\n'),
  )
  const head = `<testsuites${attribute('name', 'contract')}${counts(report.results)}${attribute('time', report.seconds.toFixed(3))}>`
  const all = [head, ...lines, ...interruption(report), '</testsuites>', '']
  return ['<?xml version="1.0" encoding="UTF-8"?>', ...all].join('\n')
}
