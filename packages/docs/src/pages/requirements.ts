import type { Requirement } from '@svc-admin/spec'
import { type Page, prose, table } from '../content/block.ts'
import { code, codeLink, link } from '../content/inline.ts'
import { strengthText } from '../content/strength.ts'
import { addresses, type SiteModel } from '../model/site-model.ts'
import { areaSlug } from '../site/menu.ts'
import { type Ledger, verdictText } from './ledger.ts'
import { operationLink } from './operation.ts'

/** The ledger: every promise by area, what it rests on, where it applies, and how the reference server keeps it. */
export function requirementPages(model: SiteModel, ledger: Ledger | undefined): Page[] {
  const areas = new Map<string, Requirement[]>()
  for (const row of model.inputs.requirements) areas.set(row.area, [...(areas.get(row.area) ?? []), row])
  return [overview(model, areas), ...[...areas].map(([area, rows]) => areaPage(model, area, rows, ledger))]
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
    title: `Requirements of ${area}`,
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
