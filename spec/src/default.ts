import type { Json, Schema } from './model.ts'

/**
 * Returns the default value of a schema. For a union, the default is in the branch that accepts it, because code
 * generators for Go and Java don't support defaults for unions.
 *
 * @example
 * const { schemas } = loadDocument('2025-03-12').components
 * console.log(defaultOf(schemas.StoredSource ?? {})) // false
 */
export function defaultOf({ default: own, oneOf = [], anyOf = [] }: Schema): Json | undefined {
  return own ?? [...oneOf, ...anyOf].find((branch) => branch.default !== undefined)?.default
}
