import { basename, dirname, join } from 'node:path'
import type { Facts, OpenApiDocument, VersionFact } from '../src/model.ts'
import { readYaml } from './read-yaml.ts'

type Node = Record<string, unknown>

/**
 * Marks limits that are our decision, in schemas and parameters that otherwise come from the specification source.
 * `x-decided` contains the keyword and the decision. This function reads the source files because the bundle contains
 * plain numbers instead of references to limits.
 */
export function markDecidedBounds(document: OpenApiDocument, version: VersionFact, facts: Facts): void {
  for (const file of filesOf(join(version.folder, 'openapi.yaml'))) {
    const name = basename(file, '.yaml')
    const { schemas, parameters } = document.components
    const published = file.includes('/schemas/') ? schemas[name] : parameters[name]
    if (published) mark(read(file), published, undefined, facts)
  }
}

function mark(source: unknown, published: unknown, inherited: unknown, facts: Facts): void {
  if (!isNode(source) || !isNode(published) || '$ref' in published) return
  const strength = source['x-strength'] ?? inherited
  for (const [key, value] of Object.entries(source)) {
    const limit = limitOf(value, facts)
    const decision = limit && limit.strength !== 'stated' ? limit.source : plainBound(key, value)
    if (decision && strength === 'stated' && key in published)
      published['x-decided'] = { [key]: decision, ...objectOf(published['x-decided']) }
    else mark(value, published[key], strength, facts)
  }
}

/**
 * If a limit is a plain number in the schema, returns the decision about it. Limits from the specification source are
 * references to facts instead.
 */
function plainBound(key: string, value: unknown): string | undefined {
  return bounds.has(key) && typeof value === 'number' && !ofFormats.has(value) ? 'decided: Bounds' : undefined
}

const bounds = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
])
/**
 * The smallest and largest values of int32 and int64. For int64, the largest value is the largest integer that is safe
 * in JSON.
 */
const ofFormats = new Set([2 ** 31 - 1, -(2 ** 31), Number.MAX_SAFE_INTEGER])

function limitOf(value: unknown, { limits }: Facts): Facts['limits'][string] | undefined {
  const target = isNode(value) ? value.$ref : undefined
  const [, name] = /facts\/limits\.yaml#\/(\w+)\//.exec(typeof target === 'string' ? target : '') ?? []
  return name ? limits[name] : undefined
}

/** Returns a file, and all files that it refers to directly or indirectly. */
function filesOf(start: string, found = new Set<string>()): Set<string> {
  if (found.has(start)) return found
  found.add(start)
  for (const target of referencesIn(read(start))) {
    const [file = ''] = target.split('#')
    if (file.endsWith('.yaml') && !file.includes('facts/')) filesOf(join(dirname(start), file), found)
  }
  return found
}

function referencesIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, child]) =>
    key === '$ref' && typeof child === 'string' ? [child] : referencesIn(child),
  )
}

const files = new Map<string, unknown>()

function read(file: string): unknown {
  const known = files.get(file) ?? readYaml(file)
  files.set(file, known)
  return known
}

function isNode(value: unknown): value is Node {
  return value !== null && typeof value === 'object'
}

const objectOf = (value: unknown): Node => (isNode(value) ? value : {})
