import { addresses } from '../model/addresses.ts'
import { hasOwnPage, unionOf } from '../model/schema-home.ts'
import type { SiteModel } from '../model/site-model.ts'
import { markdownFile } from './markdown-file.ts'

/** The page to show for an address that has no page of its own. */
export interface Alias {
  readonly path: string
  /** The version in the original address, if the page belongs to a different version. */
  readonly version?: string
  /** The section of the page to open. The anchors of fields in this section start with the section's anchor. */
  readonly anchor?: string
}

/** Maps addresses that have no page of their own to the pages to show instead. */
export type Aliases = ReadonlyMap<string, Alias>

/**
 * Finds a page for each address that has no page of its own. If an operation or schema is the same in several versions,
 * only the newest of these versions has a page for it. If a version doesn't have an operation, the operation's newest
 * page is used.
 */
export function aliasesOf({ versions, operationIds, spans }: SiteModel): Aliases {
  const found = new Map<string, Alias>()
  const add = (path: string, version: string, target: string) => {
    if (path !== target) found.set(path, { path: target, version })
  }
  for (const version of versions) {
    for (const [id, having] of operationIds) {
      const holder = version.byId.has(id) ? spans.operation(version, id).at(-1) : having.at(-1)
      if (holder) add(addresses.operation(version.id, id), version.id, addresses.operation(holder.id, id))
    }
    for (const [name, schema] of Object.entries(version.document.components.schemas)) {
      const path = addresses.schema(version.id, name)
      const holder = spans.schema(version, name).at(-1)
      if (!hasOwnPage(schema))
        found.set(path, { path: addresses.types((holder ?? version).id), anchor: name })
      else if (holder) {
        const union = unionOf(holder.document, name)
        if (union === undefined) add(path, version.id, addresses.schema(holder.id, name))
        else
          found.set(path, {
            path: addresses.schema(holder.id, union),
            anchor: name,
            ...(holder !== version && { version: version.id }),
          })
      }
    }
  }
  return found
}

/**
 * If an address has no page of its own, returns the address of the page to show instead. The address can have a query
 * or an anchor.
 */
export function resolveAlias(aliases: Aliases, address: string, withVersion: boolean): string {
  const [, path = '', anchor = ''] = /^([^?#]*)(.*)$/.exec(address) ?? []
  const alias = aliases.get(path)
  if (!alias) return address
  const query = withVersion && alias.version !== undefined ? `?version=${alias.version}` : ''
  if (alias.anchor === undefined) return `${alias.path}${query}${anchor}`
  const [, field = ''] = /^#field(\..+)$/.exec(anchor) ?? []
  return `${alias.path}${query}#${alias.anchor}${field}`
}

/**
 * Returns redirects for all addresses that have no page of their own. The `_redirects` file has a format that many
 * static hosts support. On other hosts, the script on the 404 page redirects readers.
 */
export function redirectsText(aliases: Aliases, limits: readonly string[]): string {
  const lines = [...aliases].flatMap(([path, { path: target }]) => [
    `${path} ${resolveAlias(aliases, path, true)} 301`,
    ...(target.includes('/operations/') ? [`${markdownFile(path)} ${markdownFile(target)} 301`] : []),
  ])
  const ofLimits = limits.map((id) => `/limits/${id}/ ${addresses.limit(id)} 301`)
  return `${[...lines, ...ofLimits].join('\n')}\n`
}
