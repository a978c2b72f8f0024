import { type Block, heading, type Page, prose, table } from '../content/block.ts'
import { code, codeLink, link } from '../content/inline.ts'
import { addresses } from '../model/addresses.ts'
import type { OperationModel } from '../model/operation-model.ts'
import type { SiteModel, VersionModel } from '../model/site-model.ts'
import { successorLink } from './deprecation.ts'
import { statusText } from './version.ts'

/** Creates the page that lists deprecated operations and versions, with their end dates. */
export function deprecationsPage(model: SiteModel): Page {
  const found = deprecated(model)
  const [ending, others] = [true, false].map((ends) =>
    found.filter(({ operation }) => (operation.deprecation?.sunset !== undefined) === ends),
  )
  return {
    path: addresses.deprecations,
    title: 'Deprecated operations and versions',
    description: 'End dates and replacements of deprecated operations and versions.',
    section: 'changelog',
    crumbs: [['Changelog', '/changelog/']],
    blocks: [
      prose(
        `Responses of deprecated operations include the \`Deprecation\` header. If the end date is known, they also include the \`Sunset\` header. After the end date, requests may return ${codeLink('VERSION_GONE', addresses.error('VERSION_GONE'))}. See ${link('deprecation and sunset', `${addresses.guide('versioning')}#deprecation-and-sunset`)}.`,
      ),
      ...operationTable(model, 'Operations with an end date', 'ending', ending ?? []),
      ...operationTable(model, 'Deprecated without an end date', 'deprecated', others ?? []),
      heading(2, 'Versions', 'versions'),
      table(
        ['Version', 'Status', 'End date', 'Use instead'],
        model.versions
          .toReversed()
          .map((version) => [
            link(version.id, addresses.version(version.id)),
            statusText(model, version),
            'not scheduled',
            version === model.newest ? '' : link(model.newest.id, addresses.version(model.newest.id)),
          ]),
      ),
    ],
  }
}

interface Deprecated {
  readonly id: string
  readonly operation: OperationModel
  readonly versions: readonly VersionModel[]
}

/**
 * Returns all deprecations. If a deprecation applies to several versions, it appears once with a list of those
 * versions.
 */
function deprecated({ versions }: SiteModel): Deprecated[] {
  const found = new Map<string, { id: string; operation: OperationModel; versions: VersionModel[] }>()
  for (const version of versions)
    for (const operation of version.operations) {
      if (!operation.deprecation) continue
      const key = `${operation.id} ${JSON.stringify(operation.deprecation)}`
      const known = found.get(key) ?? { id: operation.id, operation, versions: [] }
      known.versions.push(version)
      found.set(key, known)
    }
  return [...found.values()]
}

function operationTable(
  model: SiteModel,
  title: string,
  anchor: string,
  found: readonly Deprecated[],
): Block[] {
  if (found.length === 0) return []
  const ends = found.some(({ operation }) => operation.deprecation?.sunset)
  return [
    heading(2, title, anchor),
    table(
      ['Operation', 'Versions', 'Deprecated', ...(ends ? ['Ends'] : []), 'Use instead'],
      found.map(({ id, operation, versions }) => {
        const last = versions.at(-1) ?? model.newest
        const { date = '', sunset = '', successor = '' } = operation.deprecation ?? {}
        return [
          codeLink(id, addresses.operation(last.id, id)),
          versions.length === model.versions.length ? 'all' : versions.map((each) => each.id).join(', '),
          date,
          ...(ends ? [sunset] : []),
          successor ? (successorLink(model, last, operation, successor) ?? code(successor)) : '',
        ]
      }),
    ),
  ]
}
