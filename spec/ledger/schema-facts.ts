import { defaultOf } from '../src/default.ts'
import type { Json, JsonObject, OpenApiDocument, Schema } from '../src/model.ts'

/**
 * Returns the keywords of a schema that the index can mention. Each reference is replaced with the name of the schema
 * that it refers to.
 */
export function schemaView(document: OpenApiDocument, schema: Schema): JsonObject {
  const { ref, ...resolved } = resolve(document, schema)
  const { properties, required, items, anyOf, oneOf, discriminator, additionalProperties, ...keywords } =
    resolved
  const otherwise = defaultOf(resolved)
  return {
    ...plain(keywords),
    ...(otherwise === undefined ? {} : { default: otherwise }),
    ...(ref ? { ref } : {}),
    ...(items ? { items: nameOf(items) } : {}),
    ...(properties ? { properties: Object.keys(properties) } : {}),
    ...(required ? { requires: required } : {}),
    ...(anyOf || oneOf ? { anyOf: (anyOf ?? oneOf ?? []).map(nameOf) } : {}),
    ...(isMapping(discriminator) ? { kinds: kindsIn(discriminator.mapping) } : {}),
    closed: additionalProperties === false,
  }
}

/** Yields a fact for each schema and for each field. */
export function* schemaFacts(document: OpenApiDocument): Generator<[string, JsonObject]> {
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    yield [`schema:${name}`, schemaView(document, schema)]
    for (const [field, property] of Object.entries(schema.properties ?? {}))
      yield [
        `schema:${name}.${field}`,
        { ...schemaView(document, property), required: schema.required?.includes(field) ?? false },
      ]
  }
}

function resolve(document: OpenApiDocument, schema: Schema): Schema & { ref?: string } {
  const { $ref, ...own } = schema
  if (!$ref) return own
  const ref = $ref.split('/').at(-1) ?? ''
  const target = document.components.schemas[ref]
  if (!target) throw new Error(`The reference ${$ref} has no target.`)
  return { ...resolve(document, target), ...own, ref }
}

const nameOf = (schema: Schema): string => schema.$ref?.split('/').at(-1) ?? String(schema.type ?? 'any')

/**
 * Returns the values in a discriminator's mapping. Entries that map a schema's name to that schema have no effect,
 * because schemas are mapped by name by default.
 */
const kindsIn = (mapping: JsonObject): string[] =>
  Object.keys(mapping).filter((kind) => !String(mapping[kind]).endsWith(`/${kind}`))

const prose = ['title', 'description', 'examples', 'example']

function plain(keywords: Record<string, unknown>): JsonObject {
  return Object.fromEntries(
    Object.entries(keywords).filter((pair): pair is [string, Json] => !prose.includes(pair[0])),
  )
}

function isMapping(value: unknown): value is { mapping: JsonObject } {
  return typeof value === 'object' && value !== null && 'mapping' in value
}
