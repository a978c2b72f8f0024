import type { Strength } from '../document/strength.ts'
import { describeLeftover } from '../model/leftover.ts'
import type { Verdict } from '../model/verdict.ts'
import { conclusion } from './conclusion.ts'
import { statusesSeen } from './coverage.ts'
import { explained, placeOf, titleOf } from './finding-text.ts'
import { absentGroups, absentNames, coverageByArea, totalCoverage, untestedGroups } from './implementation.ts'
import type { Finding } from './model.ts'
import { curlNote, exitCodeOf, failsForAbsent, type Report } from './report.ts'
import { alike, escapeControls, formatCount, formatNumber, withoutTicks, wrap } from './text.ts'

export interface TerminalOptions {
  /** The number of columns. */
  readonly width?: number
  readonly color?: boolean
  /** The paths of files with the full report. */
  readonly files?: readonly string[]
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

type Paint = (verdict: Verdict, text: string) => string

const painter = (color: boolean): Paint =>
  color ? (verdict, text) => `\u001b[${colors[verdict]}m${text}\u001b[0m` : (_, text) => text

/** Wraps text and puts a label before the first line. */
const labelled = (label: string, text: string, width: number): string[] =>
  wrap(text, width - label.length).map((line, index) =>
    index === 0 ? `${label}${line}` : `${' '.repeat(label.length)}${line}`,
  )

/** Returns the first lines: the target's address, the time, and the settings of the run. */
const headLines = (report: Report, width: number): string[] => {
  const { 'NOT APPLICABLE': _, ...applicable } = report.summary
  const checks = Object.values(applicable).reduce((sum, count) => sum + count, 0)
  const facts = [
    `${report.startedAt.slice(0, 16).replace('T', ' ')} UTC`,
    `kit ${report.kit}`,
    `seed ${report.seed}`,
    `${Math.round(report.seconds)} s`,
    formatCount(checks, 'check'),
  ]
  return [...wrap(`Conformance of ${report.target}`, width), ...wrap(facts.join(' · '), width), '']
}

const nouns: readonly (readonly [verdict: Verdict, noun: string])[] = [
  ['FAIL', 'failure'],
  ['KIT ERROR', 'kit error'],
  ['WARN', 'warning'],
  ['LENIENT', 'recommendation'],
]

/** Counts findings by verdict. A cause is one finding, regardless of how many checks it affects. */
const findingCounts = ({ findings }: Report): string =>
  nouns
    .flatMap(([verdict, noun]) => {
      const count = findings.filter((finding) => finding.verdict === verdict).length
      return count === 0 ? [] : [formatCount(count, noun)]
    })
    .join(', ')

const overviewRow = (name: string, count: number, text: string): string =>
  `${name.padEnd(12)}${formatNumber(count).padStart(6)}${text}`.trimEnd()

/** The number of findings that fit on the first screen. */
const firstFindings = 3

/**
 * If the findings on the first screen explain all failures of most operations, shows the number of these operations.
 */
const firstFixLines = ({ findings }: Report, broken: number): string[] => {
  const failures = findings.filter(({ verdict }) => verdict === 'FAIL')
  if (failures.length <= firstFindings) return []
  const failing = (some: readonly Finding[]): Set<string> =>
    new Set(
      some.flatMap(({ results }) =>
        results.flatMap(({ verdict, operation }) => (verdict === 'FAIL' ? [operation] : [])),
      ),
    )
  const others = failing(failures.slice(firstFindings))
  const fixed = [...failing(failures.slice(0, firstFindings))].filter((name) => !others.has(name)).length
  if (2 * fixed < broken) return []
  const count = formatCount(fixed, 'operation')
  return [`${' '.repeat(21)}findings 1 to ${firstFindings} explain all failures of ${count}`]
}

/** Returns the most important numbers. */
const overviewLines = (report: Report): string[] => {
  const { operations, implemented, conforming, broken, untestable } = totalCoverage(report)
  const counts = findingCounts(report)
  const unknown = report.summary.UNTESTABLE
  return [
    overviewRow('Implemented', implemented, ` of ${formatCount(operations, 'operation')}`),
    overviewRow('Conforming', conforming, ''),
    overviewRow('Broken', broken, counts && `   ${counts}`),
    ...firstFixLines(report, broken),
    ...(untestable > 0 ? [overviewRow('Untestable', untestable, '   main requirement not tested')] : []),
    ...(unknown > 0
      ? [
          overviewRow(
            'Not tested',
            unknown,
            ` ${unknown === 1 ? 'check' : 'checks'}   see below and contract doctor`,
          ),
        ]
      : []),
    '',
  ]
}

/** Lists the operations that the target doesn't implement. All missing operations count as one problem. */
const absentLines = (report: Report, width: number, paint: Paint): string[] => {
  const groups = absentGroups(report)
  if (groups.length === 0) return []
  const column = Math.min(30, 2 + Math.max(...groups.map(({ name }) => name.length)))
  const fails = failsForAbsent(report) ? `${paint('FAIL', 'FAIL')}  ` : ''
  return [
    `${fails}Not implemented (${absentNames(report).length})`,
    ...groups.flatMap(({ name, text }) => labelled(`  ${name.padEnd(column)}`, text, width)),
    '',
  ]
}

/**
 * Lists names in the target file that don't match an existing resource. A stale name is an error in the target file,
 * not in the target.
 */
const staleLines = ({ staleIds = [] }: Report, width: number, paint: Paint): string[] =>
  staleIds.length === 0
    ? []
    : [
        `${paint('UNTESTABLE', 'Stale')} in the target file (${staleIds.length}), so checks that need these names can't run`,
        ...staleIds.flatMap(({ field, value, shownBy }) =>
          labelled(`  ${field}  `, `${value}: ${shownBy}`, width),
        ),
        '',
      ]

/**
 * Describes the strength of a violation. A violation is weaker than its requirement if the violated part is
 * our decision.
 */
const strengthIn = (whole: Strength, part: Strength): string =>
  whole === part ? whole : `${part} part of a ${whole} requirement`

const lastFrame = (reason: string): string => reason.split('\n').slice(0, 3).join(' ')

const findingLines = (finding: Finding, number: number, width: number, paint: Paint): string[] => {
  const {
    requirement,
    verdict,
    info,
    results: [first],
  } = finding
  const margin = ' '.repeat(String(number).length + 2)
  const start = `${number}  ${verdict.padEnd(4)}  `
  const place = escapeControls(placeOf(first))
  const [title = '', ...rest] = wrap(
    withoutTicks(titleOf(finding)),
    Math.max(24, width - start.length - place.length - 2),
  )
  const gap = ' '.repeat(Math.max(2, width - start.length - title.length - place.length))
  const painted = `${number}  ${paint(verdict, verdict.padEnd(4))}  `
  const row = (label: string, text: string | undefined): string[] =>
    text === undefined || text === '' ? [] : labelled(`${margin}${label.padEnd(13)}`, text, width)
  return [
    `${painted}${title}${gap}${place}`,
    ...rest.map((line) => `${' '.repeat(start.length)}${line}`),
    ...row(
      'Requirement',
      `${requirement} (${strengthIn(info.strength, first.strength)}; ${info.source.join(', ')})`,
    ),
    ...row('Case', first.variant),
    ...row('Expected', first.expected),
    ...row('Got', first.actual),
    ...row('Because', first.reason && lastFrame(first.reason)),
    ...(finding.results.length > 1 ? row('Explains', explained(finding)) : []),
    // Users copy `curl` commands, so these are never wrapped.
    ...(first.curl?.split('\n').map((line) => `${margin}${escapeControls(line)}`) ?? []),
    '',
  ]
}

/** The maximum number of findings to show. The HTML and JSON reports contain all findings. */
const maxFindings = 20

const findingsLines = (report: Report, width: number, paint: Paint): string[] => {
  const { findings } = report
  const more = findings.length - maxFindings
  const note = findings.length > 0 ? curlNote(report) : undefined
  return [
    ...findings.slice(0, maxFindings).flatMap((one, index) => findingLines(one, index + 1, width, paint)),
    ...(more > 0 ? [`${formatCount(more, 'more finding')}: see the --html or --json report.`, ''] : []),
    ...(note === undefined ? [] : [...wrap(note, width), '']),
  ]
}

/** The maximum number of reasons to show. More reasons wouldn't fit on a screen. */
const maxReasons = 12

/** Lists the missing prerequisites, each with the number of checks that need it. */
const untestableLines = (report: Report, width: number, paint: Paint): string[] => {
  const results = report.results.filter(({ verdict }) => verdict === 'UNTESTABLE')
  const groups = alike(results, ({ reason = '' }) => reason)
  if (groups.length === 0) return []
  const more = groups.length - maxReasons
  return [
    `${paint('UNTESTABLE', 'Not tested')}, because these are missing`,
    ...groups
      .slice(0, maxReasons)
      .flatMap(([{ reason = '' }, ...others]) =>
        labelled(`${formatNumber(others.length + 1).padStart(8)}  `, reason, width),
      ),
    ...(more > 0 ? [`          ${formatCount(more, 'other')}; see the --html or --json report`] : []),
    '',
  ]
}

/** Lists the operations that are untestable because their main requirement couldn't be tested. */
const untestedOperationLines = (report: Report, width: number, paint: Paint): string[] => {
  const groups = untestedGroups(report)
  if (groups.length === 0) return []
  return [
    `${paint('UNTESTABLE', 'Untestable operations')}, because their main requirement needs`,
    ...groups.flatMap(({ missing, operations }) =>
      labelled('  ', `${missing}: ${operations.join(', ')}`, width),
    ),
    '',
  ]
}

/** The maximum number of requirements to list. The HTML report contains all requirements. */
const maxUntested = 24

/** Lists the requirements that couldn't be tested for any operation. */
const untestedLines = ({ untested }: Report, width: number, paint: Paint): string[] => {
  if (untested.length === 0) return []
  const ids = untested.slice(0, maxUntested).map(({ requirement }) => requirement)
  const more = untested.length - ids.length
  const rest = more > 0 ? [`and ${formatNumber(more)} more; see the --html or --json report`] : []
  return [
    `${paint('UNTESTABLE', 'Not tested at all')}: ${formatCount(untested.length, 'requirement')}`,
    ...labelled('  ', [...ids, ...rest].join(', '), width),
    '',
  ]
}

const areaRow = (cells: readonly [name: string, ...counts: readonly string[]]): string => {
  const [name, ...counts] = cells
  return `${name.padEnd(27)}${counts.map((count) => count.padStart(13)).join('')}`.trimEnd()
}

/**
 * Lists the coverage of each area. If the report covers only one area, returns nothing, because the overview already
 * shows the area.
 */
const areaLines = (report: Report): string[] => {
  const areas = coverageByArea(report)
  if (areas.length < 2) return []
  const shown = (count: number): string => (count === 0 ? '-' : formatNumber(count))
  return [
    areaRow(['Operations by area', 'implemented', 'conforming', 'broken', 'untestable']),
    ...areas.map(({ area, operations, implemented, conforming, broken, untestable }) =>
      areaRow([area, `${implemented} of ${operations}`, shown(conforming), shown(broken), shown(untestable)]),
    ),
    '',
  ]
}

/** Shows how many of the documented statuses occurred. */
const coverageLines = ({ coverage, results }: Report, width: number): string[] => {
  const { seen, declared } = statusesSeen(coverage, results)
  if (declared === 0) return []
  const share = Math.floor((100 * seen) / declared)
  const counts = `${formatNumber(seen)} of the ${formatNumber(declared)} statuses`
  return wrap(`The target returned ${counts} declared by the tested operations (${share}%).`, width)
}

/** Returns the last lines: the paths of the full reports, and what to do next. */
const footLines = (report: Report, files: readonly string[], width: number): string[] => {
  const [finding] = report.findings
  return [
    ...(files.length > 0 ? wrap(`Full report: ${files.join(', ')}`, width, { whole: true }) : []),
    ...(finding === undefined
      ? []
      : [`To test one operation again, add --operation ${finding.results[0].operation}`]),
    ...wrap(`Exit code ${exitCodeOf(report)}. ${conclusion(report)}`, width),
    '',
  ]
}

/** Returns the report as text. The first screen shows what to fix first. */
export const terminalReport = (
  report: Report,
  { width = 80, color = false, files = [] }: TerminalOptions = {},
): string => {
  const paint = painter(color)
  return [
    ...headLines(report, width),
    ...overviewLines(report),
    ...absentLines(report, width, paint),
    ...staleLines(report, width, paint),
    ...findingsLines(report, width, paint),
    ...untestableLines(report, width, paint),
    ...untestedOperationLines(report, width, paint),
    ...untestedLines(report, width, paint),
    ...report.waiverProblems.flatMap((problem) => [...labelled('Waiver  ', problem, width), '']),
    ...report.leftovers.flatMap((one) => [...labelled('Left behind  ', describeLeftover(one), width), '']),
    ...areaLines(report),
    ...coverageLines(report, width),
    ...footLines(report, files, width),
  ].join('\n')
}
