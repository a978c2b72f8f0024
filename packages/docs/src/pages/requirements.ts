import type { Requirement } from '@svc-admin/spec'
import { type Block, heading, type Page, prose, table } from '../content/block.ts'
import { code, codeLink, link, slugOf } from '../content/inline.ts'
import { sourcesText, strengthText } from '../content/strength.ts'
import { addresses, type SiteModel } from '../model/site-model.ts'
import { areaSlug } from '../site/menu.ts'
import { type Ledger, verdictText } from './ledger.ts'
import { operationLink } from './operation.ts'
import { requirementAddress } from './requirement-rows.ts'

/** The ledger: every promise by area, what it rests on, where it applies, and how the reference server keeps it. */
export function requirementPages(model: SiteModel, ledger: Ledger | undefined): Page[] {
  const areas = new Map<string, Requirement[]>()
  for (const row of model.inputs.requirements) areas.set(row.area, [...(areas.get(row.area) ?? []), row])
  return [
    overview(model, areas),
    ...[...areas].map(([area, rows]) => areaPage(model, area, rows, ledger)),
    decisionsPage(model),
  ]
}

function count(rows: readonly Requirement[], strength: string): string {
  return String(rows.filter((row) => row.strength === strength).length)
}

function overview({ inputs }: SiteModel, areas: ReadonlyMap<string, readonly Requirement[]>): Page {
  const line = (label: string, rows: readonly Requirement[]) => [
    label,
    String(rows.length),
    ...['stated', 'decided', 'open'].map((strength) => count(rows, strength)),
    String(rows.filter(({ excluded }) => excluded).length),
  ]
  return {
    path: '/requirements/',
    title: 'Requirements',
    description: 'What an implementation must do, a row for each promise.',
    section: 'facts',
    crumbs: [],
    blocks: [
      prose(
        'Each row is one promise. **Stated**: the source says it. **Decided**: the source is silent and we chose. **Open**: the source is silent and it is not constrained. An excluded row says why no test from outside can decide it.',
      ),
      table(
        ['Area', 'Rows', 'Stated', 'Decided', 'Open', 'Excluded'],
        [
          ...[...areas].map(([area, rows]) => line(link(area, addresses.requirements(areaSlug(area))), rows)),
          line('**All**', inputs.requirements),
        ],
      ),
    ],
  }
}

function areaPage(
  model: SiteModel,
  area: string,
  rows: readonly Requirement[],
  ledger: Ledger | undefined,
): Page {
  return {
    path: addresses.requirements(areaSlug(area)),
    title: `Requirements: ${area}`,
    kicker: 'Requirements',
    description: `${rows.length} promises of the area ${area}.`,
    section: 'facts',
    crumbs: [['Requirements', '/requirements/']],
    blocks: [
      {
        kind: 'table',
        head: ['Requirement', 'Promise', 'Strength and source', ...(ledger ? ['Reference server'] : [])],
        rows: rows.map((row) => ({
          id: row.id,
          cells: [
            codeLink(row.id, `#${row.id}`),
            promise(model, row),
            strengthText(row.strength, row.source),
            ...(ledger ? [verdictText(ledger, row.id)] : []),
          ],
        })),
      },
    ],
  }
}

function promise(model: SiteModel, row: Requirement): string {
  const { text, operations = [], generation, since, until, excluded } = row
  const where = operations.map((id) => {
    const newest = model.operationIds.get(id)?.at(-1)
    return newest ? operationLink(newest.id, id) : code(id)
  })
  const when = [
    ...(generation ? [`generation ${generation}`] : []),
    ...(since ? [`since ${since}`] : []),
    ...(until ? [`until ${until}`] : []),
  ]
  return [
    text,
    ...(where.length > 0 ? [`Operations: ${where.join(', ')}.`] : []),
    ...(when.length > 0 ? [`Only ${when.join(', ')}.`] : []),
    ...(excluded ? [`*Excluded from testing:* ${excluded}`] : []),
  ].join(' ')
}

/** What we chose where the source is silent, by the heading that the choice stands under. */
function decisionsPage({ inputs, versions }: SiteModel): Page {
  const groups = new Map<string, string[][]>()
  const add = (source: string, row: string[]) => {
    const name = /^decided: (.*)$/.exec(source)?.[1]
    if (name) groups.set(name, [...(groups.get(name) ?? []), row])
  }
  for (const row of inputs.requirements)
    if (row.strength === 'decided')
      for (const source of row.source) add(source, [codeLink(row.id, requirementAddress(row)), row.text])
  for (const [name, fact] of Object.entries(inputs.facts.errorCodes))
    add(fact.source, [codeLink(name, addresses.error(name)), `Error ${fact.status}: ${fact.when}`])
  for (const [id, fact] of Object.entries(inputs.facts.states))
    for (const { from, to, when, source } of fact.transitions)
      add(source, [link(fact.title, addresses.lifecycle(id)), `${code(from)} to ${code(to)}: ${when}`])
  for (const { document, id } of versions.slice(-1))
    for (const [name, schema] of Object.entries(document.components.schemas))
      add(String(schema['x-source'] ?? ''), [
        codeLink(name, addresses.schema(id, name)),
        schema.description ?? '',
      ])
  return {
    path: '/decisions/',
    title: 'Decisions',
    description: 'What the source leaves open, and what was chosen.',
    section: 'facts',
    crumbs: [],
    blocks: [
      prose(
        'An implementation that differs from a decision gets a warning from the conformance kit, not a failure.',
      ),
      ...[...groups]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([name, rows]): Block[] => [
          heading(2, name, slugOf(name)),
          table(['Where', 'What was chosen'], rows),
        ]),
      ...unfiled(inputs.requirements),
    ],
  }
}

/** Decided rows that rest on a norm, and not on a heading of the decisions. */
function unfiled(requirements: readonly Requirement[]): Block[] {
  const rows = requirements.filter(
    ({ strength, source }) => strength === 'decided' && !source.some((each) => each.startsWith('decided:')),
  )
  if (rows.length === 0) return []
  return [
    heading(2, 'From other norms', 'from-other-norms'),
    table(
      ['Where', 'What was chosen', 'Norm'],
      rows.map((row) => [codeLink(row.id, requirementAddress(row)), row.text, sourcesText(row.source)]),
    ),
  ]
}
