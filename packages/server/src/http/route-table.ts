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

/** `/groups/{groupId}` as the router writes it: `/groups/:groupId`. */
export const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/**
 * Methods that a written-out path lacks and one with a parameter in its place has: the router would take them for
 * the latter (`GET …/liveMigrations/validate`), but the path that is written out is the one that is meant.
 */
export function shadowedRoutes(routes: readonly Route[]): { method: OperationRow['method']; path: string }[] {
  const offered = new Set(routes.map(({ row, path }) => `${row.method} ${path}`))
  const paths = [...new Set(routes.map(({ path }) => path))]
  const below = new Map(paths.map((general) => [general, shadowedPaths(general, paths)]))
  const shadowed = routes.flatMap(({ row: { method }, path: general }) =>
    (below.get(general) ?? []).map((path) => [`${method} ${path}`, { method, path }] as const),
  )
  return [...new Map(shadowed.filter(([route]) => !offered.has(route))).values()]
}

function shadowedPaths(general: string, paths: readonly string[]): string[] {
  const pattern = pathPattern(general)
  return paths.filter((path) => path !== general && pattern.test(path))
}

/** Matches a path without its query. */
export function pathPattern(path: string): RegExp {
  const source = path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${source}$`)
}

/** Fills in a path. */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}
