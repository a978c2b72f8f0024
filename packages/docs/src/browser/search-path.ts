import { operationKinds, type SearchEntry } from './tokens.ts'

/** An operation, with its path split into segments. */
interface Route {
  readonly entry: SearchEntry
  readonly method: string
  readonly parts: readonly string[]
}

interface Match {
  readonly entry: SearchEntry
  /** The number of segments that the query and the path have in common. */
  readonly alike: number
  /** The number of segments in the path that aren't in the query. */
  readonly more: number
}

/**
 * Finds operations by path. The query can be an incomplete path, include a prefix or host, or contain IDs instead of
 * parameters such as `{groupId}`.
 */
export function pathFinder(entries: readonly SearchEntry[]): (query: string) => SearchEntry[] {
  const kinds: readonly string[] = Object.values(operationKinds)
  const routes = entries.filter(({ kind }) => kinds.includes(kind)).map(routeOf)
  return (query) => {
    const [, method = '', written] = /^(?:([a-z]+)\s+)?(\S*\/\S*)$/i.exec(query.trim()) ?? []
    if (written === undefined) return []
    const parts = partsOf(written.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*$/, ''))
    return routes
      .filter((route) => method === '' || route.method === method.toUpperCase())
      .flatMap((route) => matchOf(route, parts) ?? [])
      .sort((a, b) => a.more - b.more || b.alike - a.alike)
      .map(({ entry }) => entry)
  }
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '')

function routeOf(entry: SearchEntry): Route {
  const [method = '', path = ''] = entry.detail.split(' ')
  return { entry, method, parts: partsOf(path) }
}

/**
 * Compares the query with an operation's path. Ignores a version prefix at the start of the query. The query can also
 * start in the middle of the path.
 */
function matchOf({ entry, parts: all }: Route, query: readonly string[]): Match | undefined {
  const [first = ''] = query
  const begin = query.indexOf(all[0] ?? '')
  const inside = begin < 0 && !isParameter(first) ? all.indexOf(first) : 0
  const parts = all.slice(inside)
  const wanted = query.slice(Math.max(0, begin))
  if (inside < 0 || wanted.length > parts.length) return undefined
  const last = wanted.length - 1
  const fits = wanted.every((part, at) => isAlike(parts[at] ?? '', part, at === last))
  if (!fits) return undefined
  const alike = wanted.filter((part, at) => parts[at] === part).length
  const cut = isParameter(parts[last] ?? '') || parts[last] === wanted[last] ? 0 : 0.5
  return { entry, alike, more: all.length - wanted.length + cut }
}

const isParameter = (part: string): boolean => part.includes('{')

const isAlike = (part: string, wanted: string, isLast: boolean): boolean =>
  isParameter(part) || part === wanted || (isLast && part.startsWith(wanted))
