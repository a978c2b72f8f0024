import type { OpenApiDocument, VersionChanges, VersionFact } from '@svc-admin/spec'
import type { VersionChoice } from '../content/block.ts'
import type { Inputs } from '../inputs.ts'
import { byOperation, type OperationChanges, withDeprecations } from './changes.ts'
import { type Decisions, decisionsOf } from './decisions.ts'
import { type OperationModel, operationsOf } from './operation-model.ts'
import { type Spans, spansOf } from './same.ts'
import { type Usage, usageOf } from './usage.ts'

/** An OpenAPI document and the data derived from it. */
export interface VersionModel {
  readonly id: string
  readonly fact: VersionFact
  readonly prefix: string
  readonly document: OpenApiDocument
  readonly operations: readonly OperationModel[]
  readonly byId: ReadonlyMap<string, OperationModel>
  readonly areas: ReadonlyMap<string, readonly OperationModel[]>
  readonly usage: Usage
  /** The previous version in the same generation. */
  readonly previous?: string
  /** The operations that are new in this version or have changed since the previous version. */
  readonly changes: ReadonlyMap<string, OperationChanges>
}

export interface SiteModel {
  readonly inputs: Inputs
  readonly versions: readonly VersionModel[]
  readonly newest: VersionModel
  readonly decisions: Decisions
  /**
   * The changes between each version and every later version. A deprecation is listed if it was announced between the
   * two versions.
   */
  readonly changelog: readonly VersionChanges[]
  /** Finds the versions in which an operation or schema is the same. */
  readonly spans: Spans<VersionModel>
  /** For each operation ID, the versions that include the operation. */
  readonly operationIds: ReadonlyMap<string, readonly VersionModel[]>
}

/** Derives the data for all pages from the documents and facts. */
export function siteModel(inputs: Inputs): SiteModel {
  const dated = new Map(
    inputs.facts.versions.flatMap((fact) => {
      const document = inputs.documents.get(fact.id)
      return document ? [[fact.id, { id: fact.id, fact, document }] as const] : []
    }),
  )
  const changelog = inputs.changelog.map((each) => withDeprecations(each, dated))
  const versions: VersionModel[] = []
  for (const fact of inputs.facts.versions)
    versions.push(versionModel({ ...inputs, changelog }, fact, versions))
  const newest = versions.at(-1)
  if (!newest) throw new Error('No documents found.')
  const operationIds = new Map<string, VersionModel[]>()
  for (const version of versions)
    for (const id of version.byId.keys()) operationIds.set(id, [...(operationIds.get(id) ?? []), version])
  return {
    inputs,
    versions,
    newest,
    changelog,
    operationIds,
    decisions: decisionsOf(inputs.ledger),
    spans: spansOf(versions),
  }
}

function versionModel(inputs: Inputs, fact: VersionFact, before: readonly VersionModel[]): VersionModel {
  const document = inputs.documents.get(fact.id)
  if (!document) throw new Error(`No document found for version ${fact.id}.`)
  const operations = operationsOf(document)
  const previous = before.findLast((each) => each.fact.generation === fact.generation)
  const changes = inputs.changelog.find(
    ({ before: from, after }) => from === previous?.id && after === fact.id,
  )
  return {
    id: fact.id,
    fact,
    prefix: inputs.facts.generations[fact.generation]?.prefix ?? '',
    document,
    operations,
    byId: new Map(operations.map((each) => [each.id, each])),
    areas: groupByTag(operations),
    usage: usageOf(document, operations),
    ...(previous && { previous: previous.id }),
    changes: changes ? byOperation(changes) : new Map(),
  }
}

function groupByTag(operations: readonly OperationModel[]): Map<string, OperationModel[]> {
  const groups = new Map<string, OperationModel[]>()
  // In each group, deprecated operations come after the operations that replace them.
  const current = operations.filter(({ operation }) => !operation.deprecated)
  const deprecated = operations.filter(({ operation }) => operation.deprecated)
  for (const { tag } of operations) groups.set(tag, [])
  for (const each of [...current, ...deprecated]) groups.get(each.tag)?.push(each)
  return groups
}

/**
 * Returns the entries in a page's version switch. Each entry links to the same page in a different version, or to that
 * version's overview if the version doesn't have the page.
 *
 * @param span The versions that share this page.
 */
export function choicesFor(
  model: SiteModel,
  part: string,
  exists: (version: VersionModel) => boolean,
  span: readonly VersionModel[],
): VersionChoice[] {
  const holder = span.at(-1)
  return model.versions.map((version) => {
    if (span.includes(version) && version !== holder) {
      const { prefix, fact } = version
      const sends = prefix === holder?.prefix ? undefined : { prefix, mediaType: fact.mediaType }
      return { version: version.id, exists: true, href: `?version=${version.id}`, ...(sends && { sends }) }
    }
    const href = exists(version) ? `/${version.id}/${part}` : `/${version.id}/`
    return { version: version.id, exists: exists(version), href }
  })
}
