import type { Json, JsonObject } from '../document/json.ts'
import type { Trial } from '../engine/trial.ts'
import type { RunContext } from '../run-context/run-context.ts'
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

/** A Search index that nothing else uses, by its identifier and by its name. */
export interface OwnIndex extends OwnCluster {
  readonly indexId: string
}

/** Where the indexes of a check are, unless it says otherwise. */
export const namespace = { database: 'sales', collectionName: 'orders' } as const

/** A definition of a text-search index. */
export const textDefinition: JsonObject = {
  analyzer: 'lucene.swedish',
  mappings: { dynamic: false, fields: { customerName: { type: 'string' } } },
}

export const vectorDefinition: JsonObject = {
  fields: [{ type: 'vector', path: 'embedding', numDimensions: 8, similarity: 'cosine' }],
}

const demoIndex = ({ demo }: RunContext): JsonObject => demo.rows.searchIndexes?.[0] ?? {}

/** Puts an index in place, READY and queryable unless it is to differ. */
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

/** An index in a cluster of its own. */
export const ownIndex = async (context: RunContext, differs: JsonObject = {}): Promise<OwnIndex> =>
  seedIndex(context, await ownCluster(context), differs)

/** An index as it is seen now, by its identifier. */
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

/** What the documents know of an index and time does not change. */
export const lasting = (index: Json | undefined): Json => only(index, ...lastingFields)

/** An index in either shape as a create operation takes it. */
export const indexBody = (fields: JsonObject = {}): JsonObject => ({
  ...namespace,
  name: 'default',
  ...fields,
})

/** A user-defined analyzer that keeps every rule. */
export const analyzer = (fields: JsonObject = {}): JsonObject => ({
  name: 'own',
  tokenizer: { type: 'whitespace' },
  ...fields,
})

interface Unfit {
  readonly label: string
  readonly why: string
  readonly analyzers: readonly JsonObject[]
}

const { name: _name, ...nameless } = analyzer()
const { tokenizer: _tokenizer, ...untokenized } = analyzer()

/** Analyzers that break a stated rule, but for those of equal names, which are another error. */
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

/** Analyzers of equal names. */
export const namesakes: readonly JsonObject[] = [analyzer(), analyzer({ tokenizer: { type: 'keyword' } })]

/** Analyzers in a cluster of its own. */
export const ownAnalyzers = async (
  context: RunContext,
  analyzers: readonly JsonObject[],
): Promise<OwnCluster> => {
  const place = await ownCluster(context)
  await seedAt(context, 'searchAnalyzers', place, '/fts/analyzers', { analyzers })
  return place
}

/** Puts a deployment of Search nodes in place, IDLE unless it is to differ. */
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

/** A deployment of Search nodes in a cluster of its own. */
export const ownNodes = async (
  context: RunContext,
  differs: JsonObject = {},
): Promise<OwnCluster & { id: string }> => seedNodes(context, await ownCluster(context), differs)

/** The latest definition has all that was sent. The source says no more of it than that it is an object. */
export const expectDefined = ({ body, exchange }: SuccessfulResponse, sent: JsonObject): void =>
  expectContains(exchange, fieldOf(body, 'latestDefinition'), sent, 'decided')

/** Creates an index in the version of the cell; the operation of the cell is a create operation. */
export const createIndex = async (
  trial: Trial,
  place: OwnProject,
  body: JsonObject,
): Promise<SuccessfulResponse> => successfulResponse(await sendRequest(trial, place, { body }))
