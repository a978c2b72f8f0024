import { createHash } from 'node:crypto'
import type { OpenApiDocument, Schema } from '@svc-admin/spec'
import type { OperationModel } from './operation-model.ts'

/** The parts of a version that are compared. */
interface Compared {
  readonly id: string
  readonly document: OpenApiDocument
  readonly operations: readonly OperationModel[]
}

/** The versions in which a subject is the same, from oldest to newest. */
export type Span<V> = readonly [oldest: V, ...newer: V[]]

/** The versions' subjects, grouped by equal content. */
export interface Spans<V> {
  operation(version: V, id: string): Span<V>
  schema(version: V, name: string): Span<V>
}

/**
 * Compares operations and schemas across versions, including all schemas they refer to. Most versions change little,
 * so the site has a single page for all versions with equal content.
 */
export function spansOf<V extends Compared>(versions: readonly V[]): Spans<V> {
  const groups = new Map<string, V[]>()
  const keys = new Map(versions.map((version) => [version.id, keysOf(version)]))
  for (const version of versions)
    for (const key of keys.get(version.id)?.values() ?? [])
      groups.set(key, [...(groups.get(key) ?? []), version])
  const spanOf = (version: V, subject: string): Span<V> => {
    const [oldest = version, ...newer] = groups.get(keys.get(version.id)?.get(subject) ?? '') ?? []
    return [oldest, ...newer]
  }
  return {
    operation: (version, id) => spanOf(version, `operation ${id}`),
    schema: (version, name) => spanOf(version, `schema ${name}`),
  }
}

/** A key for the content of each of a version's subjects, which includes the subject's name. */
function keysOf({ document, operations }: Compared): Map<string, string> {
  const components = componentDigests(document)
  const found = new Map<string, string>()
  for (const name of Object.keys(document.components.schemas))
    found.set(`schema ${name}`, `schema ${name} ${components.get(`#/components/schemas/${name}`)}`)
  for (const { id, path, method, prefix, operation, parameters } of operations) {
    const text = JSON.stringify([method, prefix, path, operation, parameters])
    found.set(`operation ${id}`, `operation ${id} ${digestOf(text, components)}`)
  }
  return found
}

const digestOf = (text: string, components: ReadonlyMap<string, string>): string =>
  createHash('sha1')
    .update(text.replace(/#\/components\/\w+\/[^"]+/g, (ref) => components.get(ref) ?? ref))
    .digest('base64url')

/** Digests of all components, by reference. Each round includes components that are one reference further away. */
function componentDigests({ components }: OpenApiDocument): Map<string, string> {
  const texts = Object.entries(components).flatMap(([kind, all]) =>
    Object.entries(all ?? {}).map(
      ([name, each]) => [`#/components/${kind}/${name}`, JSON.stringify(each)] as const,
    ),
  )
  let digests: ReadonlyMap<string, string> = new Map()
  for (let round = 0; round < deepestReference; round += 1)
    digests = new Map(texts.map(([ref, text]) => [ref, digestOf(text, digests)]))
  return new Map(digests)
}

/** More references than any chain in the documents has. */
const deepestReference = 10

/** Whether the schema with the given name has its own page. */
export const isOnOwnPage =
  ({ components }: OpenApiDocument) =>
  (name: string): boolean =>
    hasOwnPage(components.schemas[name] ?? {})

/** Whether a schema has its own page. All other schemas are on their version's types page. */
export const hasOwnPage = ({ properties, allOf, oneOf, anyOf }: Schema): boolean =>
  [properties, allOf, oneOf, anyOf].some((each) => each !== undefined)
