import {
  type OperationId,
  type OperationRow,
  type OperationVersion,
  operations,
  type Version,
  versions,
} from '@svc-admin/types'

/** An operation in a version of the API. */
export interface RouteVersion extends OperationVersion {
  readonly id: Version
}

/** An operation's method and path in one generation of the API. */
export interface Route {
  readonly row: OperationRow
  /** The generation: `v1.0`, `v2`, or `none` for paths outside both generations. */
  readonly generation: string
  readonly prefix: string
  /** The full path, with parameter names in braces. */
  readonly path: string
  /** The versions, oldest first. There is always at least one version. */
  readonly versions: readonly [RouteVersion, ...RouteVersion[]]
}

/** All operations in the specification, keyed by operation ID. */
export const operationRows: Readonly<Record<OperationId, OperationRow>> = operations

/** Returns the routes of all generations. */
export function routesOf(rows: readonly OperationRow[] = Object.values(operationRows)): Route[] {
  return rows.flatMap((row) => (row.absolute ? [absoluteRoute(row)] : generationRoutes(row)))
}

function absoluteRoute(row: OperationRow): Route {
  const own = versionsOf(row, () => true)
  const [first] = own
  if (!first) throw new Error(`${row.id} has no version`)
  return { row, generation: 'none', prefix: '', path: row.path, versions: [first, ...own.slice(1)] }
}

function generationRoutes(row: OperationRow): Route[] {
  const prefixes = new Map(versions.map(({ generation, prefix }) => [generation, prefix]))
  return [...prefixes].flatMap(([generation, prefix]) => {
    const [first, ...rest] = versionsOf(row, (version) => version.generation === generation)
    if (!first) return []
    return [{ row, generation, prefix, path: prefix + row.path, versions: [first, ...rest] as const }]
  })
}

type VersionRow = (typeof versions)[number]

function versionsOf(row: OperationRow, wanted: (version: VersionRow) => boolean): RouteVersion[] {
  const own: Readonly<Record<string, OperationVersion>> = row.versions
  return versions.filter(wanted).flatMap(({ id }) => (own[id] ? [{ ...own[id], id }] : []))
}

const homes = new Map<OperationId, readonly string[]>()

/**
 * Returns the path prefix for a link from this route to an operation. If the operation doesn't exist in the route's
 * generation, returns the prefix for the other generation.
 */
export function prefixFrom({ prefix }: Route, id: OperationId): string {
  const own = homes.get(id) ?? generationRoutes(operationRows[id]).map((route) => route.prefix)
  homes.set(id, own)
  return own.includes(prefix) ? prefix : (own.at(-1) ?? prefix)
}

/** The cached parts of each path, which alternate between literal text and parameter names. */
const templates = new Map<string, readonly string[]>()

export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  const parts = templates.get(path) ?? path.split(/\{(\w+)\}/)
  templates.set(path, parts)
  let filled = parts[0] ?? ''
  for (let at = 1; at < parts.length; at += 2) {
    filled += encodeURIComponent(values[parts[at] ?? ''] ?? '') + (parts[at + 1] ?? '')
  }
  return filled
}
