import type { components } from '@svc-admin/types/newest'
import { ftsStatusOf } from '../../domain/search/fts-status.ts'
import { settingsOf, synonymNames } from '../../domain/search/index-definition.ts'
import type { CurrentIndex } from '../../domain/search/index-state.ts'
import { Stored } from '../../domain/stored.ts'
import { timestamp } from '../../domain/timestamp.ts'
import type { SearchIndex } from '../../persistence/search-indexes.ts'

type Shown<Name extends 'SearchIndex' | 'FtsIndex'> = Omit<components['schemas'][Name], 'links'>

/** Builds an index's document, including the index's state on each of the cluster's hosts. */
export function indexDocument(index: SearchIndex, seen: CurrentIndex, hostnames: readonly string[]) {
  const definition = index.definition.value()
  const failure = seen.status === 'FAILED' && index.failure !== '' ? { message: index.failure } : {}
  const document: Shown<'SearchIndex'> = {
    indexID: index.id,
    database: index.database,
    collectionName: index.collectionName,
    name: index.name,
    type: index.type,
    ...seen,
    latestDefinition: definition,
    latestDefinitionVersion: { version: index.version, createdAt: timestamp(index.definedAt) },
    statusDetail: hostnames.map((hostname) => ({ hostname, ...seen, ...failure })),
    ...synonymStatus(synonymNames(definition), seen),
  }
  return Stored.of(document)
}

/**
 * Returns the status of the synonyms, which are built with the index. The result is empty if the index is being deleted
 * or has no synonyms.
 */
function synonymStatus(names: readonly string[], { status, queryable }: CurrentIndex) {
  if (names.length === 0 || status === 'DELETING') return {}
  const synonymMappingStatus = status === 'PENDING' ? 'BUILDING' : status
  const detail = { status: synonymMappingStatus, queryable }
  return { synonymMappingStatus, synonymMappingStatusDetail: names.map((name) => ({ [name]: detail })) }
}

/** Builds an index's document in the legacy format, where the fields of the definition are at the top level. */
export function ftsDocument(index: SearchIndex, { status }: CurrentIndex) {
  const document: Shown<'FtsIndex'> = {
    indexID: index.id,
    database: index.database,
    collectionName: index.collectionName,
    name: index.name,
    type: index.type,
    ...settingsOf(index.definition.value()),
    status: ftsStatusOf(status),
  }
  return Stored.of(document)
}
