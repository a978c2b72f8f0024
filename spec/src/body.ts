import type { MediaType, Schema } from './model.ts'

/** A media type with a schema, which means that there is a body. */
export type Body = MediaType & { schema: Schema }

/**
 * Returns the media type and schema of a body, or `undefined` if there is no body. Responses without a body also have a
 * media type, because clients must send it in the `Accept` header, but it has no schema.
 *
 * @example
 * const { paths } = loadDocument('2025-03-12')
 * const operation = paths['/groups/{groupId}/alertConfigs/{alertConfigId}']?.delete
 * console.log(bodyOf(operation?.responses['204']?.content)) // undefined
 */
export function bodyOf(content: Record<string, MediaType> | undefined): [string, Body] | undefined {
  const [first] = Object.entries(content ?? {})
  if (!first) return undefined
  const [mediaType, { schema, ...rest }] = first
  return schema ? [mediaType, { ...rest, schema }] : undefined
}
