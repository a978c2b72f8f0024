import {
  type OperationId,
  type OperationRow,
  type OperationVersion,
  operations,
  type Version,
  versions,
} from '@svc-admin/types'

/** A version of an operation that one generation serves. */
export interface RouteVersion extends OperationVersion {
  readonly id: Version
}

/** One method at one path of one generation. */
export interface Route {
  readonly row: OperationRow
  /** `v1.0`, `v2`, or `none` for a path that belongs to no generation. */
  readonly generation: string
  readonly prefix: string
  /** The whole path, with `{parameters}`. */
  readonly path: string
  /** Oldest first, never empty. */
  readonly versions: readonly [RouteVersion, ...RouteVersion[]]
}

/** What the specification says of each operation, as rows of one shape. */
export const operationRows: Readonly<Record<OperationId, OperationRow>> = operations

/** Every route that the specification has, both generations. */
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

/** The prefix under which an operation is found from a route: its own generation's, unless that lacks the operation. */
export function prefixFrom({ prefix }: Route, id: OperationId): string {
  const own = homes.get(id) ?? generationRoutes(operationRows[id]).map((route) => route.prefix)
  homes.set(id, own)
  return own.includes(prefix) ? prefix : (own.at(-1) ?? prefix)
}

/** Paths taken apart: texts, and between two of them the name of a parameter. */
const templates = new Map<string, readonly string[]>()

/** Fills in a path. */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  const parts = templates.get(path) ?? path.split(/\{(\w+)\}/)
  templates.set(path, parts)
  let filled = parts[0] ?? ''
  for (let at = 1; at < parts.length; at += 2) {
    filled += encodeURIComponent(values[parts[at] ?? ''] ?? '') + (parts[at + 1] ?? '')
  }
  return filled
}
