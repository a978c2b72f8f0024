import type { Strength } from '../document/strength.ts'
import { describeLeftover } from '../model/leftover.ts'
import type { Verdict } from '../model/verdict.ts'
import { statusesSeen } from './coverage.ts'
import {
  curlNote,
  type Finding,
  failsForUntestable,
  findingsOf,
  type Report,
  type Reported,
  splitUnanswered,
  unexcused,
} from './report.ts'
import { escapeControls, formatCount, formatNumber, wrap } from './text.ts'

export interface TerminalOptions {
  /** Available columns. */
  readonly width?: number
  readonly color?: boolean
}

const colors: Record<Verdict, number> = {
  PASS: 32,
  LENIENT: 36,
  WARN: 33,
  FAIL: 31,
  UNTESTABLE: 35,
  'NOT APPLICABLE': 90,
  'KIT ERROR': 41,
}

const shown: readonly Verdict[] = [
  'PASS',
  'LENIENT',
  'WARN',
  'FAIL',
  'UNTESTABLE',
  'NOT APPLICABLE',
  'KIT ERROR',
]

/** More cells than this are counted, not listed. */
const maxPlaces = 6

const checkName = ({ operation, version, variant }: Reported): string =>
  `${operation} ${version}${variant === '' ? '' : ` (${variant})`}`

const indented = (label: string, text: string, width: number): string[] =>
  wrap(text, width - 6 - label.length).map(
    (line, index) => `      ${index === 0 ? label : ' '.repeat(label.length)}${line}`,
  )

const lastFrame = (reason: string): string => reason.split('\n').slice(0, 3).join(' ')

/** Part of a stated requirement may rest on a decision. A violation of that part is marked. */
const strengthIn = (whole: Strength, part: Strength): string =>
  whole === part ? whole : `${part} part of a ${whole} requirement`

const findingLines = (
  { requirement, info: facts, results, verdict }: Finding,
  width: number,
  paint: Paint,
): string[] => {
  const [first] = results
  if (first === undefined) return []
  const others = results.slice(1, maxPlaces).map(checkName)
  const more = results.length - 1 - others.length
  const also = [...others, ...(more > 0 ? [`${formatNumber(more)} more`] : [])]
  return [
    `${paint(verdict, verdict.padEnd(5))} ${requirement}`,
    ...indented(
      '',
      `${facts.text} (${strengthIn(facts.strength, first.strength)}; ${facts.source.join(', ')})`,
      width,
    ),
    ...indented('at       ', checkName(first), width),
    ...(first.expected === undefined ? [] : indented('expected ', first.expected, width)),
    ...(first.actual === undefined ? [] : indented('got      ', first.actual, width)),
    ...(first.reason === undefined ? [] : indented('because  ', lastFrame(first.reason), width)),
    // A curl command stays on one line, however long, so that it can be copied.
    ...(first.curl === undefined ? [] : [`      ${escapeControls(first.curl)}`]),
    ...(also.length === 0 ? [] : indented('also at  ', also.join(', '), width)),
    '',
  ]
}

/** More requirements than this are counted, not listed. */
const maxUnanswered = 24

/** Findings without a response, shown as the one problem that probably caused them all. */
const unansweredLines = (findings: readonly Finding[], width: number, paint: Paint): string[] => {
  const [one] = findings
  const [first] = one?.results ?? []
  if (one === undefined || first === undefined) return []
  if (findings.length === 1) return findingLines(one, width, paint)
  const checks = findings.reduce((sum, { results }) => sum + results.length, 0)
  const ids = [...new Set(findings.map(({ requirement }) => requirement))]
  const more = ids.length - maxUnanswered
  const named = [...ids.slice(0, maxUnanswered), ...(more > 0 ? [`${formatNumber(more)} more`] : [])]
  return [
    `${paint(one.verdict, one.verdict.padEnd(5))} no response to ${formatCount(checks, 'check')} of ${formatCount(ids.length, 'requirement')}`,
    ...indented('', "Fix this first: these requirements can't be tested without a response.", width),
    ...indented('at       ', checkName(first), width),
    ...indented('got      ', first.actual ?? '', width),
    ...(first.curl === undefined ? [] : [`      ${escapeControls(first.curl)}`]),
    ...indented('of       ', named.join(', '), width),
    '',
  ]
}

/** The missing prerequisites, with the number of checks that need each one. */
const untestableLines = (report: Report, width: number, paint: Paint): string[] => {
  const counts = new Map<string, number>()
  for (const { verdict, reason = '' } of report.results)
    if (verdict === 'UNTESTABLE') counts.set(reason, (counts.get(reason) ?? 0) + 1)
  if (counts.size === 0) return []
  const sorted = [...counts].sort(([, one], [, other]) => other - one)
  const lines = sorted.flatMap(([reason, count]) =>
    indented(`${formatNumber(count).padStart(6)}  `, reason, width),
  )
  return [`${paint('UNTESTABLE', 'UNTESTABLE')}, because these are missing:`, ...lines, '']
}

/** Longer lists belong in the HTML report. */
const maxUntested = 24

/** Requirements that the run couldn't test at all. */
const untestedLines = ({ untested }: Report, width: number, paint: Paint): string[] => {
  if (untested.length === 0) return []
  const ids = untested.slice(0, maxUntested).map(({ requirement }) => requirement)
  const more = untested.length - ids.length
  const rest = more > 0 ? [`and ${formatNumber(more)} more; see the --html or --json report`] : []
  return [
    `${paint('UNTESTABLE', 'NOT TESTED')}: ${formatCount(untested.length, 'requirement')}`,
    ...indented('', [...ids, ...rest].join(', '), width),
    '',
  ]
}

/** How much of the documents the run covered. */
const coverageLines = ({ coverage, results }: Report): string[] => {
  const { seen, declared } = statusesSeen(coverage, results)
  if (declared === 0) return []
  const share = Math.floor((100 * seen) / declared)
  return [
    `Seen ${formatNumber(seen)} of ${formatNumber(declared)} statuses that the tested operations declare (${share} %).`,
  ]
}

type Paint = (verdict: Verdict, text: string) => string

const painter = (color: boolean): Paint =>
  color ? (verdict, text) => `\u001b[${colors[verdict]}m${text}\u001b[0m` : (_, text) => text

/** Whether the target conforms. Says nothing if the run failed or was interrupted without a violation. */
const conformity = (report: Report): string => {
  if (unexcused(report, 'FAIL') > 0 || report.waiverProblems.length > 0) return 'The target does not conform.'
  if (report.interrupted !== undefined || unexcused(report, 'KIT ERROR') > 0) return ''
  const conforms = `The target conforms${report.summary.UNTESTABLE > 0 ? ' as far as it could be tested' : ''}`
  return failsForUntestable(report)
    ? `${conforms}, but the run fails: --require-all requires that everything can be tested.`
    : `${conforms}.`
}

/** The conclusion of a run, in up to three sentences. */
export const conclusion = (report: Report): string => {
  const { summary, untested, interrupted } = report
  const waived = report.results.filter((result) => result.waived !== undefined).length
  const parts = [
    summary['KIT ERROR'] > 0 ? 'Errors in the kit make this result incomplete.' : '',
    conformity(report),
    interrupted === undefined ? '' : `The run was ${interrupted}.`,
    waived > 0 ? `${formatNumber(waived)} waived.` : '',
    summary.UNTESTABLE > 0 ? `${formatNumber(summary.UNTESTABLE)} could not be tested.` : '',
    untested.length > 0 ? `Not tested at all: ${formatCount(untested.length, 'requirement')}.` : '',
  ]
  return parts.filter(Boolean).join(' ')
}

/** The report as text, by default 80 columns wide. */
export const terminalReport = (
  report: Report,
  { width = 80, color = false }: TerminalOptions = {},
): string => {
  const paint = painter(color)
  const findings = findingsOf(report, ['KIT ERROR', 'FAIL', 'WARN', 'LENIENT'])
  const { unanswered, others } = splitUnanswered(findings)
  const note = curlNote(report)
  const requirements = new Set(report.results.map(({ requirement }) => requirement)).size
  const counts = shown.map(
    (verdict) =>
      `  ${paint(verdict, verdict.padEnd(15))}${formatNumber(report.summary[verdict]).padStart(8)}`,
  )
  return [
    `Conformance of ${escapeControls(report.target)}`,
    ...wrap(
      `${formatCount(requirements, 'requirement')}, ${formatCount(report.results.length - report.summary['NOT APPLICABLE'], 'applicable result')}, seed ${report.seed}, ${report.seconds.toFixed(1)} s`,
      width,
    ),
    '',
    ...unanswered.flatMap((group) => unansweredLines(group, width, paint)),
    ...others.flatMap((finding) => findingLines(finding, width, paint)),
    ...(findings.length > 0 && note !== undefined ? [...wrap(note, width), ''] : []),
    ...untestableLines(report, width, paint),
    ...untestedLines(report, width, paint),
    ...report.waiverProblems.flatMap((problem) => [...indented('waiver   ', problem, width), '']),
    ...report.leftovers.flatMap((one) => [...indented('left behind  ', describeLeftover(one), width), '']),
    ...counts,
    '',
    ...coverageLines(report),
    ...wrap(conclusion(report), width),
    '',
  ].join('\n')
}
