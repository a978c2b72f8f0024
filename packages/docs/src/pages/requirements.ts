import type { Requirement } from '@svc-admin/spec'
import { type Block, heading, type Page, prose, table } from '../content/block.ts'
import { code, codeLink, link } from '../content/inline.ts'
import { labels, strengthText } from '../content/strength.ts'
import { addresses, areaSlug } from '../model/addresses.ts'
import type { Ledger } from '../model/conformance-report.ts'
import { type Detection, foundText } from '../model/detection.ts'
import type { SiteModel } from '../model/site-model.ts'
import { operationLink } from './operation.ts'
import { requirementsByArea } from './requirement-rows.ts'
import { casesBlock, verdictGrid } from './verdict-grid.ts'

/**
 * Creates the pages that list all requirements by area. Each requirement is shown with its source, the operations and
 * versions that it applies to, and the reference server's test results.
 */
export function requirementPages(
  model: SiteModel,
  ledger: Ledger | undefined,
  detection: Detection | undefined,
): Page[] {
  const areas = requirementsByArea(model.inputs.requirements)
  return [
    overview(model, areas, detection),
    ...[...areas].map(([area, rows]) => areaPage(model, area, rows, { ledger, detection })),
  ]
}

const strengths = ['stated', 'decided', 'open'] as const

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function count(rows: readonly Requirement[], strength: string): string {
  return String(rows.filter((row) => row.strength === strength).length)
}

function overview(
  { inputs }: SiteModel,
  areas: ReadonlyMap<string, readonly Requirement[]>,
  detection: Detection | undefined,
): Page {
  const line = (label: string, rows: readonly Requirement[]) => [
    label,
    String(rows.length),
    ...strengths.map((strength) => count(rows, strength)),
    String(rows.filter(({ excluded }) => excluded).length),
  ]
  return {
    path: '/requirements/',
    title: 'Requirements',
    description: 'Requirements that every implementation must meet.',
    section: 'implementers',
    crumbs: [],
    blocks: [
      prose(
        'Requirements come from the specification source. If the source leaves something open, the requirement is our decision. Unspecified requirements are not part of the contract. Excluded requirements can’t be tested over HTTP, and their text explains why.',
      ),
      table(
        ['Area', 'Requirements', ...strengths.map((each) => capitalized(labels[each])), 'Excluded'],
        [
          ...[...areas].map(([area, rows]) => line(link(area, addresses.requirements(areaSlug(area))), rows)),
          line('**All**', inputs.requirements),
        ],
      ),
      ...(detection ? [prose(detectionText(detection))] : []),
    ],
  }
}

/**
 * Describes how many bugs the conformance kit finds. Each mutant in the sample is a copy of the reference server with a
 * bug.
 */
const detectionText = (detection: Detection): string =>
  `To measure how well the conformance kit finds bugs, we add one bug at a time to the reference server. On ${detection.startedAt.slice(0, 10)}, the kit found ${foundText(detection)} randomly selected bugs (seed ${detection.seed}). Each area’s page shows the numbers for its requirements.`

/** The reports to show on the pages, if there are any. */
interface Reports {
  readonly ledger: Ledger | undefined
  readonly detection: Detection | undefined
}

function areaPage(
  model: SiteModel,
  area: string,
  rows: readonly Requirement[],
  { ledger, detection }: Reports,
): Page {
  return {
    path: addresses.requirements(areaSlug(area)),
    title: `${area} requirements`,
    description: `${rows.length} requirements of the area ${area}.`,
    section: 'implementers',
    crumbs: [['Requirements', '/requirements/']],
    blocks: [
      prose(
        `Requirements for implementations in the area ${area}. ${link('The conformance kit', '/guides/contract-testing/')} tests each requirement on every operation and version that it applies to.`,
      ),
      ...rowBlocks(model, rows, detection),
      ...(ledger ? verdictBlocks(ledger, rows) : []),
    ],
  }
}

/**
 * Creates the tables of requirements. Requirements for a single operation are below a heading with the operation's name
 * so that operation pages can link to them.
 */
function rowBlocks(
  model: SiteModel,
  rows: readonly Requirement[],
  detection: Detection | undefined,
): Block[] {
  const groups = new Map<string, Requirement[]>()
  for (const row of rows) {
    const own = row.operations?.length === 1 ? (row.operations[0] ?? '') : ''
    groups.set(own, [...(groups.get(own) ?? []), row])
  }
  const general = groups.get('') ?? []
  groups.delete('')
  return [
    ...(general.length > 0 ? [rowTable(model, general, detection)] : []),
    ...[...groups].flatMap(([id, own]): Block[] => {
      const newest = model.operationIds.get(id)?.at(-1)
      const summary = newest?.byId.get(id)?.operation.summary ?? id
      return [heading(2, summary, id), rowTable(model, own, detection)]
    }),
  ]
}

function rowTable(model: SiteModel, rows: readonly Requirement[], detection: Detection | undefined): Block {
  const setOf = ({ operations = [] }: Requirement) => operations.join(' ')
  const first = new Map<string, Requirement>()
  for (const row of rows) if (!first.has(setOf(row))) first.set(setOf(row), row)
  return table(
    ['Id', 'Requirement', 'Source', ...(detection ? ['Mutants found'] : [])],
    rows.map((row) => ({
      id: row.id,
      cells: [
        codeLink(row.id, `#${row.id}`),
        requirementText(model, row, first.get(setOf(row)) ?? row),
        strengthText(row.strength, row.source),
        ...(detection ? [foundOf(detection, row)] : []),
      ],
    })),
  )
}

/**
 * Describes how many of the mutants for a requirement the conformance kit found. Empty if the sample contains no
 * mutants for the requirement.
 */
const foundOf = ({ byRequirement }: Detection, { id }: Requirement): string => {
  const counts = byRequirement.get(id)
  return counts === undefined ? '' : foundText(counts)
}

/** Shows the reference server's test results for an area, and the number of test cases. */
function verdictBlocks(ledger: Ledger, rows: readonly Requirement[]): Block[] {
  const lines = rows.map((row) => ({
    label: row.id,
    href: `#${row.id}`,
    inCode: true,
    requirements: [row],
  }))
  return [
    heading(2, 'The reference server', 'verdicts'),
    prose('Each cell shows the worst verdict and the number of cases.'),
    verdictGrid(ledger, 'Requirement', lines),
    heading(2, 'Cases', 'cases'),
    prose(
      'The number of cases per operation, in all versions, for requirements that apply to several operations.',
    ),
    casesBlock(ledger, rows),
  ]
}

/**
 * The maximum length of a repeated list of operations. If several requirements in a table have the same, longer list,
 * only the first requirement shows it.
 */
const longestRepeated = 4

/** @param first The first requirement in the table that applies to the same operations. */
function requirementText(model: SiteModel, row: Requirement, first: Requirement): string {
  const { text, operations = [], generation, since, until, excluded } = row
  const where = operations.map((id) => {
    const newest = model.operationIds.get(id)?.at(-1)
    return newest ? operationLink(newest.id, id) : code(id)
  })
  const isRepeated = first !== row && where.length > longestRepeated
  const when = [
    ...(generation ? [`generation ${generation}`] : []),
    ...(since ? [`since ${since}`] : []),
    ...(until ? [`until ${until}`] : []),
  ]
  return [
    text,
    // A single operation doesn't have to be listed, because the heading already names it.
    ...(where.length > 1
      ? [
          `Operations: ${isRepeated ? `the ${where.length} of ${codeLink(first.id, `#${first.id}`)}` : where.join(', ')}.`,
        ]
      : []),
    ...(when.length > 0 ? [`Only ${when.join(', ')}.`] : []),
    ...(excluded ? [`*Excluded from testing:* ${excluded}`] : []),
  ].join(' ')
}
