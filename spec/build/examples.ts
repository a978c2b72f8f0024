import { STATUS_CODES } from 'node:http'
import type { Facts, Failure, Json, JsonObject } from '../src/model.ts'
import type { DemoSource } from './sources.ts'
import { rewrite } from './walk.ts'

/** Creates the URL for a path. */
type Addresses = (path: string) => string

/**
 * Replaces the references in examples with their content:
 *
 * - `$demo` inserts a resource of the demo organization. `$pick` selects fields, and `$set` replaces fields.
 * - `$facts` inserts a fact, and `$tokenError` inserts a token endpoint error.
 * - `self` adds the links to a resource or to an unpaginated list.
 * - `$page` adds the links to the first page of a list.
 */
export function expandExamples(document: unknown, demo: DemoSource, facts: Facts, at: Addresses): unknown {
  return rewrite(document, (node) => {
    if (typeof node.$demo === 'string') return withLinks(fromDemo(node, demo), at)
    if (typeof node.$facts === 'string') return valueAt(facts, node.$facts)
    if (typeof node.$tokenError === 'string') return tokenError(node.$tokenError, facts)
    if (typeof node.$page === 'string') return withPageLinks(node, at, facts)
    return withLinks(node, at)
  })
}

function fromDemo(node: Record<string, unknown>, demo: DemoSource): Record<string, unknown> {
  const { $demo, $pick, $set, ...rest } = node
  const found = valueAt(demo, String($demo))
  const whole: Record<string, unknown> = found !== null && typeof found === 'object' ? { ...found } : {}
  const picked = Array.isArray($pick)
    ? Object.fromEntries($pick.filter((key) => key in whole).map((key) => [key, whole[key]]))
    : whole
  return { ...picked, ...rest, ...(typeof $set === 'object' ? $set : {}) }
}

function withLinks(node: Record<string, unknown>, at: Addresses): Record<string, unknown> {
  const { self, ...rest } = node
  if (typeof self !== 'string' || !self.startsWith('/')) return node
  return { ...rest, links: [{ href: at(self), rel: 'self' }] }
}

/** Adds the links to a page of a list. Each link contains the page number and the page size. */
function withPageLinks(
  { $page, ...rest }: Record<string, unknown>,
  at: Addresses,
  { limits }: Facts,
): Record<string, unknown> {
  const query = ['pageNum', 'itemsPerPage'].map((name) => `${name}=${limits[name]?.default}`).join('&')
  return withLinks({ ...rest, self: `${String($page)}?${query}` }, at)
}

function valueAt(value: unknown, path: string): unknown {
  let found = value
  for (const key of path.split('.')) {
    if (found === null || typeof found !== 'object' || !(key in found))
      throw new Error(`An example refers to ${path}, but ${key} was not found.`)
    found = Object.entries(found).find(([name]) => name === key)?.[1]
  }
  return found
}

function tokenError(error: string, facts: Facts): JsonObject {
  const fact = facts.tokenErrors[error]
  if (!fact) throw new Error(`An example refers to the unknown token error ${error}.`)
  return { error, error_description: fact.description }
}

export function errorBody(failure: Failure, facts: Facts): JsonObject {
  const fact = facts.errorCodes[failure.code]
  if (!fact) throw new Error(`An example refers to the unknown error code ${failure.code}.`)
  const parameters: Json[] | undefined = failure.parameters
  return {
    error: fact.status,
    errorCode: failure.code,
    reason: STATUS_CODES[fact.status] ?? '',
    detail: failure.detail,
    ...(parameters ? { parameters } : {}),
  }
}
