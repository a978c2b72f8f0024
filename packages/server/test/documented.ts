import { type Demo, type Json, loadDemo, type MediaType, type Operation } from '@svc-admin/spec'
import { fillPath, type Route, type RouteVersion, routesOf } from '../src/http/route-table.ts'
import { documentOf } from '../src/specification/documents.ts'
import type { CheckedServer, RequestOptions, TestResponse } from './checked-server.ts'

/** An operation in a version. Tests are generated for every operation in every version. */
export interface Cell {
  readonly name: string
  readonly route: Route
  readonly version: RouteVersion
}

/** All operations in all of their versions. The token endpoint is excluded, because it follows different rules. */
export const cells: readonly Cell[] = routesOf().flatMap((route) =>
  route.row.security === 'api'
    ? route.versions.map((version) => ({ name: `${route.row.id} of ${version.id}`, route, version }))
    : [],
)

/** Returns the operation from the version's document. */
export function operationOf({ route: { row }, version }: Cell): Operation {
  const method = methodNames[row.method]
  const operation = documentOf(version.id).paths[row.path]?.[method]
  if (!operation) throw new Error(`${version.id} has no ${row.method} ${row.path}`)
  return operation
}

const methodNames = { GET: 'get', PUT: 'put', POST: 'post', DELETE: 'delete', PATCH: 'patch' } as const

/** Returns the documented example request bodies, or an empty list if the operation has no body. */
export function bodiesOf(cell: Cell): Json[] {
  return Object.values(mediaOf(cell)?.examples ?? {}).flatMap(({ value }) =>
    value === undefined ? [] : [value],
  )
}

/** Returns the media type of the request body, or undefined if the operation has no body. */
export function mediaOf(cell: Cell): MediaType | undefined {
  return Object.values(operationOf(cell).requestBody?.content ?? {})[0]
}

/** The path parameters of an existing resource. */
export type PathValues = Readonly<Record<string, string>>

/** Returns a pattern for paths that match a template. */
export const pathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)

interface Binding {
  readonly path: string
  readonly values: PathValues
}

/** Returns the resources in a seed, along with the path from each resource's `self` field. */
function bindingsOf(demo: Demo): Binding[] {
  const paths = [...new Set(routesOf().map(({ row }) => row.path))]
  const items = Object.values(demo).flatMap((collection) => collection ?? [])
  return items.flatMap((item) => {
    const { self }: { self?: string } = item
    const bound = self === undefined ? undefined : bindingOf(self, paths)
    return bound ? [{ ...bound, values: { ...bound.values, ...besides(item) } }] : []
  })
}

function bindingOf(self: string, paths: readonly string[]): Binding | undefined {
  // If several paths match, the literal path takes precedence.
  const [path] = paths
    .filter((one) => pathPattern(one).test(self))
    .sort((a, b) => namesOf(a).length - namesOf(b).length)
  return path === undefined ? undefined : { path, values: valuesWithin(path, self) }
}

/** Returns the values of the path parameters in a resource's path. The path must not contain the API prefix. */
export const valuesAt = (self: string): PathValues =>
  bindingOf(
    self,
    routesOf().map(({ row }) => row.path),
  )?.values ?? {}

/** Returns the values of path parameters that come from a resource's fields instead of its path. */
function besides(item: Readonly<Record<string, unknown>>): PathValues {
  const texts = { databaseName: item.database, collectionName: item.collectionName, indexName: item.name }
  const given = Object.entries({ ...texts, cloudProvider: item.providerName })
  return Object.fromEntries(given.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

export const namesOf = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

function valuesWithin(path: string, self: string): PathValues {
  const parts = self.split('/')
  return Object.fromEntries(
    path.split('/').flatMap((part, index) => namesOf(part).map((name) => [name, parts[index] ?? ''])),
  )
}

/**
 * Finds values in a seed for an operation's path parameters. Prefers resources with exactly this path, then resources
 * below this path, and then any resource that has values for all parameters.
 */
export function pathValuesOf({ route: { row } }: Cell, demo: Demo = loadDemo()): PathValues[] {
  const names = namesOf(row.path)
  const all = [...bindingsOf(demo), ...hostBindings(demo)]
  const fitting = all.filter(({ values }) => names.every((name) => values[name] !== undefined))
  const own = fitting.filter(({ path }) => path === row.path)
  const below = fitting.filter(({ path }) => path.startsWith(`${row.path}/`))
  const unique = new Map(
    [...own, ...below, ...fitting].map(({ values }) => {
      const needed = Object.fromEntries(names.map((name) => [name, values[name] ?? '']))
      return [JSON.stringify(needed), needed] as const
    }),
  )
  return [...unique.values()]
}

function hostBindings({ clusters = [] }: Demo): Binding[] {
  return clusters.map(({ groupId, name, hostnames }) => {
    const [hostname = ''] = Array.isArray(hostnames) ? hostnames.map(String) : []
    return { path: '', values: { groupId: String(groupId), clusterName: String(name), hostname } }
  })
}

/** Replaces the parameters in a path with values. The resulting path doesn't contain the API prefix. */
export const pathOf = ({ route: { row } }: Cell, values: PathValues): string => fillPath(row.path, values)

/** Sends a valid request for an operation. The request consists of the documented examples plus the given changes. */
export function askOf(server: CheckedServer, cell: Cell, change: CellAsk = {}): Promise<TestResponse> {
  const { route, version } = cell
  const { mediaType: accept, requestMediaType: contentType = accept } = version
  const [json] = bodiesOf(cell)
  const { values = pathValuesOf(cell)[0] ?? {}, query = '', ...rest } = change
  const body = json === undefined ? {} : { json }
  const asked = route.generation === 'v1.0' ? server.askV1 : server.ask
  return asked(pathOf(cell, values) + query, {
    method: route.row.method,
    accept,
    contentType,
    ...body,
    ...rest,
  })
}

interface CellAsk extends RequestOptions {
  readonly values?: PathValues
  /** The query string, which starts with a question mark. */
  readonly query?: string
}
