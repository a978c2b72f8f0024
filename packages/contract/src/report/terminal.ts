import type { Strength, Verdict } from '../engine/verdict.ts'
import { describeLeftover } from '../run-context/journal.ts'
import { statusesSeen } from './coverage.ts'
import {
  aboutCurl,
  type Finding,
  failsForUntestable,
  findingsOf,
  partUnanswered,
  type Report,
  type Reported,
  unexcused,
} from './report.ts'
import { formatCount, formatNumber, harmless, wrap } from './text.ts'

export interface TerminalOptions {
  /** Columns that may be used. */
  readonly width?: number
  readonly colour?: boolean
}

const colours: Record<Verdict, number> = {
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

/** More places are counted, not listed. */
const maxPlaces = 6

const placeOf = ({ operation, version, variant }: Reported): string =>
  `${operation} ${version}${variant === '' ? '' : ` (${variant})`}`

const indented = (label: string, text: string, width: number): string[] =>
  wrap(text, width - 6 - label.length).map(
    (line, index) => `      ${index === 0 ? label : ' '.repeat(label.length)}${line}`,
  )

const lastFrame = (reason: string): string => reason.split('\n').slice(0, 3).join(' ')

/** A part of a stated promise may be decided: a break of that part is told apart. */
const strengthIn = (whole: Strength, part: Strength): string =>
  whole === part ? whole : `${part} part of what is ${whole}`

const findingLines = (
  { requirement, info: facts, results, verdict }: Finding,
  width: number,
  paint: Paint,
): string[] => {
  const [first] = results
  if (first === undefined) return []
  const others = results.slice(1, maxPlaces).map(placeOf)
  const more = results.length - 1 - others.length
  const also = [...others, ...(more > 0 ? [`${formatNumber(more)} more`] : [])]
  return [
    `${paint(verdict, verdict.padEnd(5))} ${requirement}`,
    ...indented(
      '',
      `${facts.text} (${strengthIn(facts.strength, first.strength)}; ${facts.source.join(', ')})`,
      width,
    ),
    ...indented('at       ', placeOf(first), width),
    ...(first.expected === undefined ? [] : indented('expected ', first.expected, width)),
    ...(first.actual === undefined ? [] : indented('got      ', first.actual, width)),
    ...(first.reason === undefined ? [] : indented('because  ', lastFrame(first.reason), width)),
    // A line that is broken cannot be pasted: it stays whole, however long.
    ...(first.curl === undefined ? [] : [`      ${harmless(first.curl)}`]),
    ...(also.length === 0 ? [] : indented('also at  ', also.join(', '), width)),
    '',
  ]
}

/** More requirements are counted, not listed. */
const maxUnanswered = 24

/** Findings that lack an answer, told as the one fault that they are likely to have in common. */
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
    `${paint(one.verdict, one.verdict.padEnd(5))} no answer to ${formatCount(checks, 'check')} of ${formatCount(ids.length, 'requirement')}`,
    ...indented('', 'What they promise is not known before this is mended.', width),
    ...indented('at       ', placeOf(first), width),
    ...indented('got      ', first.actual ?? '', width),
    ...(first.curl === undefined ? [] : [`      ${harmless(first.curl)}`]),
    ...indented('of       ', named.join(', '), width),
    '',
  ]
}

/** What is missing, and how much hangs on it. */
const untestableLines = (report: Report, width: number, paint: Paint): string[] => {
  const counts = new Map<string, number>()
  for (const { verdict, reason = '' } of report.results)
    if (verdict === 'UNTESTABLE') counts.set(reason, (counts.get(reason) ?? 0) + 1)
  if (counts.size === 0) return []
  const sorted = [...counts].sort(([, one], [, other]) => other - one)
  const lines = sorted.flatMap(([reason, count]) =>
    indented(`${formatNumber(count).padStart(6)}  `, reason, width),
  )
  return [`${paint('UNTESTABLE', 'UNTESTABLE')} for lack of`, ...lines, '']
}

/** Longer lists are for a page. */
const maxUntested = 24

/** Requirements about which the run says nothing at all. */
const untriedLines = ({ untested }: Report, width: number, paint: Paint): string[] => {
  if (untested.length === 0) return []
  const ids = untested.slice(0, maxUntested).map(({ requirement }) => requirement)
  const more = untested.length - ids.length
  const rest = more > 0 ? [`and ${formatNumber(more)} more, which --html and --json list`] : []
  return [
    `${paint('UNTESTABLE', 'NOTHING TRIED')} of ${formatCount(untested.length, 'requirement')}`,
    ...indented('', [...ids, ...rest].join(', '), width),
    '',
  ]
}

/** What of the documents the run went through, where it is known to them. */
const coverageLines = ({ coverage, results }: Report): string[] => {
  const { seen, declared } = statusesSeen(coverage, results)
  if (declared === 0) return []
  const share = Math.floor((100 * seen) / declared)
  return [
    `${formatNumber(seen)} of ${formatNumber(declared)} statuses that the operations declare were seen (${share} %).`,
  ]
}

type Paint = (verdict: Verdict, text: string) => string

const painter = (colour: boolean): Paint =>
  colour ? (verdict, text) => `\u001b[${colours[verdict]}m${text}\u001b[0m` : (_, text) => text

/** Whether the target conforms; of one that kept what was tried, nobody knows where the run went wrong or broke off. */
const conformity = (report: Report): string => {
  if (unexcused(report, 'FAIL') > 0 || report.waiverProblems.length > 0) return 'The target does not conform.'
  if (report.interrupted !== undefined || unexcused(report, 'KIT ERROR') > 0) return ''
  const conforms = `The target conforms${report.summary.UNTESTABLE > 0 ? ' as far as it was tried' : ''}`
  return failsForUntestable(report)
    ? `${conforms}, which is not enough: with --require-all, what could not be tested makes the run red.`
    : `${conforms}.`
}

/** What the whole run says, in a sentence or three. */
export const conclusion = (report: Report): string => {
  const { summary, untested, interrupted } = report
  const waived = report.results.filter((result) => result.waived !== undefined).length
  const parts = [
    summary['KIT ERROR'] > 0 ? 'The kit itself went wrong, so this says less than it should.' : '',
    conformity(report),
    interrupted === undefined ? '' : `The run was ${interrupted}.`,
    waived > 0 ? `${formatNumber(waived)} waived.` : '',
    summary.UNTESTABLE > 0 ? `${formatNumber(summary.UNTESTABLE)} could not be tested.` : '',
    untested.length > 0 ? `Of ${formatCount(untested.length, 'requirement')} nothing was tried.` : '',
  ]
  return parts.filter(Boolean).join(' ')
}

/** The report for people, at 80 columns unless told otherwise. */
export const terminalReport = (
  report: Report,
  { width = 80, colour = false }: TerminalOptions = {},
): string => {
  const paint = painter(colour)
  const findings = findingsOf(report, ['KIT ERROR', 'FAIL', 'WARN', 'LENIENT'])
  const { unanswered, others } = partUnanswered(findings)
  const note = aboutCurl(report)
  const requirements = new Set(report.results.map(({ requirement }) => requirement)).size
  const counts = shown.map(
    (verdict) =>
      `  ${paint(verdict, verdict.padEnd(15))}${formatNumber(report.summary[verdict]).padStart(8)}`,
  )
  return [
    `Conformance of ${harmless(report.target)}`,
    ...wrap(
      `${formatCount(requirements, 'requirement')}, ${formatCount(report.results.length - report.summary['NOT APPLICABLE'], 'result')} where they apply, seed ${report.seed}, ${report.seconds.toFixed(1)} s`,
      width,
    ),
    '',
    ...unanswered.flatMap((group) => unansweredLines(group, width, paint)),
    ...others.flatMap((finding) => findingLines(finding, width, paint)),
    ...(findings.length > 0 && note !== undefined ? [...wrap(note, width), ''] : []),
    ...untestableLines(report, width, paint),
    ...untriedLines(report, width, paint),
    ...report.waiverProblems.flatMap((problem) => [...indented('waiver   ', problem, width), '']),
    ...report.leftovers.flatMap((one) => [...indented('left behind  ', describeLeftover(one), width), '']),
    ...counts,
    '',
    ...coverageLines(report),
    ...wrap(conclusion(report), width),
    '',
  ].join('\n')
}
