import { isNotable, verdictClass } from '../model/conformance-report.ts'
import { element } from './elements.ts'
import type { Finding, ReadReport } from './report-model.ts'

export type Addresses = ReadonlyMap<string, string>

interface LazyRow {
  readonly verdict: string
  make(): HTMLElement
}

/** Creates a row for each verdict that needs attention. All other verdicts are shown as a count per requirement. */
export function rowsOf(report: ReadReport, addresses: Addresses): LazyRow[] {
  const requirementCell = (id: string) => requirementOf(report, addresses, id)
  const badge = (verdict: string) => element('span', { class: `badge ${verdictClass(verdict)}` }, verdict)
  const notable = report.findings.filter(({ verdict }) => isNotable(verdict))
  const counted = [...report.byRequirement].flatMap(([requirement, counts]) =>
    [...counts]
      .filter(([verdict]) => !isNotable(verdict))
      .map(([verdict, count]) => ({ requirement, verdict, count })),
  )
  return [
    ...notable.map((finding) => ({
      verdict: finding.verdict,
      make: () =>
        rowWith(
          [badge(finding.verdict)],
          placeOf(finding),
          requirementCell(finding.requirement),
          seenOf(finding),
        ),
    })),
    ...counted.map(({ requirement, verdict, count }) => ({
      verdict,
      make: () =>
        rowWith(
          [badge(verdict)],
          [`${count} place${count === 1 ? '' : 's'}`],
          requirementCell(requirement),
          [],
        ),
    })),
  ]
}

type Content = readonly (Node | string)[]

function rowWith(verdict: Content, where: Content, requirement: Content, seen: Content): HTMLElement {
  return element(
    'tr',
    {},
    element('td', {}, ...verdict),
    element('td', { 'data-label': 'Where' }, ...where),
    element('td', { 'data-label': 'Requirement' }, ...requirement),
    element('td', {}, ...seen),
  )
}

const code = (text: string) => element('code', {}, text)

const placeOf = ({ operation, version, variant }: Finding): Content => [
  code(operation),
  ` ${version}`,
  ...(variant ? [element('br'), element('small', {}, variant)] : []),
]

function requirementOf({ requirementTexts }: ReadReport, addresses: Addresses, id: string): Content {
  const address = addresses.get(id)
  const name = address ? element('a', { href: address }, code(id)) : code(id)
  return [name, element('br'), requirementTexts.get(id) ?? '']
}

function seenOf({ strength, expected, actual, reason, waived, curl }: Finding): Content {
  const facts = [
    ['Expected', expected],
    ['Came', actual],
    ['Because', reason],
    ['Waived', waived],
    ['Strength', strength],
  ].filter(([, value]) => value)
  const terms = facts.flatMap(([name = '', value = '']) => [
    element('dt', {}, name),
    element('dd', {}, value),
  ])
  return [...(terms.length > 0 ? [element('dl', {}, ...terms)] : []), ...(curl ? [callOf(curl)] : [])]
}

const callOf = (curl: string): HTMLElement =>
  element(
    'details',
    {},
    element('summary', {}, 'curl command'),
    element(
      'figure',
      { class: 'code' },
      element('figcaption', {}, 'curl'),
      element('pre', { tabindex: '0' }, code(curl)),
    ),
  )

/** Lists the requirements that weren't tested. */
export function untestedList(report: ReadReport, addresses: Addresses): HTMLElement[] {
  const items = report.untested.map(({ requirement, missing }) =>
    element(
      'li',
      {},
      ...requirementOf(report, addresses, requirement),
      ...(missing ? [element('br'), element('small', {}, `Missing: ${missing}`)] : []),
    ),
  )
  return folded(`Requirements that were not tested: ${items.length}`, items)
}

/** Lists the resources that the test run created but couldn't delete. */
export const leftoverList = ({ leftovers }: ReadReport): HTMLElement[] =>
  folded(
    `Resources that the run couldn’t delete: ${leftovers.length}`,
    leftovers.map(({ operation, reason }) => element('li', {}, code(operation), ` ${reason}`)),
  )

/** Creates a table with the statuses that the server returned, by operation and version. */
export function coverageTable({ coverage }: ReadReport): HTMLElement[] {
  const pairs = [...coverage.values()].reduce((sum, { length }) => sum + length, 0)
  return folded(
    `Statuses returned for ${coverage.size} operation/version pairs: ${pairs}`,
    [...coverage].map(([place, statuses]) =>
      element('li', {}, code(place), ` ${[...statuses].sort().join(', ')}`),
    ),
  )
}

const folded = (summary: string, items: readonly HTMLElement[]): HTMLElement[] =>
  items.length === 0
    ? []
    : [
        element(
          'details',
          { class: 'report-part' },
          element('summary', {}, summary),
          element('ul', {}, ...items),
        ),
      ]
