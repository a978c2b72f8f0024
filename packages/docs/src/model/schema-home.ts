import type { OpenApiDocument, Schema } from '@svc-admin/spec'
import { nameOf } from './resolve.ts'
import { referencesIn } from './usage.ts'

/** The names of the schemas in a union. */
export const branchesOf = ({ oneOf = [], anyOf = [] }: Schema): string[] =>
  [...oneOf, ...anyOf].flatMap(({ $ref }) => ($ref === undefined ? [] : [nameOf($ref)]))

const known = new WeakMap<OpenApiDocument, ReadonlyMap<string, string>>()

/**
 * The union on whose page a schema is described, if only this union refers to it. Readers compare variants, and most
 * variants are too small for a page.
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
    // One of two alternatives isn't worth a comparison.
    if (own.length > 1) for (const name of own) found.set(name, union)
  }
  return found
}

/** Whether a version has a page for a schema. The other schemas are on the page of a union or of the scalar types. */
export const hasPage = ({ document }: { readonly document: OpenApiDocument }, name: string): boolean =>
  isOnOwnPage(document)(name) && unionOf(document, name) === undefined

/** Whether the schema with the given name is an object or a union, so that other pages don't repeat its fields. */
export const isOnOwnPage =
  ({ components }: OpenApiDocument) =>
  (name: string): boolean =>
    hasOwnPage(components.schemas[name] ?? {})

/** Whether a schema is an object or a union. All other schemas are on their version's types page. */
export const hasOwnPage = ({ properties, allOf, oneOf, anyOf }: Schema): boolean =>
  [properties, allOf, oneOf, anyOf].some((each) => each !== undefined)
