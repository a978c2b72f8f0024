import type { Route } from './route-table.ts'

/** The result of routing a request. The result is undefined if the path isn't part of the API. */
export type Routed =
  | FoundRoute
  | { readonly kind: 'options'; readonly allow: string }
  | { readonly kind: 'refused'; readonly allow: string }

export interface FoundRoute {
  readonly kind: 'route'
  readonly route: Route
  readonly path: Readonly<Record<string, string>>
  /**
   * The names of path parameters that aren't percent-encoded UTF-8. `path` contains the raw text of these parameters.
   */
  readonly undecoded: readonly string[]
}

export type Router = (method: string, path: string) => Routed | undefined

/** A node in the routing tree. Each level of the routing tree corresponds to a path segment. */
interface PathNode {
  readonly literals: Map<string, PathNode>
  parameter: PathNode | undefined
  /** The routes whose path ends at this node, keyed by method. */
  readonly routes: Map<string, Route>
}

/**
 * Creates the router. Literal segments take precedence over parameters, so the path `snapshots/shardedClusters` doesn't
 * match the route `snapshots/{snapshotId}`. HEAD requests use the GET route (RFC 9110 §9.3.2).
 */
export function createRouter(routes: readonly Route[]): Router {
  const root = createNode()
  for (const route of routes) nodeAt(root, route.path).routes.set(route.row.method, route)
  const search: Router = (method, path) => {
    const sent = path.split('/')
    const segments = path.includes('%') ? sent.map((segment) => decoded(segment) ?? segment) : sent
    const indexes: number[] = []
    const place = find(root, segments, 1, indexes)
    if (!place) return undefined
    const route = place.routes.get(method === 'HEAD' ? 'GET' : method)
    if (!route) return withoutRoute(place, method)
    const named: Record<string, string> = {}
    const undecoded: string[] = []
    for (const [index, name] of namesOf(route).entries()) {
      const at = indexes[index] ?? 0
      named[name] = segments[at] ?? ''
      if (decoded(sent[at] ?? '') === undefined) undecoded.push(name)
    }
    return { kind: 'route', route, path: named, undecoded }
  }
  return withCache(search)
}

/** The maximum number of cached paths per method. */
const cacheLimit = 1000
const longestCachedPath = 256

/** Adds a cache to a router, because clients often repeat the same path. */
function withCache(search: Router): Router {
  const byMethod = new Map<string, Map<string, Routed>>()
  return (method, path) => {
    const before = byMethod.get(method)?.get(path)
    if (before) return before
    const found = search(method, path)
    // Cache only short paths with a route, to limit memory usage.
    if (found?.kind !== 'route' || path.length > longestCachedPath) return found
    const known = byMethod.get(method) ?? new Map<string, Routed>()
    byMethod.set(method, known)
    if (known.size >= cacheLimit) known.clear()
    known.set(path, found)
    return found
  }
}

function withoutRoute({ routes }: PathNode, method: string): Routed {
  const others = [...routes.keys()].filter((one) => one !== 'GET')
  const allow = [...(routes.has('GET') ? ['GET', 'HEAD'] : []), ...others, 'OPTIONS'].join(', ')
  return method === 'OPTIONS' ? { kind: 'options', allow } : { kind: 'refused', allow }
}

function createNode(): PathNode {
  return { literals: new Map(), parameter: undefined, routes: new Map() }
}

function nodeAt(root: PathNode, path: string): PathNode {
  let place = root
  for (const segment of path.split('/').slice(1)) {
    if (segment.startsWith('{')) {
      place.parameter ??= createNode()
      place = place.parameter
    } else {
      const next = place.literals.get(segment) ?? createNode()
      place.literals.set(segment, next)
      place = next
    }
  }
  return place
}

/**
 * Finds the node that matches a list of segments.
 *
 * @param parameters An array to which this function adds the indexes of segments that match parameters.
 */
function find(
  place: PathNode,
  segments: readonly string[],
  at: number,
  parameters: number[],
): PathNode | undefined {
  const segment = segments[at]
  if (segment === undefined) return place.routes.size > 0 ? place : undefined
  const literal = place.literals.get(segment)
  const found = literal && find(literal, segments, at + 1, parameters)
  if (found || !place.parameter) return found
  parameters.push(at)
  const below = find(place.parameter, segments, at + 1, parameters)
  if (!below) parameters.pop()
  return below
}

/**
 * Decodes a segment. Returns undefined if the segment isn't percent-encoded UTF-8 and therefore can't match a literal.
 */
function decoded(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

const names = new WeakMap<Route, readonly string[]>()

function namesOf(route: Route): readonly string[] {
  const known = names.get(route)
  if (known) return known
  const found = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  names.set(route, found)
  return found
}
