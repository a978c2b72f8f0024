import type { Block, Page } from '../content/block.ts'
import { heading, prose, table } from '../content/block.ts'
import { firstSentence } from '../content/first-sentence.ts'
import { code, codeLink, link, slugOf } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import { hasPage } from '../model/schema-home.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'
import { operationItem } from './operation.ts'
import { originBlocks } from './origins.ts'

/** Creates the overview page of a version, with its operations by area, its schemas and its downloads. */
export function versionPage(model: SiteModel, version: VersionModel): Page {
  const { id, document } = version
  const [lead, ...rules] = String(document.info.description ?? '').split(/\n\s*\n/)
  return {
    path: addresses.version(id),
    title: `Reference ${id}`,
    description: String(document.info.summary ?? `Reference for version ${id}.`),
    section: 'reference',
    version: id,
    kicker: statusText(model, version),
    crumbs: [],
    switch: model.versions.map((each) => ({
      version: each.id,
      href: addresses.version(each.id),
      exists: true,
    })),
    blocks: [
      ...(lead ? [prose(lead, 'lead')] : []),
      { kind: 'facts', look: 'inline', items: factsOf(version) },
      ...[...version.areas].flatMap(([area, operations]): Block[] => [
        heading(2, area, slugOf(area)),
        prose((document.tags ?? []).find(({ name }) => name === area)?.description ?? ''),
        { kind: 'operations', items: operations.map((each) => operationItem(version, each)) },
      ]),
      ...ruleBlocks(rules),
      ...originBlocks(model, version),
      heading(2, 'Schemas', 'schemas'),
      prose(`Strings, numbers, maps and arrays are ${link('on one page', addresses.types(id))}.`),
      ...schemaBlocks(model, version),
    ],
  }
}

/** Lists the schemas that have their own page. For older versions, lists only the schema names. */
function schemaBlocks({ newest }: SiteModel, version: VersionModel): Block[] {
  const { id, document } = version
  const schemas = Object.entries(document.components.schemas)
    .filter(([name]) => hasPage(version, name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const linkTo = (name: string) => codeLink(name, addresses.schema(id, name))
  if (version !== newest) return [prose(schemas.map(([name]) => linkTo(name)).join(', '))]
  return [
    table(
      ['Schema', 'Description'],
      schemas.map(([name, schema]) => [
        linkTo(name),
        firstSentence(schema.description ?? schema.title ?? ''),
      ]),
    ),
  ]
}

/**
 * Shows the rules that apply to all requests. Headings become separate blocks so that they appear in the table of
 * contents.
 */
function ruleBlocks(rules: readonly string[]): Block[] {
  if (rules.length === 0) return []
  return [
    heading(2, 'Requests', 'requests'),
    ...rules.map((text) => {
      const [, title] = /^#+ (.*)$/.exec(text) ?? []
      return title ? heading(3, title, slugOf(title)) : prose(text)
    }),
  ]
}

/**
 * Describes the status of a version. Each generation has a current version, but only one version overall is the newest.
 */
export function statusText({ newest }: SiteModel, { id, fact }: VersionModel): string {
  if (id === newest.id) return 'Newest version'
  return fact.generation === newest.fact.generation ? 'Superseded' : 'Previous generation'
}

/**
 * Describes when support for a version ends. No end dates are set for whole versions yet, but some operations have one.
 */
function endOf({ operations }: VersionModel): string {
  const days = operations.flatMap(({ deprecation }) => deprecation?.sunset ?? [])
  const some = [...new Set(days)].map(
    (day) => `; ${days.filter((each) => each === day).length} operations end on ${day}`,
  )
  const guide = `${addresses.guide('versioning')}#when-a-version-ends`
  return `${link('not scheduled', guide)}${some.join('')}`
}

function factsOf(version: VersionModel): [string, string][] {
  const { id, fact, prefix, previous } = version
  return [
    ['Prefix', code(prefix)],
    ['Media type', code(fact.mediaType)],
    ...(previous
      ? [['Changes', link(`since ${previous}`, addresses.changelog(previous, id))] as [string, string]]
      : []),
    ['End date', endOf(version)],
    ['Document', link('OpenAPI', `/openapi/${id}.json`)],
  ]
}
