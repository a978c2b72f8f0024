import type { OpenApiDocument, Schema } from '@svc-admin/spec'
import { nameOf } from './resolve.ts'
import { referencesIn } from './usage.ts'

export const branchesOf = ({ oneOf = [], anyOf = [] }: Schema): string[] =>
  [...oneOf, ...anyOf].flatMap(({ $ref }) => ($ref === undefined ? [] : [nameOf($ref)]))

const known = new WeakMap<OpenApiDocument, ReadonlyMap<string, string>>()

/**
 * Returns the only union that refers to a schema, if there is exactly one. The union's page then describes the schema,
 * because readers compare variants and most variants are too small for a page.
 */
export function unionOf(document: OpenApiDocument, name: string): string | undefined {
  const unions = known.get(document) ?? unionsOf(document)
  known.set(document, unions)
  return unions.get(name)
}

function unionsOf({ paths, components }: OpenApiDocument): Map<string, string> {
  const { schemas, ...others } = components
  const elsewhere = referencesIn([paths, others])
  const users = new Map<string, string[]>()
  for (const [user, schema] of Object.entries(schemas))
    for (const name of referencesIn(schema)) users.set(name, [...(users.get(name) ?? []), user])
  const found = new Map<string, string>()
  for (const [union, schema] of Object.entries(schemas)) {
    const own = branchesOf(schema).filter(
      (name) =>
        users.get(name)?.length === 1 && !elsewhere.has(name) && schemas[name]?.properties !== undefined,
    )
    // A single variant can't be compared with others, so it gets its own page.
    if (own.length > 1) for (const name of own) found.set(name, union)
  }
  return found
}

/**
 * Returns whether a version has a page for a schema. Other schemas are described on the page of a union, or on the page
 * for simple types.
 */
export const hasPage = ({ document }: { readonly document: OpenApiDocument }, name: string): boolean =>
  isOnOwnPage(document)(name) && unionOf(document, name) === undefined

/**
 * Returns a function that checks whether a schema is an object or a union. Other pages don't repeat the fields of these
 * schemas.
 */
export const isOnOwnPage =
  ({ components }: OpenApiDocument) =>
  (name: string): boolean =>
    hasOwnPage(components.schemas[name] ?? {})

/** Returns whether a schema is an object or a union. All other schemas are on the version's types page. */
export const hasOwnPage = ({ properties, allOf, oneOf, anyOf }: Schema): boolean =>
  [properties, allOf, oneOf, anyOf].some((each) => each !== undefined)
