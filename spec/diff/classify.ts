import { datesOf } from '../rules/read/dates.ts'
import { asNode, asText, fieldsOf, type JsonNode } from '../rules/read/json.ts'
import { operationsIn } from '../rules/read/operations.ts'
import { dateOfMediaType } from '../rules/read/words.ts'
import { versionNumberOf } from '../src/version-number.ts'
import { compareBehavior, type Promises } from './behavior.ts'
import { type Change, type Collector, createCollector } from './change.ts'
import { compareOperations } from './operations.ts'
import { compareProse, withoutProse } from './prose.ts'
import { compareSchemes } from './security.ts'
import { reportUnjudged } from './unjudged.ts'

export interface ClassifyOptions {
  /**
   * The date of the comparison, as YYYY-MM-DD. Operations with an earlier sunset may be removed. Defaults to the
   * current date.
   */
  today?: string
  /** The roles that each role includes. */
  includes?: Record<string, string[]>
  /** The requirements in both versions. If omitted, only the documents are compared. */
  behavior?: Promises
}

/**
 * Lists the changes between two documents, and how each change affects a program that was written for `before`.
 * Different media types and prefixes don't count as changes, because they don't affect a program that uses a fixed
 * version.
 *
 * @example
 * const changes = classify(loadDocument('2023-01-01'), loadDocument('2024-05-30'))
 * console.log(changes.filter((change) => change.class === 'breaking').length)
 */
export function classify(before: unknown, after: unknown, options: ClassifyOptions = {}): Change[] {
  const { today = new Date().toISOString().slice(0, 10), includes = {}, behavior } = options
  const collector = createCollector()
  const isSame = versionOf(before) === versionOf(after)
  if (isSame) compareServers(before, after, collector)
  else compareDates(before, after, collector)
  if (behavior) compareBehavior(before, after, behavior, collector)
  const [old, now] = isSame ? [before, after] : [withoutVersion(before), withoutVersion(after)]
  compareProse(old, now, collector)
  const [promised, promises] = [withoutProse(old), withoutProse(now)]
  compareSchemes(promised, promises, collector)
  compareOperations({ before: promised, after: promises, collector, today, includes })
  compareWebhooks(promised, promises, collector)
  const dialect = { jsonSchemaDialect: usualDialect }
  const [was, is] = [promised, promises].map((document) => ({ ...dialect, ...asNode(document) }))
  reportUnjudged(was ?? {}, is ?? {}, (name) => ofDocuments.has(name), 'document', [], collector)
  return collector.changes()
}

function versionOf(document: unknown): string {
  return versionNumberOf(asText(asNode(asNode(document).info).version))
}

function compareServers(before: unknown, after: unknown, collector: Collector): void {
  const [old, now] = [before, after].map((document) =>
    fieldsOf(asNode(document).servers, ['servers']).map(({ value, path }) => ({
      url: asText(value.url),
      path,
    })),
  )
  for (const { url, path } of old ?? [])
    if (!now?.some((each) => each.url === url))
      collector.add('breaking', 'server-removed', path, `The server ${url} was removed.`)
  for (const { url, path } of now ?? [])
    if (!old?.some((each) => each.url === url))
      collector.add('additive', 'server-added', path, `The server ${url} was added.`)
}

/** Reports operations that have a newer version in the newer document. */
function compareDates(before: unknown, after: unknown, collector: Collector): void {
  const old = new Map(operationsIn(before).map((operation) => [operation.id, datesOf(before, operation)[0]]))
  for (const operation of operationsIn(after)) {
    const [was, is] = [old.get(operation.id), datesOf(after, operation)[0]]
    if (was !== undefined && is !== undefined && was !== is)
      collector.add(
        'additive',
        'version-added',
        operation.path,
        `${operation.id} has a new version ${is}.`,
        operation.id,
      )
  }
}

/**
 * The top-level fields of a document that are compared separately. `components` is in this list because components are
 * compared wherever the document refers to them.
 */
const ofDocuments = new Set(['openapi', 'info', 'servers', 'security', 'paths', 'webhooks', 'components'])

/** The dialect of schemas that don't set `$schema` (OpenAPI 3.1 §4.8.24.5). */
const usualDialect = 'https://spec.openapis.org/oas/3.1/dialect/base'

const plain = 'application/json'

const stripped = new WeakMap<object, unknown>()

/**
 * Removes the parts of a document that differ in every version. The result is cached because the changelog compares
 * each document several times.
 */
function withoutVersion(document: unknown): unknown {
  const whole = asNode(document)
  const known = stripped.get(whole) ?? strip(whole)
  stripped.set(whole, known)
  return known
}

function strip({ info: _, servers: __, ...rest }: JsonNode): unknown {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        dateOfMediaType(key) === undefined ? key : plain,
        visit(child),
      ]),
    )
  }
  return visit(rest)
}

function compareWebhooks(before: unknown, after: unknown, collector: Collector): void {
  const [old, now] = [before, after].map((document) => asNode(asNode(document).webhooks))
  const at = (name: string) => ['webhooks', name]
  for (const [name, hook] of Object.entries(old ?? {})) {
    const same: JsonNode | undefined = now
    if (!Object.hasOwn(same ?? {}, name))
      collector.add('breaking', 'webhook-removed', at(name), `The webhook ${name} was removed.`)
    else if (JSON.stringify(hook) !== JSON.stringify(same?.[name]))
      collector.add('breaking', 'webhook-changed', at(name), `The webhook ${name} changed.`)
  }
  for (const name of Object.keys(now ?? {}))
    if (!Object.hasOwn(old ?? {}, name))
      collector.add('additive', 'webhook-added', at(name), `The webhook ${name} was added.`)
}
