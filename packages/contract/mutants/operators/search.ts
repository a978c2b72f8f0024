import { limits } from '@svc-admin/types'
import { isArray, isObject, type Json, parseJson, stringAt } from '../../src/document/json.ts'
import { errorResponse } from '../mutant.ts'
import type { ProxiedRequest } from '../proxy.ts'
import {
  acceptsInvalid,
  allowedAgain,
  another,
  type Body,
  breaking,
  changedRequest,
  granted,
  ignoredFields,
  ofCluster,
  onlyFirst,
  optional,
  otherDefault,
  paged,
  pretended,
  refused,
  responseField,
  sentIn,
  textIn,
  unknownId,
  type Way,
  without,
  withoutResponseFields,
  wrongItems,
} from './ways.ts'

const duplicate = [409, 'DUPLICATE_NAME'] as const
const tooOld = [400, 'TIER_NOT_SUPPORTED'] as const

const isUnfit = (analyzer: Json): boolean =>
  !isObject(analyzer) ||
  analyzer.tokenizer === undefined ||
  /^(lucene|builtin)\./.test(stringAt(analyzer, 'name') ?? 'lucene.')

const analyzersOf = ({ analyzers }: Body): readonly Json[] => (isArray(analyzers) ? analyzers : [])

const nameIn = (request: ProxiedRequest): string => textIn(sentIn(request), 'name')

/**
 * Makes the server reject an index if the cluster already has an index with the same name, even in a different
 * collection.
 */
const nameOnce = onlyFirst(
  'one of a name in the cluster',
  (request) => request.path + nameIn(request),
  duplicate,
)

/** Mutants that break the requirements for search indexes in the legacy format. */
export const ftsIndexes = breaking('fts indexes', {
  'createFtsIndex.answers-with-fts-index': [
    withoutResponseFields('status'),
    withoutResponseFields('indexID'),
    ignoredFields('mappings'),
    changedRequest('another name', (body) => ({ ...body, name: 'another' })),
  ],
  'createFtsIndex.number-of-partitions': [
    ...limits.numPartitions.values.map((count) =>
      refused(`${count} partitions`, ({ numPartitions }) => numPartitions === count),
    ),
    ...[0, 3, 5, 8, -1, 1.5].map((count) =>
      acceptsInvalid(
        `${count} partitions`,
        ({ numPartitions }) => numPartitions === count,
        (body) => ({ ...body, numPartitions: 1 }),
      ),
    ),
  ],
  'createFtsIndex.number-of-partitions-default': [otherDefault('numPartitions', 2)],
  'createFtsIndex.type-default': [withoutResponseFields('type'), responseField('type', 'vectorSearch')],
  'createFtsIndex.analyzer-default': [otherDefault('analyzer', 'lucene.simple')],
  'createFtsIndex.search-analyzer-default': [otherDefault('searchAnalyzer', 'lucene.simple')],
  'createFtsIndex.analyzers-of-the-list': [
    refused('a language', ({ analyzer }) => analyzer === 'lucene.swedish'),
    refused('a general one', ({ analyzer }) => analyzer === 'lucene.whitespace'),
  ],
  'createFtsIndex.search-analyzers-of-the-list': [
    refused('a language', ({ searchAnalyzer }) => searchAnalyzer === 'lucene.swedish'),
    ignoredFields('searchAnalyzer'),
  ],
  'createFtsIndex.analyzer-other-refused': [
    acceptsInvalid(
      'another analyzer',
      ({ analyzer }) => ['lucene.klingon', 'LUCENE.STANDARD', 'standard', ''].includes(String(analyzer)),
      without('analyzer'),
    ),
  ],
  'createFtsIndex.no-search-analyzer-in-v1': [
    acceptsInvalid('searchAnalyzer', (body) => 'searchAnalyzer' in body, without('searchAnalyzer')),
  ],
  'createFtsIndex.own-analyzers': [
    ignoredFields('analyzers'),
    acceptsInvalid('an unfit analyzer', (body) => analyzersOf(body).some(isUnfit), without('analyzers')),
    granted(409, 'equal names'),
  ],
  'createFtsIndex.stored-source-boolean': [
    changedRequest('true is forgotten', without('storedSource'), ({ storedSource }) => storedSource === true),
  ],
  'createFtsIndex.stored-source-fields': [
    changedRequest('fields are forgotten', without('storedSource'), ({ storedSource }) =>
      isObject(storedSource),
    ),
    refused('fields', ({ storedSource }) => isObject(storedSource)),
  ],
  'createFtsIndex.stored-source-default': [otherDefault('storedSource', true)],
  'createFtsIndex.synonyms': [ignoredFields('synonyms')],
  'createFtsIndex.name-unique': [allowedAgain(409)],
  'createFtsIndex.name-of-other-collection': [nameOnce],
  'listCollectionFtsIndexes.answers-with-fts-indexes': [paged],
  'listCollectionFtsIndexes.only-this-collection': wrongItems('indexID'),
})

const definitionOf = ({ definition }: Body): Body => (isObject(definition) ? definition : {})

const dynamic: Body = { mappings: { dynamic: true } }

const otherDefinition = changedRequest('another definition', (body) => ({ ...body, definition: dynamic }))

const ofAnIndex: readonly Way[] = [another('indexID'), withoutResponseFields('latestDefinition')]

const updated = {
  'stores-definition': [otherDefinition, pretended],
  'text-definition': [
    refused('partitions', (body) => 'numPartitions' in definitionOf(body)),
    changedRequest('stored source forgotten', (body) => ({
      ...body,
      definition: without('storedSource')(definitionOf(body)),
    })),
  ],
  'vector-definition': [refused('fields', (body) => 'fields' in definitionOf(body)), otherDefinition],
  'definition-required': [optional('definition', dynamic)],
  'deleting-refused': [granted(409)],
  'builds-again': [responseField('status', 'READY', 'BUILDING')],
} as const

/** Mutants that break the requirements for search indexes. */
export const searchIndexes = breaking('search indexes', {
  'createSearchIndex.answers-with-search-index': [another('indexID'), withoutResponseFields('status')],
  'createSearchIndex.latest-definition': [otherDefinition],
  'createSearchIndex.type-default': [responseField('type', 'vectorSearch')],
  'createSearchIndex.definition-required': [optional('definition', dynamic)],
  'createSearchIndex.name-unique': [allowedAgain(409)],
  'createSearchIndex.name-of-other-collection': [nameOnce],
  'createSearchIndex.own-analyzers-rules': [
    acceptsInvalid(
      'an unfit analyzer',
      (body) => analyzersOf(definitionOf(body)).some(isUnfit),
      (body) => ({ ...body, definition: without('analyzers')(definitionOf(body)) }),
    ),
    refused('analyzers', (body) => analyzersOf(definitionOf(body)).length > 0),
    granted(409, 'equal names'),
  ],
  'searchIndex.pending-first': [responseField('status', 'READY', 'PENDING')],
  'searchIndex.not-queryable-at-first': [responseField('queryable', true, false)],
  'searchIndex.building': [
    responseField('status', 'READY', 'BUILDING'),
    responseField('queryable', true, false),
  ],
  'searchIndex.ready': [
    responseField('status', 'BUILDING', 'READY'),
    responseField('queryable', false, true),
  ],
  'searchIndex.failed': [responseField('status', 'READY', 'FAILED')],
  'searchIndex.removal-eventually-consistent': [pretended],
  'getSearchIndex.answers-with-search-index': ofAnIndex,
  'getSearchIndexByName.answers-with-search-index': ofAnIndex,
  'listSearchIndexes.answers-with-search-indexes': [paged],
  'listSearchIndexes.every-collection': wrongItems('indexID'),
  'listCollectionSearchIndexes.answers-with-search-indexes': [paged],
  'listCollectionSearchIndexes.only-this-collection': wrongItems('indexID'),
  'updateSearchIndex.stores-definition': updated['stores-definition'],
  'updateSearchIndex.text-definition': updated['text-definition'],
  'updateSearchIndex.vector-definition': updated['vector-definition'],
  'updateSearchIndex.definition-required': updated['definition-required'],
  'updateSearchIndex.deleting-refused': updated['deleting-refused'],
  'updateSearchIndex.builds-again': updated['builds-again'],
  'updateSearchIndexByName.stores-definition': updated['stores-definition'],
  'updateSearchIndexByName.text-definition': updated['text-definition'].slice(0, 1),
  'updateSearchIndexByName.vector-definition': updated['vector-definition'],
  'updateSearchIndexByName.definition-required': updated['definition-required'],
  'updateSearchIndexByName.deleting-refused': updated['deleting-refused'],
  'updateSearchIndexByName.builds-again': updated['builds-again'],
  'deleteSearchIndex.removes': [pretended],
  'deleteSearchIndexByName.removes': [pretended],
  'search.database-version': [
    granted(
      400,
      'an old version',
      ofCluster(({ databaseVersion }) => databaseVersion !== undefined),
    ),
    refused(
      'a recent version',
      ofCluster(({ databaseVersion }) => databaseVersion === '10.0.3'),
      tooOld,
    ),
  ],
})

/** Returns the analyzers in a request body. */
const sentList = ({ body }: ProxiedRequest): readonly Json[] => {
  const list = body === undefined ? undefined : parseJson(body)
  return isArray(list) ? list : []
}

const storedList = (what: string, change: (analyzers: readonly Json[]) => Json): Way => ({
  what,
  make: () => () => (request, forward) =>
    forward(
      sentList(request).length > 0
        ? { ...request, body: JSON.stringify(change(sentList(request))) }
        : request,
    ),
})

const refusedList = (what: string, concerns: (analyzer: Body) => boolean): Way => ({
  what: `${what} rejected`,
  make: () => () => async (request, forward) =>
    sentList(request).some((one) => isObject(one) && concerns(one))
      ? errorResponse(400, 'VALIDATION_ERROR', 'Refused')
      : forward(request),
})

const filtersOf = (analyzer: Body, field: string): readonly Json[] => {
  const filters = analyzer[field]
  return isArray(filters) ? filters : []
}

const hasFilter =
  (field: string, kind: string) =>
  (analyzer: Body): boolean =>
    filtersOf(analyzer, field).some((filter) => stringAt(filter, 'type') === kind)

const prefixed = (prefix: string): Way =>
  storedList(`a name with ${prefix} taken`, (analyzers) =>
    analyzers.filter((one) => !(stringAt(one, 'name') ?? '').startsWith(prefix)),
  )

/** Mutants that break the requirements for a cluster's user-defined analyzers. */
export const analyzers = breaking('analyzers', {
  'listSearchAnalyzers.answers-with-analyzers': [paged, ...wrongItems('name').slice(0, 1)],
  'updateSearchAnalyzers.replaces-all': [
    storedList('the first alone', (list) => list.slice(0, 1)),
    pretended,
  ],
  'updateSearchAnalyzers.name-required': [
    storedList('no name taken', (list) => list.filter((one) => stringAt(one, 'name') !== undefined)),
  ],
  'updateSearchAnalyzers.tokenizer-required': [
    storedList('no tokenizer taken', (list) => list.filter((one) => isObject(one) && 'tokenizer' in one)),
  ],
  'updateSearchAnalyzers.name-unique': [
    granted(409),
    storedList('the first of a name stays', (list) => [
      ...new Map([...list].reverse().map((one) => [stringAt(one, 'name'), one])).values(),
    ]),
  ],
  'updateSearchAnalyzers.prefix-lucene': [prefixed('lucene.')],
  'updateSearchAnalyzers.prefix-builtin': [prefixed('builtin.')],
  'updateSearchAnalyzers.char-filter-kinds': [
    refusedList('persian', hasFilter('charFilters', 'persian')),
    refusedList('htmlStrip', hasFilter('charFilters', 'htmlStrip')),
  ],
  'updateSearchAnalyzers.token-filter-kinds': [
    refusedList('lowercase', hasFilter('tokenFilters', 'lowercase')),
    refusedList('shingle', hasFilter('tokenFilters', 'shingle')),
  ],
  'updateSearchAnalyzers.filters-optional': [
    refusedList('no filters', (one) => !('charFilters' in one) && !('tokenFilters' in one)),
  ],
})

const specsOf = ({ specs }: Body): readonly Json[] => (isArray(specs) ? specs : [])

const oneSpec: readonly Way[] = [
  refused('one specification', (body) => specsOf(body).length === 1),
  acceptsInvalid(
    'no specification',
    (body) => 'specs' in body && specsOf(body).length === 0,
    (body) => ({ ...body, specs: [{ instanceSize: 'S20_HIGHCPU_NVME', nodeCount: 2 }] }),
  ),
  acceptsInvalid(
    'two specifications',
    (body) => specsOf(body).length > 1,
    (body) => ({ ...body, specs: specsOf(body).slice(0, 1) }),
  ),
]

const ofNodes: readonly Way[] = [
  withoutResponseFields('stateName'),
  withoutResponseFields('id'),
  responseField('groupId', unknownId),
]

/** Mutants that break the requirements for search nodes. */
export const searchNodes = breaking('search nodes', {
  'createSearchNodes.answers-with-search-nodes': ofNodes,
  'createSearchNodes.exactly-one-spec': oneSpec,
  'createSearchNodes.begins-updating': [responseField('stateName', 'IDLE', 'UPDATING')],
  'createSearchNodes.second-refused': [granted(409)],
  'updateSearchNodes.answers-with-search-nodes': ofNodes,
  'updateSearchNodes.exactly-one-spec': oneSpec,
})
