import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { dateOfMediaType } from '../rules/read/words.ts'
import { deprecationNotice } from '../src/deprecation.ts'
import { readOnlyFields } from '../src/ignored-parts.ts'
import type { Facts, OpenApiDocument, Operation, VersionFact } from '../src/model.ts'
import { addressesOf } from './addresses.ts'
import { markDecidedBounds } from './decided-bounds.ts'
import { attachErrors, type OperationDates } from './errors.ts'
import { expandExamples } from './examples.ts'
import { resolveFactReferences } from './fact-references.ts'
import { attachHeaders, type OperationPaths } from './headers.ts'
import { excludeDocumentedVariants } from './other-kinds.ts'
import { root } from './read-yaml.ts'
import { describeRoles } from './roles.ts'
import { type DemoSource, type HeaderSource, readDemo, readFacts, readHeaders } from './sources.ts'
import { attachVocabularies } from './vocabulary.ts'
import { operationsOf, rewrite } from './walk.ts'

const run = promisify(execFile)

export interface Sources {
  facts: Facts
  demo: DemoSource
  headers: HeaderSource
  /** The path of each operation, from all versions' documents. */
  paths: OperationPaths
  dates: OperationDates
}

/**
 * Resolves every `$ref` between files. A single process handles all versions because starting a process takes longer
 * than bundling a version.
 */
export async function resolveFiles(
  versions: VersionFact[],
  folder = root,
): Promise<Map<string, OpenApiDocument>> {
  const work = mkdtempSync(join(tmpdir(), 'svc-admin-bundle-'))
  try {
    const apis = Object.fromEntries(
      versions.map(({ id, folder: own }) => [
        id,
        { root: join(folder, own, 'openapi.yaml'), output: join(work, `${id}.json`) },
      ]),
    )
    const config = join(work, 'redocly.yaml')
    writeFileSync(config, JSON.stringify({ telemetry: 'off', apis }))
    const redocly = join(createRequire(import.meta.url).resolve('@redocly/cli/package.json'), '../bin/cli.js')
    await run(process.execPath, [redocly, 'bundle', '--config', config], {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    })
    return new Map(versions.map(({ id }) => [id, JSON.parse(readFileSync(join(work, `${id}.json`), 'utf8'))]))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Creates the documents to publish, one for each version. */
export async function bundle(versions: VersionFact[]): Promise<Map<string, OpenApiDocument>> {
  const resolving = resolveFiles(versions)
  // Read these files while Redocly is running.
  const sources = {
    facts: readFacts(),
    demo: readDemo(),
    headers: readHeaders(),
  }
  const resolved = await resolving
  const paths = new Map(
    [...resolved.values()].flatMap((document) =>
      [...operationsOf(document)].map(({ operation, path }) => [operation.operationId, path] as const),
    ),
  )
  return new Map(
    versions.map((version) => {
      const found = resolved.get(version.id)
      if (!found) throw new Error(`No document found for version ${version.id}.`)
      return [
        version.id,
        completeDocument(found, version, { ...sources, paths, dates: datesOf(resolved.values()) }),
      ]
    }),
  )
}

/** For each operation, returns the dates in the media types of its request body. */
function datesOf(documents: Iterable<OpenApiDocument>): OperationDates {
  const found = new Map<string, string[]>()
  for (const document of documents)
    for (const { operation } of operationsOf(document))
      for (const mediaType of Object.keys(operation.requestBody?.content ?? {})) {
        const date = dateOfMediaType(mediaType)
        const known = found.get(operation.operationId) ?? []
        if (date !== undefined && !known.includes(date)) found.set(operation.operationId, [...known, date])
      }
  return found
}

/** Creates a version's published document from its resolved source files and the facts. */
export function completeDocument(
  resolved: OpenApiDocument,
  version: VersionFact,
  sources: Sources,
): OpenApiDocument {
  const expanded = expandExamples(
    resolveFactReferences(resolved),
    sources.demo,
    sources.facts,
    addressesOf(resolved, version, sources.facts),
  ) as OpenApiDocument
  const document = attachVocabularies(withMediaTypeOf(expanded, version), sources.facts)
  document.components.responses ??= {}
  excludeDocumentedVariants(document)
  describeRoles(document, sources.facts.roles)
  for (const { operation } of operationsOf(document)) {
    applyDeprecation(operation, version)
    applyDecided(operation, version)
  }
  markDecidedBounds(document, version, sources.facts)
  describeIgnoredFields(document)
  attachErrors(document, version, sources.facts, sources.dates)
  attachHeaders(document, version.generation, sources.headers, sources.paths)
  dropUnusedTags(document)
  return document
}

/** Adds a sentence to the document's description that explains which fields operations ignore in request bodies. */
function describeIgnoredFields(document: OpenApiDocument): void {
  for (const { operation, method } of operationsOf(document)) {
    const { requestBody } = operation
    const isChange = method === 'put' || method === 'patch'
    if (!requestBody || !isChange || readOnlyFields(document, operation).length === 0) continue
    requestBody.description = `${requestBody.description} Read-only fields of the resource are ignored.`
  }
}

/**
 * Replaces dated media types in v1.0 with that version's media type. The media types are dated because v1.0 shares path
 * items with the first dated version of v2.
 */
function withMediaTypeOf(document: OpenApiDocument, version: VersionFact): OpenApiDocument {
  if (version.mediaType !== 'application/json') return document
  const dated = /^application\/vnd\.svc\.\d{4}-\d{2}-\d{2}\+json$/
  return rewrite(document, (node) =>
    Object.fromEntries(
      Object.entries(node).map(([key, value]) => [dated.test(key) ? version.mediaType : key, value]),
    ),
  ) as OpenApiDocument
}

function applyDeprecation(operation: OpenApiDocument['paths'][string]['get'], version: VersionFact): void {
  const deprecation = operation?.['x-deprecation']
  if (!operation || !deprecation) return
  if (deprecation.generation && deprecation.generation !== version.generation) {
    delete operation['x-deprecation']
    return
  }
  operation.deprecated = true
  if (deprecation.sunset) operation['x-sunset'] = deprecation.sunset
  operation.description = `${operation.description}\n\n${deprecationNotice(operation)}`
}

/**
 * Marks the parts of an operation that are our decision. The specification source gives the URL, success status and
 * deprecation of only a few operations. `x-stated` lists the parts that come from the source, and `x-decided-in` lists
 * the parts that the source gives only for other versions. The date of a deprecation is always our decision.
 */
function applyDecided(operation: Operation, version: VersionFact): void {
  const { 'x-stated': shown, 'x-deprecation': deprecation, 'x-decided-in': elsewhere } = operation
  const stated = Array.isArray(shown) ? shown : []
  delete operation['x-stated']
  delete operation['x-decided-in']
  const ofDeprecation = stated.includes('deprecation')
    ? ['deprecationDate', ...(deprecation?.sunset ? ['sunsetDate'] : [])]
    : ['deprecation']
  const decided = {
    ...marks(
      ['address', 'success'].filter((part) => !stated.includes(part)),
      'decided: Operations',
    ),
    ...marks(deprecation ? ofDeprecation : [], 'decided: Generations and versions'),
    ...operation['x-decided'],
    ...recordOf(recordOf(elsewhere)[version.id]),
  }
  if (Object.keys(decided).length > 0) operation['x-decided'] = decided
}

const marks = (parts: string[], decision: string): Record<string, string> =>
  Object.fromEntries(parts.map((part) => [part, decision]))

const recordOf = (value: unknown): Record<string, string> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

function dropUnusedTags(document: OpenApiDocument): void {
  const used = new Set([...operationsOf(document)].flatMap(({ operation }) => operation.tags))
  document.tags = document.tags.filter(({ name }) => used.has(name))
}
