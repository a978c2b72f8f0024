import { createHash } from 'node:crypto'
import type { OpenApiDocument } from '@svc-admin/spec'
import type { OperationModel } from './operation-model.ts'
import { unionOf } from './schema-home.ts'

/** The parts of a version that are compared. */
interface Compared {
  readonly id: string
  /** The prefix for paths. All versions in a generation have the same prefix. */
  readonly prefix: string
  readonly document: OpenApiDocument
  readonly operations: readonly OperationModel[]
}

/** Versions in which an operation or schema is the same, from oldest to newest. */
export type Span<V> = readonly [oldest: V, ...newer: V[]]

/** Finds the versions in which an operation or schema is the same. */
export interface Spans<V> {
  /** The versions that share the operation's page. */
  operation(version: V, id: string): Span<V>
  /** The versions in the same generation in which the operation is the same. */
  unchanged(version: V, id: string): Span<V>
  schema(version: V, name: string): Span<V>
}

/**
 * Compares operations and schemas across versions, including all schemas that they refer to. Most operations and
 * schemas don't change between versions, so versions with identical content share a page. Two generations share a page
 * if only the prefix, media type and version errors differ.
 */
export function spansOf<V extends Compared>(versions: readonly V[]): Spans<V> {
  const ofGeneration = groupsOf(versions, exactKeysOf)
  const prefixes = [...new Set(versions.map(({ prefix }) => prefix))]
  const ofAll = groupsOf(versions, alikeKeysOf(prefixes))
  const newest = versions.at(-1)?.prefix
  const pageOf = (version: V, subject: string): Span<V> => {
    const own = ofGeneration(version, subject)
    const alike = ofAll(version, subject)
    const last = alike.filter(({ prefix }) => prefix === newest).at(-1)
    if (!last) return own
    const shared = ofGeneration(last, subject)
    if (version.prefix === newest && !shared.includes(version)) return own
    const isCovered = (each: V) => shared.includes(each) || (alike.includes(each) && each.prefix !== newest)
    const [oldest = version, ...newer] = versions.filter(isCovered)
    return [oldest, ...newer]
  }
  return {
    operation: (version, id) => pageOf(version, `operation ${id}`),
    unchanged: (version, id) => ofGeneration(version, `operation ${id}`),
    // The variants of a union are described on the union's page.
    schema: (version, name) => pageOf(version, `schema ${unionOf(version.document, name) ?? name}`),
  }
}

type KeysOf<V> = (version: V) => ReadonlyMap<string, string>

function groupsOf<V extends Compared>(
  versions: readonly V[],
  keysOf: KeysOf<V>,
): (version: V, subject: string) => Span<V> {
  const groups = new Map<string, V[]>()
  const keys = new Map(versions.map((version) => [version.id, keysOf(version)]))
  for (const version of versions)
    for (const key of keys.get(version.id)?.values() ?? [])
      groups.set(key, [...(groups.get(key) ?? []), version])
  return (version, subject) => {
    const [oldest = version, ...newer] = groups.get(keys.get(version.id)?.get(subject) ?? '') ?? []
    return [oldest, ...newer]
  }
}

/**
 * Returns a key for each operation and schema in a version. Two keys are equal only if the name and the content are
 * equal.
 */
function exactKeysOf({ document, operations }: Compared): Map<string, string> {
  const digestOf = digesterOf(document, (text) => text)
  const keyOf = ({ path, method, prefix, operation, parameters }: OperationModel) =>
    digestOf(JSON.stringify([method, prefix, path, operation, parameters]))
  return keysOf(document, operations, keyOf, digestOf)
}

/** Like `exactKeysOf`, but ignores the differences between generations that affect every operation. */
const alikeKeysOf =
  (prefixes: readonly string[]) =>
  ({ document, operations }: Compared): Map<string, string> => {
    const normal = (text: string) =>
      prefixes
        .reduce((rest, prefix) => rest.replaceAll(prefix, ''), text)
        .replace(/application\/vnd\.svc\.[\d-]+\+json/g, 'application/json')
    const digestOf = digesterOf(document, normal)
    const keyOf = ({ path, method, operation, parameters }: OperationModel) =>
      digestOf(JSON.stringify([method, path, withoutVersionErrors(operation), parameters]))
    return keysOf(document, operations, keyOf, digestOf)
  }

function keysOf(
  { components }: OpenApiDocument,
  operations: readonly OperationModel[],
  keyOf: (operation: OperationModel) => string,
  digestOf: (text: string) => string,
): Map<string, string> {
  const found = new Map<string, string>()
  for (const name of Object.keys(components.schemas))
    found.set(`schema ${name}`, `schema ${name} ${digestOf(`#/components/schemas/${name}`)}`)
  for (const each of operations) found.set(`operation ${each.id}`, `operation ${each.id} ${keyOf(each)}`)
  return found
}

/**
 * Returns whether an error code is about the version in a request. Generations without dates don't have these errors.
 */
const isVersionError = (code: string): boolean => /^(?:INVALID_VERSION_DATE|VERSION_MISMATCH)$/.test(code)

function withoutVersionErrors(operation: OperationModel['operation']): unknown {
  const { responses, 'x-errors': errors = [], ...rest } = operation
  const successes = Object.entries(responses).flatMap(([status, { headers = {}, ...response }]) => {
    // Ignore the `Vary` header because it depends on how the request selects the version.
    const { Vary: _, ...others } = headers
    return status < '4' ? [[status, response, others]] : [[status]]
  })
  return { ...rest, successes, errors: errors.filter((code) => !isVersionError(code)) }
}

/** Returns a function that hashes text. The hash includes the targets of references in the text. */
function digesterOf({ components }: OpenApiDocument, normal: (text: string) => string) {
  const known = new Map<string, string>()
  const digestOf = (text: string): string =>
    createHash('sha1')
      .update(normal(text).replace(/#\/components\/\w+\/[^"]+/g, componentDigest))
      .digest('base64url')
  const componentDigest = (ref: string): string => {
    const found = known.get(ref)
    if (found !== undefined) return found
    // If a component refers to itself, hash only its name to avoid endless recursion.
    known.set(ref, ref)
    const [, , kind = '', name = ''] = ref.split('/')
    const text = JSON.stringify(Reflect.get(Object(Reflect.get(components, kind)), name)) ?? ref
    const digest = digestOf(text)
    known.set(ref, digest)
    return digest
  }
  return digestOf
}
