import type { Json, Schema } from './model.ts'

/**
 * Returns a schema's default. A union's default is in the branch that accepts the value because Go and Java
 * generators don't support defaults for unions.
 *
 * @example
 * const { schemas } = loadDocument('2025-03-12').components
 * console.log(defaultOf(schemas.StoredSource ?? {})) // false
 */
export function defaultOf({ default: own, oneOf = [], anyOf = [] }: Schema): Json | undefined {
  return own ?? [...oneOf, ...anyOf].find((branch) => branch.default !== undefined)?.default
}
