import type { Header } from '@svc-admin/spec'
import { type Block, heading, list, type Page, prose, table } from '../content/block.ts'
import { code, codeLink, link, plain, plainWithCode, slugOf } from '../content/inline.ts'
import { labels, sourcesText } from '../content/strength.ts'
import { addresses } from '../model/addresses.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'
import { requirementAddress } from './requirement-rows.ts'

interface Decision {
  /** The sources of this part of the API. Sources that aren't decisions are ignored. */
  readonly sources: readonly unknown[]
  /** A link to a part of the API that may depend on the decision. */
  readonly where: string
}

/**
 * Creates a page with all our decisions and their reasons. Also creates a page for each heading, which lists the parts
 * of the API that depend on the decisions under it.
 */
export function decisionPages(model: SiteModel): Page[] {
  const groups = new Map<string, string[]>()
  for (const { sources, where } of decisions(model))
    for (const source of sources) {
      const name = /^decided: ([^/]+)/.exec(String(source))?.[1]
      if (name) groups.set(name, [...new Set(groups.get(name)).add(where)])
    }
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    {
      path: '/decisions/',
      title: 'Decisions',
      description:
        'Our decisions about details that the specification source leaves open, and the reasons for them.',
      section: 'implementers',
      crumbs: [],
      blocks: [
        prose(
          'These are our decisions about details that the specification source leaves open. The conformance kit reports different behavior as a warning, or as a failure with `--strict`. Decisions marked *unspecified* are not part of the contract: other implementations may differ, so don’t rely on them.',
        ),
        ...sorted.flatMap(([name, rows]): Block[] => [
          heading(2, name, slugOf(name)),
          ...chosen(model, name),
          prose(link(`Applies in ${rows.length} places`, placesAddress(name))),
        ]),
        ...unfiled(model),
      ],
    },
    ...sorted.map(([name, rows]) => placesPage(name, rows)),
  ]
}

const placesAddress = (name: string): string => `/decisions/${slugOf(name)}/`

function placesPage(name: string, rows: readonly string[]): Page {
  return {
    path: placesAddress(name),
    title: `${name}: where it applies`,
    kicker: 'Decision',
    description: `Requirements and facts that depend on the decisions about ${name}.`,
    section: 'implementers',
    crumbs: [['Decisions', '/decisions/']],
    blocks: [prose(link(`The decisions and their reasons`, `/decisions/#${slugOf(name)}`)), list(rows)],
  }
}

/** Lists the decisions under a heading, with their reasons. All decisions about the same operation share a row. */
function chosen({ decisions: { byHeading } }: SiteModel, name: string): Block[] {
  const rows = new Map<string, Row>()
  for (const { anchor, entry } of byHeading.get(name) ?? []) {
    const row = rows.get(anchor) ?? { subject: subjectOf(entry.key), sentences: [], reasons: [] }
    row.sentences.push(`${sentence(entry.says)}${entry.strength === 'open' ? ` *(${labels.open})*` : ''}`)
    if (entry.because) row.reasons.push(sentence(entry.because))
    rows.set(anchor, row)
  }
  if (rows.size === 0) return []
  return [
    table(
      ['Subject', 'Decision', 'Reason'],
      [...rows].map(([id, { subject, sentences, reasons }]) => ({
        id,
        cells: [subject, sentences.join(' '), reasons.join(' ')],
      })),
    ),
  ]
}

interface Row {
  readonly subject: string
  readonly sentences: string[]
  readonly reasons: string[]
}

const sentence = (text: string): string => plainWithCode(text) + (/[.!?]$/.test(text) ? '' : '.')

function subjectOf(key: string): string {
  const [heading = '', ...rest] = key.replace('decided: ', '').split('/')
  if (heading === 'Operations') return code(rest[0] ?? '')
  return plain(rest.join(', ').replace(/(?<=[a-z])-(?=[a-z])/g, ' '))
}

/**
 * Lists all parts of the API that may depend on a decision. Each part is listed under the heading that its `x-source`
 * names.
 */
function decisions({ inputs, newest, versions }: SiteModel): Decision[] {
  const { errorCodes, tokenErrors, limits, roles, states } = inputs.facts
  return [
    ...inputs.requirements.map((row) => ({
      sources: row.source,
      where: codeLink(row.id, requirementAddress(row)),
    })),
    ...Object.entries(errorCodes).map(([name, fact]) => ({
      sources: [fact.source],
      where: codeLink(name, addresses.error(name)),
    })),
    ...Object.entries(tokenErrors).map(([name, fact]) => ({
      sources: [fact.source],
      where: codeLink(name, addresses.error(name)),
    })),
    ...Object.entries(limits).map(([id, fact]) => ({
      sources: [fact.source],
      where: codeLink(id, addresses.limit(id)),
    })),
    ...Object.entries(roles).map(([id, fact]) => ({
      sources: [fact.source],
      where: link(fact.name, addresses.role(id)),
    })),
    ...Object.entries(states).map(([id, fact]) => ({
      sources: [fact.source, ...fact.transitions.map(({ source }) => source)],
      where: link(fact.title, addresses.lifecycle(id)),
    })),
    ...[
      ...new Map(
        versions.flatMap((version) =>
          version.operations.map((each) => [each.id, { version, each }] as const),
        ),
      ).values(),
    ].map(({ version, each }) => ({
      sources: [each.operation['x-source']],
      where: codeLink(each.id, addresses.operation(version.id, each.id)),
    })),
    ...versions.flatMap(({ id, document }) =>
      Object.entries(document.components.schemas)
        .filter(([name]) => id === newest.id || !(name in newest.document.components.schemas))
        .flatMap(([name, schema]) => [
          {
            sources: [schema['x-source']],
            where: codeLink(name, addresses.schema(id, name)),
          },
          ...Object.entries(schema.properties ?? {}).map(([field, inner]) => ({
            sources: [inner['x-source']],
            where: codeLink(`${name}.${field}`, `${addresses.schema(id, name)}#field.${field}`),
          })),
        ]),
    ),
    ...Object.values(newest.document.components.parameters).map((each) => ({
      sources: [each['x-source']],
      where: `parameter ${code(each.name)}`,
    })),
    ...[...headersOf(newest)].map(([name, each]) => ({
      sources: [Reflect.get(each, 'x-source')],
      where: `header ${code(name)}`,
    })),
  ]
}

/** Returns all headers, keyed by name. This includes headers that are defined in only one response. */
function headersOf({ document, operations }: VersionModel): Map<string, Header> {
  const own = operations.flatMap(({ success }) =>
    success.flatMap(({ response }) => Object.entries(response.headers ?? {})),
  )
  return new Map([
    ...Object.entries(document.components.headers),
    ...own.filter(([, header]) => header.$ref === undefined),
  ])
}

/** Lists decided requirements that cite a standard, such as an RFC, instead of one of our decisions. */
function unfiled({ inputs }: SiteModel): Block[] {
  const rows = inputs.requirements.filter(
    ({ strength, source }) => strength === 'decided' && !source.some((each) => each.startsWith('decided:')),
  )
  if (rows.length === 0) return []
  return [
    heading(2, 'From other norms', 'from-other-norms'),
    table(
      ['Where', 'Decision', 'Norm'],
      rows.map((row) => [codeLink(row.id, requirementAddress(row)), row.text, sourcesText(row.source)]),
    ),
  ]
}
