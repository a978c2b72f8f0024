import { failsRun, type OtherFailure, otherFailures, type Report, type Reported } from './report.ts'
import { escapeMarkup } from './text.ts'

const attribute = (name: string, value: string | number): string =>
  ` ${name}="${escapeMarkup(String(value))}"`

type Outcome = 'passed' | 'failure' | 'error' | 'skipped'

interface Case {
  readonly outcome: Outcome
  readonly element: string
}

const caseOf = (classname: string, name: string, outcome: Outcome, content: string): Case => ({
  outcome,
  element: `<testcase${attribute('classname', classname)}${attribute('name', name)} time="0">${content}</testcase>`,
})

const details = ({ expected, actual, curl, reason }: Reported): string =>
  [expected && `expected ${expected}`, actual && `got ${actual}`, reason, curl].filter(Boolean).join('\n')

const outcomeOf = (report: Report, result: Reported): Outcome => {
  if (failsRun(report, result)) return result.verdict === 'KIT ERROR' ? 'error' : 'failure'
  const tried = result.verdict !== 'UNTESTABLE' && result.verdict !== 'NOT APPLICABLE'
  return tried && result.waived === undefined ? 'passed' : 'skipped'
}

const messageOf = ({ waived, expected, actual, reason }: Reported): string =>
  waived ??
  ([expected && `expected ${expected}`, actual && `got ${actual}`].filter(Boolean).join(', ') ||
    (reason?.split('\n')[0] ?? ''))

/**
 * Returns the content of the XML element for a result. JUnit has no warnings, so WARN and LENIENT pass, and their text
 * is added as `system-out`.
 */
const contentOf = (result: Reported, outcome: Outcome): string => {
  const text = escapeMarkup(details(result))
  const message = attribute('message', messageOf(result))
  if (outcome === 'skipped') return `<skipped${message}/>`
  if (outcome === 'error') return `<error${message}>${text}</error>`
  if (outcome === 'failure')
    return `<failure${message}${attribute('type', result.verdict === 'FAIL' ? result.strength : result.verdict)}>${text}</failure>`
  return result.verdict === 'PASS' ? '' : `<system-out>${result.verdict}: ${text}</system-out>`
}

const caseOfResult = (report: Report, result: Reported): Case => {
  const name = `${result.requirement} ${result.version}${result.variant === '' ? '' : ` ${result.variant}`}`
  const outcome = outcomeOf(report, result)
  return caseOf(result.operation, name, outcome, contentOf(result, outcome))
}

/**
 * Returns a test case for a failure that doesn't belong to any check. An interrupted run is an error. An outdated
 * waiver is a failure.
 */
const caseBeside = ({ what, message }: OtherFailure): Case => {
  const outcome = what === 'run' ? 'error' : 'failure'
  return caseOf(
    'contract',
    what === 'waivers' ? message : what,
    outcome,
    `<${outcome}${attribute('message', message)}/>`,
  )
}

const counts = (cases: readonly Case[]): string => {
  const count = (wanted: Outcome): number => cases.filter(({ outcome }) => outcome === wanted).length
  return (
    attribute('tests', cases.length) +
    attribute('failures', count('failure')) +
    attribute('errors', count('error')) +
    attribute('skipped', count('skipped'))
  )
}

/** Groups a report's cases by suite. */
const suitesOf = (report: Report): Map<string, Case[]> => {
  const suites = new Map<string, Case[]>()
  for (const result of report.results) {
    const suite = suites.get(result.operation) ?? []
    suite.push(caseOfResult(report, result))
    suites.set(result.operation, suite)
  }
  const beside = otherFailures(report).map(caseBeside)
  // Put failures that don't belong to any check first, as in the other reports.
  return beside.length === 0 ? suites : new Map([['contract', beside], ...suites])
}

/**
 * Returns the report as JUnit XML. Each operation is a suite, and each result is a case. The counts match the number of
 * cases in the file.
 */
export const junitReport = (report: Report): string => {
  const suites = suitesOf(report)
  const lines = [...suites].flatMap(([name, cases]) => [
    `<testsuite${attribute('name', name)}${counts(cases)} time="0">`,
    ...cases.map(({ element }) => element),
    '</testsuite>',
  ])
  const head = `<testsuites${attribute('name', 'contract')}${counts([...suites.values()].flat())}${attribute('time', report.seconds.toFixed(3))}>`
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...lines, '</testsuites>', ''].join('\n')
}
