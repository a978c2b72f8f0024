import type { Verdict } from '../model/verdict.ts'
import { conclusion } from './conclusion.ts'
import { absentGroups, absentNames } from './implementation.ts'
import type { Finding } from './model.ts'
import { curlNote, type Report } from './report.ts'
import { escapeMarkup, formatCount, formatNumber } from './text.ts'

const order: readonly Verdict[] = [
  'FAIL',
  'WARN',
  'LENIENT',
  'KIT ERROR',
  'UNTESTABLE',
  'PASS',
  'NOT APPLICABLE',
]

const plain = (text: string): string =>
  escapeMarkup(text)
    .replaceAll(/[\\`*_[\]~]/g, '\\$&')
    .replaceAll(/\s+/g, ' ')

/**
 * Formats a string as a code span, which can't contain markup, links or mentions. Backticks are replaced, because they
 * would end the span.
 */
const span = (text: string): string => `\`${text.replaceAll('`', "'").replaceAll(/\s+/g, ' ')}\``

/** Escapes a string for Markdown. Code remains in code spans. */
const withCode = (text: string): string =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? span(part) : plain(part)))
    .join('')

/** Formats a string as a code block. The fence is longer than any fence in the string. */
const block = (language: string, text: string): string[] => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([{ length }]) => length))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}${language}`, text, fence]
}

/** The maximum number of findings to show, because GitHub rejects comments with more than 65,536 characters. */
const maxFindings = 40
const maxUntested = 200

const section = ({ requirement, verdict, info: facts, results }: Finding): string => {
  const [first] = results
  const places = results.map(({ operation, version, variant }) => `${operation} ${version} ${variant}`.trim())
  const lines = [
    `<details><summary>${verdict} <code>${requirement}</code>, ${formatCount(results.length, 'check')}</summary>`,
    '',
    `${withCode(facts.text)} (${facts.strength}; ${facts.source.join(', ')})`,
    '',
    `- at ${span(places.slice(0, 5).join(', '))}${places.length > 5 ? ` and ${places.length - 5} more` : ''}`,
    ...(first.headline ? [`- ${withCode(first.headline)}`] : []),
    ...(first?.expected ? [`- expected: ${span(first.expected)}`] : []),
    ...(first?.actual ? [`- got: ${span(first.actual)}`] : []),
    ...(first?.curl ? ['', ...block('sh', first.curl)] : []),
    '',
    '</details>',
  ]
  return lines.join('\n')
}

/** Lists the requirements that couldn't be tested, because the table may be green without them. */
const untestedSection = ({ untested }: Report): string[] => {
  if (untested.length === 0) return []
  const ids = untested.slice(0, maxUntested).map(({ requirement }) => `\`${requirement}\``)
  const more = untested.length - ids.length
  const list = ids.join(', ') + (more > 0 ? `, and ${formatNumber(more)} more` : '')
  const summary = `${formatCount(untested.length, 'requirement')} not tested at all`
  return ['', `<details><summary>${summary}</summary>`, '', list, '', '</details>']
}

/** Lists the operations that the target doesn't implement. */
const absentSection = (report: Report): string[] => {
  const groups = absentGroups(report)
  if (groups.length === 0) return []
  return [
    `**Not implemented (${absentNames(report).length})**`,
    '',
    ...groups.map(({ name, text }) => `- ${name}: ${text}`),
    '',
  ]
}

/** Lists names in the target file that don't match an existing resource. */
const staleSection = ({ staleIds = [] }: Report): string[] =>
  staleIds.length === 0
    ? []
    : [
        `**Stale in the target file (${staleIds.length})**`,
        '',
        ...staleIds.map(({ field, value, shownBy }) => `- ${plain(`${field} ${value}: ${shownBy}`)}`),
        '',
      ]

/** Returns the report as Markdown for a pull request. */
export const markdownReport = (report: Report): string => {
  const { findings } = report
  const rows = order.map((verdict) => `| ${verdict} | ${formatNumber(report.summary[verdict])} |`)
  const note = findings.some(({ results: [first] }) => first?.curl !== undefined)
    ? curlNote(report)
    : undefined
  const left = findings.length - maxFindings
  return [
    `## Conformance of ${plain(report.target)}`,
    '',
    '| verdict | results |',
    '| --- | ---: |',
    ...rows,
    '',
    plain(conclusion(report)),
    '',
    ...report.waiverProblems.map((problem) => `- ${plain(problem)}`),
    ...absentSection(report),
    ...staleSection(report),
    ...findings.slice(0, maxFindings).map(section),
    ...(left > 0 ? ['', `${formatCount(left, 'more finding')}.`] : []),
    ...(note === undefined ? [] : ['', note]),
    ...untestedSection(report),
    '',
  ].join('\n')
}
