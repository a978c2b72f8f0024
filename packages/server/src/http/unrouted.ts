import { problem } from '../domain/problem.ts'
import { pathPattern, type Route } from './route-table.ts'

/** A path of the API and the routes at it, one a method. */
interface KnownPath {
  readonly pattern: RegExp
  readonly names: readonly string[]
  readonly methods: Map<string, Route>
}

/** What a request to no route comes to. */
export type Unrouted =
  | { readonly kind: 'unknown' }
  /** HEAD of a path that offers GET (RFC 9110 §9.3.2). */
  | { readonly kind: 'head'; readonly route: Route; readonly path: Record<string, string> }
  | { readonly kind: 'options'; readonly allow: string }
  | { readonly kind: 'refused'; readonly allow: string }

/**
 * Tells what a request that no route fits comes to. HEAD and OPTIONS are decided here, in one place, instead of
 * by a twin of each route.
 */
export function createUnrouted(routes: readonly Route[]) {
  const known = new Map<string, KnownPath>()
  for (const route of routes) {
    const path = known.get(route.path) ?? {
      pattern: pathPattern(route.path),
      names: route.row.pathParameters,
      methods: new Map<string, Route>(),
    }
    path.methods.set(route.row.method, route)
    known.set(route.path, path)
  }
  // Where two fit, the one that is written out is meant: `snapshots/shardedClusters` is no snapshot's.
  const paths = [...known.values()].sort((a, b) => a.names.length - b.names.length)
  return (method: string, target: string): Unrouted => {
    const path = target.split('?')[0] ?? ''
    const fitting = paths.find(({ pattern }) => pattern.test(path))
    if (!fitting) return { kind: 'unknown' }
    const route = fitting.methods.get('GET')
    if (method === 'HEAD' && route) return { kind: 'head', route, path: valuesOf(fitting, path) }
    const others = [...fitting.methods.keys()].filter((one) => one !== 'GET')
    const allow = [...(route ? ['GET', 'HEAD'] : []), ...others, 'OPTIONS'].join(', ')
    return method === 'OPTIONS' ? { kind: 'options', allow } : { kind: 'refused', allow }
  }
}

/** The failure that a request to no route gets. */
export function unroutedProblem(outcome: Exclude<Unrouted, { kind: 'head' | 'options' }>) {
  if (outcome.kind === 'unknown') {
    return problem('RESOURCE_NOT_FOUND', { detail: 'The path is not one of the API.' })
  }
  return problem('METHOD_NOT_ALLOWED', {
    detail: `The path offers ${outcome.allow}.`,
    headers: { allow: outcome.allow },
  })
}

function valuesOf({ pattern, names }: KnownPath, path: string): Record<string, string> {
  const capturing = new RegExp(pattern.source.replaceAll('[^/]+', '([^/]+)'))
  const found = capturing.exec(path)
  return Object.fromEntries(names.map((name, index) => [name, decoded(found?.[index + 1] ?? '')]))
}

/** @throws {Problem} `VALIDATION_ERROR` for what is not percent-encoded UTF-8. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw problem('VALIDATION_ERROR', {
      detail: 'The path is not percent-encoded UTF-8.',
      parameters: ['path'],
    })
  }
}
