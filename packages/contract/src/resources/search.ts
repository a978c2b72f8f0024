import type { Trial } from '../check/trial.ts'
import type { Json, JsonObject } from '../document/json.ts'
import type { Cell } from '../model/api.ts'
import type { RunContext } from '../run-context/run-context.ts'
import { kindsOf } from './known-values.ts'
import {
  type OwnCluster,
  type OwnProject,
  ownCluster,
  seedAt,
  sendRequest,
  sendToNewest,
  unusedId,
} from './own-resources.ts'
import {
  expectContains,
  fieldOf,
  only,
  type SuccessfulResponse,
  successfulResponse,
} from './successful-response.ts'

/** A new search index with its ID, name and cluster. */
export interface OwnIndex extends OwnCluster {
  readonly indexId: string
}

/** The default namespace of an index. */
export const namespace = { database: 'sales', collectionName: 'orders' } as const

/** The definition of a text search index. */
export const textDefinition: JsonObject = {
  analyzer: 'lucene.swedish',
  mappings: { dynamic: false, fields: { customerName: { type: 'string' } } },
}

export const vectorDefinition: JsonObject = {
  fields: [{ type: 'vector', path: 'embedding', numDimensions: 8, similarity: 'cosine' }],
}

const demoIndex = ({ demo }: RunContext): JsonObject => demo.rows.searchIndexes?.[0] ?? {}

/** Seeds an index. By default, the index is READY and queryable. */
export const seedIndex = async (
  context: RunContext,
  place: OwnCluster,
  differs: JsonObject = {},
): Promise<OwnIndex> => {
  const indexId = unusedId()
  const name = `index-${indexId}`
  const { statusDetail: _, ...like } = demoIndex(context)
  const row: JsonObject = { ...like, ...namespace, name, ...differs, indexID: indexId }
  await seedAt(context, 'searchIndexes', place, `/search/indexes/${indexId}`, row)
  const names = {
    indexId,
    indexName: String(row.name),
    databaseName: String(row.database),
    collectionName: String(row.collectionName),
  }
  return { ...place, indexId, parameters: { ...place.parameters, ...names } }
}

/** Seeds an index in a new cluster. */
export const ownIndex = async (context: RunContext, differs: JsonObject = {}): Promise<OwnIndex> =>
  seedIndex(context, await ownCluster(context), differs)

export const readIndex = async (
  trial: Trial,
  place: OwnProject,
  indexId: string,
): Promise<SuccessfulResponse> =>
  successfulResponse(await sendToNewest(trial, place, 'getSearchIndex', { parameters: { indexId } }))

const lastingFields = [
  'indexID',
  'database',
  'collectionName',
  'name',
  'type',
  'latestDefinition',
  'latestDefinitionVersion',
] as const

/** Returns the documented fields of an index, except those that change over time. */
export const lasting = (index: Json | undefined): Json => only(index, ...lastingFields)

/** Returns the body for creating an index, in the format of the version under test. */
export const indexBody = (fields: JsonObject = {}): JsonObject => ({
  ...namespace,
  name: 'default',
  ...fields,
})

/** Returns a valid user-defined analyzer. */
export const analyzer = (fields: JsonObject = {}): JsonObject => ({
  name: 'own',
  tokenizer: { type: 'whitespace' },
  ...fields,
})

const filterSchemas = { charFilters: 'CharFilter', tokenFilters: 'TokenFilter' } as const

export type FilterField = keyof typeof filterSchemas

/** Returns an analyzer for each kind of filter, and another analyzer with all kinds of filters. */
export const analyzersOfEachKind = (cell: Cell, field: FilterField): JsonObject[] => {
  const filters = kindsOf(cell, filterSchemas[field])
  const each = filters.map((filter, index) => analyzer({ name: `${field}-${index}`, [field]: [filter] }))
  return [...each, analyzer({ name: field, [field]: filters })]
}

/** Returns analyzers with all kinds of filters. */
export const analyzersOfAllKinds = (cell: Cell): JsonObject[] => [
  ...analyzersOfEachKind(cell, 'charFilters'),
  ...analyzersOfEachKind(cell, 'tokenFilters'),
]

interface Unfit {
  readonly label: string
  readonly why: string
  readonly analyzers: readonly JsonObject[]
}

const { name: _name, ...nameless } = analyzer()
const { tokenizer: _tokenizer, ...untokenized } = analyzer()

/**
 * Analyzers that the specification doesn't allow. Duplicate names are tested separately, because they cause a different
 * error.
 */
export const unfitAnalyzers: readonly Unfit[] = [
  { label: 'no name', why: 'the analyzer has no name', analyzers: [nameless] },
  { label: 'no tokenizer', why: 'the analyzer has no tokenizer', analyzers: [untokenized] },
  {
    label: 'prefix lucene.',
    why: 'the name starts with lucene.',
    analyzers: [analyzer({ name: 'lucene.own' })],
  },
  {
    label: 'prefix builtin.',
    why: 'the name starts with builtin.',
    analyzers: [analyzer({ name: 'builtin.own' })],
  },
]

/** Two analyzers with the same name, and a third analyzer between them. */
export const namesakes: readonly JsonObject[] = [
  analyzer(),
  analyzer({ name: 'between' }),
  analyzer({ tokenizer: { type: 'keyword' } }),
]

export const ownAnalyzers = async (
  context: RunContext,
  analyzers: readonly JsonObject[],
): Promise<OwnCluster> => {
  const place = await ownCluster(context)
  await seedAt(context, 'searchAnalyzers', place, '/fts/analyzers', { analyzers })
  return place
}

/** Seeds a search node deployment. By default, the deployment is IDLE. */
export const seedNodes = async (
  context: RunContext,
  place: OwnCluster,
  differs: JsonObject = {},
): Promise<OwnCluster & { id: string }> => {
  const id = unusedId()
  const like = context.demo.rows.searchNodes?.[0] ?? {}
  const row: JsonObject = { ...like, groupId: place.groupId, stateName: 'IDLE', ...differs, id }
  await seedAt(context, 'searchNodes', place, '/search/deployment', row)
  return { ...place, id }
}

/** Seeds a search node deployment in a new cluster. */
export const ownNodes = async (
  context: RunContext,
  differs: JsonObject = {},
): Promise<OwnCluster & { id: string }> => seedNodes(context, await ownCluster(context), differs)

/**
 * Expects the latest definition to contain everything from the request. The specification says only that the definition
 * is an object.
 */
export const expectDefined = ({ body, exchange }: SuccessfulResponse, sent: JsonObject): void =>
  expectContains(exchange, fieldOf(body, 'latestDefinition'), sent, { strength: 'decided' })

/** Creates an index with the operation under test. */
export const createIndex = async (
  trial: Trial,
  place: OwnProject,
  body: JsonObject,
): Promise<SuccessfulResponse> => successfulResponse(await sendRequest(trial, place, { body }))
