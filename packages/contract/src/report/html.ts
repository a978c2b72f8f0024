import { createHash } from 'node:crypto'
import { versions } from '@svc-admin/types'
import { type Exchange, maxShownBody } from '../http/exchange.ts'
import { prevailing, type Verdict } from '../model/verdict.ts'
import { conclusion } from './conclusion.ts'
import { explained, placeOf, titleOf } from './finding-text.ts'
import { script, style } from './html-page.ts'
import { absentGroups, absentNames, coverageByArea, untestedGroups } from './implementation.ts'
import type { Finding } from './model.ts'
import { curlNote, type Report, type Reported } from './report.ts'
import { codeMarkup, escapeMarkup, formatCount, formatNumber } from './text.ts'

const order: readonly Verdict[] = ['FAIL', 'WARN', 'LENIENT', 'KIT ERROR', 'UNTESTABLE', 'PASS']

const shownBody = ({ body = '', fullLength = body.length }: Message): string =>
  fullLength <= maxShownBody ? body : `${body.slice(0, maxShownBody)}\n… (${fullLength} characters)`

type Message = Exchange['request'] | Exchange['response']

const messageRow = (start: string, message: Message): string =>
  [start, ...message.headers.map(([name, value]) => `${name}: ${value}`), '', shownBody(message)]
    .join('\n')
    .trimEnd()

interface CellShown {
  readonly count: number
  readonly result: Reported
}

/** Returns each cell with its worst result. */
const cellsOf = ({ results }: Report): CellShown[] => {
  const cells = new Map<string, CellShown>()
  for (const result of results) {
    if (result.verdict === 'NOT APPLICABLE') continue
    const key = `${result.requirement}@${result.operation}@${result.version}`
    const before = cells.get(key)
    const worse =
      before === undefined || prevailing(result.verdict, before.result.verdict) !== before.result.verdict
    cells.set(key, { count: (before?.count ?? 0) + 1, result: worse ? result : before.result })
  }
  return [...cells.values()]
}

const dataOf = ({ count, result }: CellShown) => {
  const { exchange, id: _, exchanges: __, difference: ___, ...rest } = result
  if (exchange === undefined) return { ...rest, count }
  const { request, response } = exchange
  return {
    ...rest,
    count,
    request: messageRow(`${request.method} ${exchange.url}`, request),
    response: messageRow(`${response.status} ${response.reason}`, response),
  }
}

/**
 * Stores passed cells as indexes into a list of names, with the number of checks. Most cells pass, so the
 * indexes make the page smaller.
 */
const passedOf = (cells: readonly CellShown[]): { names: string[]; passed: number[][] } => {
  const places = new Map<string, number>()
  const place = (name: string): number => {
    const known = places.get(name) ?? places.size
    places.set(name, known)
    return known
  }
  const passed = cells.map(({ count, result: { requirement, operation, version } }) => [
    ...[requirement, operation, version].map(place),
    count,
  ])
  return { names: [...places.keys()], passed }
}

/** Compares versions by the order of their documents, from oldest to newest. */
const inOrder = (one: string, other: string): number =>
  versions.findIndex(({ id }) => id === one) - versions.findIndex(({ id }) => id === other)

/** Formats a time in a human-readable format, without seconds. */
const minuteOf = (startedAt: string): string => `${startedAt.slice(0, 16).replace('T', ' ')} UTC`

/**
 * Converts a value to JSON for a script element. The JSON must not end the element or open a comment (HTML §4.12.1.3).
 */
const embed = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

const options = (values: Iterable<string>, all: string): string =>
  [
    `<option value="">${all}</option>`,
    ...[...new Set(values)].map((value) => `<option>${escapeMarkup(value)}</option>`),
  ].join('')

const classOf = (verdict: Verdict): string => (verdict === 'KIT ERROR' ? 'KIT' : verdict)

/**
 * Returns the verdict that determines the color of the page. The page isn't green if checks were untestable or the run
 * was interrupted.
 */
const worst = ({ results, waiverProblems, interrupted }: Report): Verdict => {
  const counting = new Set(results.filter(({ waived }) => waived === undefined).map(({ verdict }) => verdict))
  if (interrupted !== undefined) counting.add('UNTESTABLE')
  return waiverProblems.length > 0 ? 'FAIL' : (order.find((verdict) => counting.has(verdict)) ?? 'PASS')
}

/**
 * Lists the requirements that couldn't be tested. The target may violate untested requirements even if all
 * results are green.
 */
const untestedSection = ({ untested, requirements }: Report): string => {
  if (untested.length === 0) return ''
  const items = untested.map(
    ({ requirement, missing: lacks }) =>
      `<li><code>${requirement}</code> ${codeMarkup(requirements[requirement]?.text ?? '')}<br><span class="quiet">Missing: ${escapeMarkup(lacks.join(', or '))}</span></li>`,
  )
  return `<details class="untried"><summary>${formatCount(untested.length, 'requirement')} not tested at all</summary><ul>${items.join('')}</ul></details>`
}

/**
 * The page's security policy. The policy allows only the page's own script, even if a bug inserts text as
 * markup (CSP 3 §2.3.1, hash-source).
 */
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** The maximum number of findings in the list. The list of requirements below shows the remaining findings. */
const maxFindings = 100

/** Returns a section for a finding. The page expands only the first finding. */
const findingSection = (finding: Finding, index: number): string => {
  const {
    requirement,
    verdict,
    info,
    results: [first],
  } = finding
  const row = (name: string, value: string | undefined): string =>
    value === undefined || value === '' ? '' : `<dt>${name}</dt><dd>${escapeMarkup(value)}</dd>`
  const message = (name: string, text: string | undefined): string =>
    text === undefined ? '' : `<dt>${name}</dt><dd><pre>${escapeMarkup(text)}</pre></dd>`
  const { request, response } = dataOf({ count: 1, result: first }) as {
    readonly request?: string
    readonly response?: string
  }
  const more = finding.results.length - 1
  return [
    `<details${index === 0 ? ' open' : ''}><summary><span class="${classOf(verdict)}">${verdict}</span> `,
    `${codeMarkup(titleOf(finding))} <b>${escapeMarkup(placeOf(first))}</b>`,
    more > 0 ? `<span class="count">and ${escapeMarkup(explained(finding))}</span>` : '',
    '</summary><dl>',
    row('requirement', `${requirement} (${info.strength}; ${info.source.join(', ')})`),
    row('case', first.variant),
    row('expected', first.expected),
    row('got', first.actual),
    row('because', first.reason),
    message('request', request),
    message('response', response),
    message('repeat', first.curl),
    '</dl></details>',
  ].join('')
}

const findingsSection = ({ findings }: Report): string =>
  findings.length === 0
    ? ''
    : `<section class="findings"><h2>${formatCount(findings.length, 'finding')}</h2>${findings.slice(0, maxFindings).map(findingSection).join('')}</section>`

/** Lists the operations that the target doesn't implement. */
const absentSection = (report: Report): string => {
  const groups = absentGroups(report)
  if (groups.length === 0) return ''
  const rows = groups.map(({ name, text }) => `<dt>${escapeMarkup(name)}</dt><dd>${escapeMarkup(text)}</dd>`)
  return `<section><h2>Not implemented (${absentNames(report).length})</h2><dl>${rows.join('')}</dl></section>`
}

/** Lists names in the target file that don't match an existing resource. */
const staleSection = ({ staleIds = [] }: Report): string => {
  if (staleIds.length === 0) return ''
  const rows = staleIds.map(
    ({ field, value, shownBy }) =>
      `<dt>${escapeMarkup(field)}</dt><dd>${escapeMarkup(`${value}: ${shownBy}`)}</dd>`,
  )
  return `<section><h2>Stale in the target file (${staleIds.length})</h2><dl>${rows.join('')}</dl></section>`
}

/** Lists the operations that are untestable because their main requirement couldn't be tested. */
const untestedOperationsSection = (report: Report): string => {
  const groups = untestedGroups(report)
  if (groups.length === 0) return ''
  const rows = groups.map(
    ({ missing, operations }) =>
      `<dt>${escapeMarkup(missing)}</dt><dd>${escapeMarkup(operations.join(', '))}</dd>`,
  )
  return `<section><h2>Untestable operations, because their main requirement needs</h2><dl>${rows.join('')}</dl></section>`
}

/** Shows how many operations in each area are implemented and conform. */
const areasSection = (report: Report): string => {
  const cells = (tag: string, all: readonly (string | number)[]): string =>
    `<tr>${all.map((cell) => `<${tag}>${escapeMarkup(String(cell))}</${tag}>`).join('')}</tr>`
  const rows = coverageByArea(report).map(
    ({ area, operations, implemented, conforming, broken, untestable }) =>
      cells('td', [area, `${implemented} of ${operations}`, conforming, broken, untestable]),
  )
  const head = cells('th', ['area', 'implemented', 'conforming', 'broken', 'untestable'])
  return `<details class="areas"><summary>Operations by area</summary><table><thead>${head}</thead><tbody>${rows.join('')}</tbody></table></details>`
}

/** Returns the report as one HTML page, with findings, filters and a row of cells for each requirement. */
export const htmlReport = (report: Report): string => {
  const counts = order.map(
    (verdict) =>
      `<button class="${report.summary[verdict] === 0 ? 'none' : classOf(verdict)}" data-verdict="${verdict}">${verdict} ${formatNumber(report.summary[verdict])}</button>`,
  )
  const cells = cellsOf(report)
  const note = curlNote(report)
  const isPassed = ({ result }: CellShown): boolean =>
    result.verdict === 'PASS' && result.exchange === undefined && result.waived === undefined
  const data = {
    requirements: report.requirements,
    cells: cells.filter((cell) => !isPassed(cell)).map(dataOf),
    ...passedOf(cells.filter(isPassed)),
  }
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<title>Conformance of ${escapeMarkup(report.target)}</title><style>${style}</style></head><body>`,
    `<header><h1>Conformance of ${escapeMarkup(report.target)}</h1>`,
    `<p class="conclusion ${classOf(worst(report))}">${escapeMarkup(conclusion(report))}</p>`,
    `<p class="quiet"><time datetime="${escapeMarkup(report.startedAt)}">${escapeMarkup(minuteOf(report.startedAt))}</time>, seed ${report.seed}, ${report.seconds.toFixed(1)} s, kit ${escapeMarkup(report.kit)}</p>`,
    note === undefined ? '' : `<p class="quiet">${escapeMarkup(note)}</p>`,
    absentSection(report),
    staleSection(report),
    findingsSection(report),
    areasSection(report),
    untestedOperationsSection(report),
    untestedSection(report),
    `<div class="counts" role="group" aria-label="Verdicts">${counts.join('')}</div>`,
    '<div class="filters"><input type="search" aria-label="Search requirements" placeholder="Search requirements">',
    `<select id="operation" aria-label="Operation">${options(
      cells.map(({ result }) => result.operation),
      'all operations',
    )}</select>`,
    `<select id="version" aria-label="Version">${options(
      cells.map(({ result }) => result.version).sort(inOrder),
      'all versions',
    )}</select></div></header>`,
    `<main></main><dialog></dialog><script id="data" type="application/json">${embed(data)}</script>`,
    `<script>${script}</script></body></html>`,
    '',
  ].join('\n')
}
