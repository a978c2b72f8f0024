import { loadDocument } from '@svc-admin/spec'
import type { Version } from '@svc-admin/types'
import { isArray, isObject, type Json, type JsonObject, stringAt, valueAt } from '../src/document/json.ts'

const methods = new Set(['get', 'put', 'post', 'delete', 'patch'])

/** Returns all references in a value, both from `$ref` and from discriminators. */
const referencesIn = (value: Json | undefined): string[] => {
  if (typeof value === 'string') return value.startsWith('#/components/') ? [value] : []
  if (isArray(value)) return value.flatMap(referencesIn)
  return isObject(value) ? Object.values(value).flatMap(referencesIn) : []
}

/** Returns the components that the paths reference, directly or through other components. */
const componentsOf = (root: JsonObject, paths: Json): JsonObject => {
  const kept = new Set<string>()
  const queue = referencesIn(paths)
  for (const reference of queue) {
    if (kept.has(reference)) continue
    kept.add(reference)
    queue.push(...referencesIn(valueAt(root, reference)))
  }
  const components: Record<string, Record<string, Json>> = {}
  for (const reference of kept) {
    const [, , kind, name] = reference.split('/')
    const value = valueAt(root, reference)
    if (kind && name && value !== undefined) components[kind] = { ...components[kind], [name]: value }
  }
  return components
}

const successesOf = (operation: JsonObject): JsonObject => {
  const { responses } = operation
  if (!isObject(responses)) return operation
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return { ...operation, responses: Object.fromEntries(successes) }
}

export interface Cut {
  /** The IDs of the operations to keep. By default, all operations are kept. */
  readonly operations?: ReadonlySet<string>
  /** Whether to remove error responses. Some tools ignore error responses. */
  readonly successes?: boolean
  /** If an operation allows several security schemes, only this scheme is kept. */
  readonly scheme?: string
}

const fits = (operation: JsonObject, { operations }: Cut): boolean =>
  operations === undefined || operations.has(stringAt(operation, 'operationId') ?? '')

const secured = (operation: JsonObject, scheme: string): JsonObject => {
  const { security } = operation
  const choice = isArray(security) && security.some((one) => isObject(one) && scheme in one)
  return choice ? { ...operation, security: [{ [scheme]: [] }] } : operation
}

/** Prepares one of our OpenAPI documents for a peer tool. A document with fewer operations is faster to parse. */
export const documentFor = (version: Version, cut: Cut): JsonObject => {
  const root: unknown = loadDocument(version)
  if (!isObject(root) || !isObject(root.paths)) throw new TypeError(`the document of ${version} has no paths`)
  const { scheme } = cut
  const paths: Record<string, Json> = {}
  for (const [path, item] of Object.entries(root.paths)) {
    if (!isObject(item)) continue
    const entries = Object.entries(item).flatMap(([name, value]): [string, Json][] => {
      if (!methods.has(name) || !isObject(value)) return [[name, value]]
      if (!fits(value, cut)) return []
      const chosen = scheme === undefined ? value : secured(value, scheme)
      return [[name, cut.successes ? successesOf(chosen) : chosen]]
    })
    if (entries.some(([name]) => methods.has(name))) paths[path] = Object.fromEntries(entries)
  }
  const { securitySchemes, ...components } = {
    securitySchemes: valueAt(root, '#/components/securitySchemes') ?? {},
    ...componentsOf(root, paths),
  }
  const schemes = Object.entries(isObject(securitySchemes) ? securitySchemes : {}).filter(
    ([name]) => scheme === undefined || name === scheme || name === 'clientCredentials',
  )
  return {
    ...root,
    paths,
    components: { ...components, securitySchemes: Object.fromEntries(schemes) },
    ...(scheme !== undefined && { security: [{ [scheme]: [] }] }),
  }
}
