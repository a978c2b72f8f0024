import { asNode, isNode, type JsonNode, type JsonPath } from '../rules/read/json.ts'
import { namedFields } from '../src/model.ts'
import type { Collector } from './change.ts'

/** Fields that readers use but programs don't depend on. */
const prose = new Set([
  'title',
  'summary',
  'description',
  'example',
  'examples',
  'externalDocs',
  'contact',
  'license',
  'termsOfService',
  'tags',
  '$comment',
])
/** Extensions that are compared separately. */
const judged = new Set([
  'x-roles',
  'x-paged',
  'x-idempotent',
  'x-sunset',
  'x-deprecation',
  'x-error-codes',
  'x-errors',
])

/** Extensions that are compared as prose although programs depend on them. */
const relevant = new Set(['x-known-values', 'x-strength'])

/** Other fields whose keys are user-defined names instead of keywords. */
const named = new Set([
  ...namedFields,
  'dependentRequired',
  'mapping',
  'securitySchemes',
  'webhooks',
  'links',
  'callbacks',
])

/** Fields that contain API values, such as enumerations. */
const data = new Set(['default', 'enum', 'const'])

/** Reports descriptions and examples that have changed. Compares only parts that exist in both documents. */
export function compareProse(before: unknown, after: unknown, collector: Collector): void {
  const visit = (old: unknown, now: unknown, path: JsonPath, isMap: boolean): void => {
    if (Array.isArray(old) && Array.isArray(now))
      for (const [index, item] of now.entries()) visit(old[index], item, [...path, index], false)
    if (!isNode(old) || !isNode(now)) return
    for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
      const at = [...path, key]
      if (!isMap && isProse(key)) compareText(old, now, key, at, collector)
      else if (isMap || !data.has(key)) visit(old[key], now[key], at, !isMap && named.has(key))
    }
  }
  visit(before, after, [], false)
}

const stripped = new WeakMap<object, unknown>()

/**
 * Removes descriptions and examples from a document. The result is cached because the changelog compares each document
 * several times.
 */
export function withoutProse(document: unknown): unknown {
  const known = stripped.get(asNode(document)) ?? strip(document)
  if (isNode(document)) stripped.set(document, known)
  return known
}

function strip(document: unknown): unknown {
  const visit = (value: unknown, isMap: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => visit(item, false))
    if (!isNode(value)) return value
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => isMap || relevant.has(key) || !isProse(key))
        .map(([key, child]) => [
          key,
          !isMap && data.has(key) ? child : visit(child, !isMap && named.has(key)),
        ]),
    )
  }
  return visit(document, false)
}

function isProse(key: string): boolean {
  return prose.has(key) || (key.startsWith('x-') && !judged.has(key))
}

function compareText(old: JsonNode, now: JsonNode, key: string, path: JsonPath, collector: Collector): void {
  if (JSON.stringify(old[key]) === JSON.stringify(now[key])) return
  if (key === 'x-known-values') {
    compareKnownValues(old[key], now[key] ?? now.enum, path, collector)
    return
  }
  const what = now[key] === undefined ? 'Removed' : old[key] === undefined ? 'Added' : 'Changed'
  collector.add('editorial', `${key.replace(/^[$]|^x-/, '')}-changed`, path, `${what} ${key}.`)
}

/**
 * Compares the known values of an open enumeration. The server accepts other values too, but readers should learn about
 * new ones. A value may have been removed because it was wrong or because the server no longer supports it. If the
 * enumeration has become closed, its values are in `enum`.
 */
function compareKnownValues(old: unknown, now: unknown, path: JsonPath, collector: Collector): void {
  const [was, is] = [old, now].map((list) => (Array.isArray(list) ? list.map(String) : []))
  for (const value of is ?? [])
    if (!was?.includes(value))
      collector.add('additive', 'known-value-added', path, `The known value ${value} was added.`)
  for (const value of was ?? [])
    if (!is?.includes(value))
      collector.add('review', 'known-value-removed', path, `The known value ${value} was removed.`)
  if (JSON.stringify([...(was ?? [])].sort()) === JSON.stringify([...(is ?? [])].sort()))
    collector.add('editorial', 'known-values-changed', path, 'The order of the known values changed.')
}
