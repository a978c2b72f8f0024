import type { OpenApiDocument, VersionFact } from '@svc-admin/spec'
import type { VersionChoice } from '../content/block.ts'
import type { Inputs } from '../inputs.ts'
import { byOperation, type OperationChanges } from './changes.ts'
import { type Decisions, decisionsOf } from './decisions.ts'
import { type OperationModel, operationsOf } from './operation-model.ts'
import { type Usage, usageOf } from './usage.ts'

/** A document and the data derived from it. */
export interface VersionModel {
  readonly id: string
  readonly fact: VersionFact
  readonly prefix: string
  readonly document: OpenApiDocument
  readonly operations: readonly OperationModel[]
  readonly byId: ReadonlyMap<string, OperationModel>
  readonly areas: ReadonlyMap<string, readonly OperationModel[]>
  readonly usage: Usage
  /** The previous version of the same generation. */
  readonly previous?: string
  /** New and changed operations since the previous version. */
  readonly changes: ReadonlyMap<string, OperationChanges>
}

export interface SiteModel {
  readonly inputs: Inputs
  readonly versions: readonly VersionModel[]
  readonly newest: VersionModel
  readonly decisions: Decisions
  /** Every operation id of any version, with the versions that have it. */
  readonly operationIds: ReadonlyMap<string, readonly VersionModel[]>
}

/** Derives the pages' data from the documents and facts. */
export function siteModel(inputs: Inputs): SiteModel {
  const versions: VersionModel[] = []
  for (const fact of inputs.facts.versions) versions.push(versionModel(inputs, fact, versions))
  const newest = versions.at(-1)
  if (!newest) throw new Error('No documents found.')
  const operationIds = new Map<string, VersionModel[]>()
  for (const version of versions)
    for (const id of version.byId.keys()) operationIds.set(id, [...(operationIds.get(id) ?? []), version])
  return { inputs, versions, newest, operationIds, decisions: decisionsOf(inputs.ledger) }
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
  for (const each of operations) groups.set(each.tag, [...(groups.get(each.tag) ?? []), each])
  return groups
}

/** The choices of a page's version switch: the same page in each version, or the version's overview. */
export function choicesFor(
  model: SiteModel,
  part: string,
  exists: (version: VersionModel) => boolean,
): VersionChoice[] {
  return model.versions.map((version) => ({
    version: version.id,
    exists: exists(version),
    href: exists(version) ? `/${version.id}/${part}` : `/${version.id}/`,
  }))
}
