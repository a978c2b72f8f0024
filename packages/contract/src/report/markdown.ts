import type { Verdict } from '../engine/verdict.ts'
import { type Finding, findingsOf, type Report } from './report.ts'
import { thousands } from './text.ts'

const order: readonly Verdict[] = [
  'FAIL',
  'WARN',
  'LENIENT',
  'KIT ERROR',
  'UNTESTABLE',
  'PASS',
  'NOT APPLICABLE',
]

/** Pipes end a cell of a table, and backticks a code span. */
const inline = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('`', "'").replaceAll(/\s+/g, ' ')

/** GitHub refuses comments above 65,536 characters; what does not fit is counted. */
const mostFindings = 40

const section = ({ requirement, verdict, told, results }: Finding): string => {
  const [first] = results
  const places = results.map(({ operation, version, variant }) => `${operation} ${version} ${variant}`.trim())
  const lines = [
    `<details><summary>${verdict} <code>${requirement}</code>, ${results.length} ${results.length === 1 ? 'place' : 'places'}</summary>`,
    '',
    `${inline(told.text)} (${told.strength}; ${told.source.join(', ')})`,
    '',
    `- at \`${inline(places.slice(0, 5).join(', '))}\`${places.length > 5 ? ` and ${places.length - 5} more` : ''}`,
    ...(first?.expected ? [`- expected: ${inline(first.expected)}`] : []),
    ...(first?.actual ? [`- got: ${inline(first.actual)}`] : []),
    ...(first?.curl ? ['', '```sh', first.curl, '```'] : []),
    '',
    '</details>',
  ]
  return lines.join('\n')
}

/** The report as Markdown, for a pull request. */
export const markdownReport = (report: Report): string => {
  const findings = findingsOf(report, ['KIT ERROR', 'FAIL', 'WARN', 'LENIENT'])
  const rows = order.map((verdict) => `| ${verdict} | ${thousands(report.summary[verdict])} |`)
  const left = findings.length - mostFindings
  return [
    `## Conformance of ${report.target}`,
    '',
    '| verdict | results |',
    '| --- | ---: |',
    ...rows,
    '',
    ...report.waiverProblems.map((problem) => `- ${inline(problem)}`),
    ...findings.slice(0, mostFindings).map(section),
    ...(left > 0 ? ['', `And ${left} more requirements.`] : []),
    '',
  ].join('\n')
}
