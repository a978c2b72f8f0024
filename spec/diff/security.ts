import { asList, asNode, asTexts, isNode, type JsonNode } from '../rules/read/json.ts'
import type { OperationView } from '../rules/read/operations.ts'
import type { Collector } from './change.ts'
import type { Comparison, Pair } from './comparison.ts'

/**
 * Returns the alternatives in an operation's `security`, each with its schemes and scopes.
 *
 * @param renamed The new names of renamed schemes.
 */
function alternativesOf(
  document: unknown,
  { value }: OperationView,
  renamed: ReadonlyMap<string, string> = new Map(),
): Map<string, Record<string, string[]>> {
  const listed = asList(value.security ?? asNode(document).security).map((each) =>
    Object.fromEntries(
      Object.entries(asNode(each)).map(([scheme, scopes]) => [
        renamed.get(scheme) ?? scheme,
        asTexts(scopes).sort(),
      ]),
    ),
  )
  const alternatives = listed.length > 0 ? listed : [{}]
  return new Map(alternatives.map((each) => [JSON.stringify(Object.entries(each).sort()), each]))
}

export function compareSecurity(pair: Pair, { before, after, collector }: Comparison): void {
  const { newer } = pair
  const renamed = renamedSchemes(schemesOf(before), schemesOf(after))
  const [old, now] = [alternativesOf(before, pair.older, renamed), alternativesOf(after, newer)]
  for (const [key, alternative] of old) {
    // Callers that use an old alternative aren't affected if a new one requires no additional schemes or scopes.
    const isServed = [...now.values()].some((each) => requiresNoMore(each, alternative))
    if (!now.has(key) && !isServed)
      collector.add(
        'breaking',
        'security-removed',
        newer.path,
        `${describe(alternative)} is no longer sufficient.`,
        newer.id,
      )
  }
  for (const [key, alternative] of now)
    if (!old.has(key)) {
      const text = `${describe(alternative)} is now sufficient.`
      collector.add('additive', 'security-added', newer.path, text, newer.id)
    }
}

function requiresNoMore(asked: Record<string, string[]>, given: Record<string, string[]>): boolean {
  return Object.entries(asked).every(([scheme, scopes]) => {
    const has = given[scheme]
    return has !== undefined && scopes.every((scope) => has.includes(scope))
  })
}

function describe(alternative: Record<string, string[]>): string {
  const schemes = Object.entries(alternative).map(([name, scopes]) => [name, ...scopes].join(' '))
  return schemes.join(' with ') || 'No authentication'
}

/** Compares where and how the security schemes send credentials. */
export function compareSchemes(before: unknown, after: unknown, collector: Collector): void {
  const [old, now] = [schemesOf(before), schemesOf(after)]
  const renamed = renamedSchemes(old, now)
  for (const [name, scheme] of Object.entries(old)) {
    const path = ['components', 'securitySchemes', name]
    const same = now[name]
    const other = renamed.get(name)
    // Requests don't contain the name of the scheme, but generated clients use it.
    if (other !== undefined)
      collector.add(
        'review',
        'security-scheme-renamed',
        path,
        `The security scheme ${name} was renamed to ${other}.`,
      )
    else if (!isNode(same))
      collector.add('breaking', 'security-scheme-removed', path, `The security scheme ${name} was removed.`)
    else if (JSON.stringify(bare(scheme)) !== JSON.stringify(bare(same)))
      collector.add('breaking', 'security-scheme-changed', path, `The security scheme ${name} changed.`)
  }
  for (const name of Object.keys(now)) {
    if (!Object.hasOwn(old, name) && ![...renamed.values()].includes(name))
      collector.add(
        'additive',
        'security-scheme-added',
        ['components', 'securitySchemes', name],
        `The security scheme ${name} was added.`,
      )
  }
}

function schemesOf(document: unknown): JsonNode {
  return asNode(asNode(asNode(document).components).securitySchemes)
}

/** Returns the new name of each scheme that has been renamed but is otherwise unchanged. */
function renamedSchemes(old: JsonNode, now: JsonNode): Map<string, string> {
  const added = Object.keys(now).filter((name) => !Object.hasOwn(old, name))
  const removed = Object.keys(old).filter((name) => !Object.hasOwn(now, name))
  return new Map(
    removed.flatMap((name) => {
      const same = added.find((other) => JSON.stringify(bare(now[other])) === JSON.stringify(bare(old[name])))
      return same === undefined ? [] : [[name, same]]
    }),
  )
}

function bare(scheme: unknown): unknown {
  return (
    Object.entries(asNode(scheme))
      // `bearerFormat` is only a hint for readers (OpenAPI 3.1 §4.8.27).
      .filter(([key]) => !['description', 'bearerFormat'].includes(key) && !key.startsWith('x-'))
      .sort()
  )
}
