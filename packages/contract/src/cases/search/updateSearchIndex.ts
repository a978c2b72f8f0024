import { withGenerated } from '../../check/generated.ts'
import { always, type Rule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { storableObject } from '../../document/arbitrary.ts'
import { inspect, type JsonObject, numberAt, objectAt } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import { expectError, expectSuccess, expectThat } from '../../model/expect.ts'
import { ownCluster, sendRequest, unusedId } from '../../resources/own-resources.ts'
import {
  analyzersOfAllKinds,
  expectDefined,
  namesakes,
  type OwnIndex,
  ownIndex,
  readIndex,
  textDefinition,
  vectorDefinition,
} from '../../resources/search.ts'
import {
  accepted,
  expectField,
  expectState,
  refused,
  secondsIn,
  successfulResponse,
} from '../../resources/successful-response.ts'

/** The same rules test updates by ID and updates by name, because these differ only in how they identify the index. */

const newDefinition: JsonObject = { mappings: { dynamic: true }, analyzer: 'lucene.simple' }

const update = (trial: Trial, place: OwnIndex, definition: JsonObject = newDefinition): Promise<Exchange> =>
  sendRequest(trial, place, { body: { definition } })

const takes = (definition: JsonObject, type: string): Rule =>
  always(async (trial) => {
    const place = await ownIndex(trial.context, { type })
    const updated = successfulResponse(await update(trial, place, definition))
    for (const seen of [updated, await readIndex(trial, place, place.indexId)]) {
      expectDefined(seen, definition)
      expectField(seen, 'type', type)
    }
  })

/** Expects the server to store any definition exactly as it was sent. */
const keepsDefinition = withGenerated(
  async (generate, { context }) => {
    const place = await ownIndex(context)
    return storableObject(generate).map((mappings) => ({ place, definition: { ...newDefinition, mappings } }))
  },
  async (trial, { place, definition }) => {
    expectDefined(accepted(await update(trial, place, definition), 'the definition'), definition)
    expectDefined(await readIndex(trial, place, place.indexId), definition)
  },
)

/**
 * Expects the server to accept a definition with all kinds of filters. The format of filters in requests is our
 * decision.
 */
const takesAllFilters = always(
  async (trial) => {
    const definition = { ...newDefinition, analyzers: analyzersOfAllKinds(trial.cell) }
    const exchange = await update(trial, await ownIndex(trial.context), definition)
    expectSuccess(exchange, 'a success for analyzers with all kinds of filters', 'decided')
    expectDefined(successfulResponse(exchange), definition)
  },
  { label: 'all filter kinds' },
)

const buildsAgain = always(
  async (trial) => {
    const place = await ownIndex(trial.context)
    expectField(successfulResponse(await update(trial, place)), 'status', 'BUILDING')
    await trial.context.prerequisites.advanceClock(secondsIn('search-index', 'BUILDING'))
    const seen = await readIndex(trial, place, place.indexId)
    expectField(seen, 'status', 'READY')
    expectDefined(seen, newDefinition)
  },
  { phase: 'alone' },
)

const higherVersion = always(async (trial) => {
  const latestDefinitionVersion = { version: 3, createdAt: '2025-10-12T13:05:44Z' }
  const place = await ownIndex(trial.context, { latestDefinitionVersion })
  const { body, exchange } = successfulResponse(await update(trial, place))
  const after = numberAt(objectAt(body, 'latestDefinitionVersion'), 'version')
  expectThat(after !== undefined && after > latestDefinitionVersion.version, {
    expected: `a version above ${latestDefinitionVersion.version}`,
    actual: `version ${inspect(after)}`,
    exchange,
  })
})

const staysQueryable = always(async (trial) => {
  const place = await ownIndex(trial.context)
  expectField(successfulResponse(await update(trial, place)), 'queryable', true)
  expectField(await readIndex(trial, place, place.indexId), 'queryable', true)
})

const deletingRefused = always(async (trial) => {
  const place = await ownIndex(trial.context)
  expectSuccess(await sendRequest(trial, place, {}, 'deleteSearchIndex'))
  const exchange = await update(trial, place)
  const gone = exchange.response.status === 404
  expectError(exchange, gone ? 'RESOURCE_NOT_FOUND' : 'INVALID_STATE', 'the index is being deleted')
})

const definitionRequired = always(async (trial) =>
  refused(
    await sendRequest(trial, await ownIndex(trial.context), { body: {} }),
    'the body has no definition',
  ),
)

export default rules({
  'updateSearchIndex.analyzers-unique': always(async (trial) => {
    const place = await ownIndex(trial.context)
    const exchange = await update(trial, place, { ...textDefinition, analyzers: namesakes })
    expectError(exchange, 'DUPLICATE_NAME', 'two analyzers have the same name')
    expectState(await readIndex(trial, place, place.indexId), 'search-index', 'READY')
  }),

  'updateSearchIndex.stores-definition': [takes(textDefinition, 'search'), keepsDefinition],
  'updateSearchIndexByName.stores-definition': [takes(textDefinition, 'search'), keepsDefinition],

  'updateSearchIndex.text-definition': [
    takes(
      {
        ...newDefinition,
        searchAnalyzer: 'lucene.simple',
        numPartitions: 2,
        storedSource: { exclude: ['note'] },
        synonyms: [{ name: 'carriers', analyzer: 'lucene.simple', source: { collection: 'synonyms' } }],
      },
      'search',
    ),
    takesAllFilters,
  ],
  'updateSearchIndexByName.text-definition': [
    takes({ ...newDefinition, numPartitions: 4, storedSource: true }, 'search'),
    takesAllFilters,
  ],

  'updateSearchIndex.vector-definition': takes(vectorDefinition, 'vectorSearch'),
  'updateSearchIndexByName.vector-definition': takes(vectorDefinition, 'vectorSearch'),

  'updateSearchIndex.builds-again': buildsAgain,
  'updateSearchIndexByName.builds-again': buildsAgain,

  'updateSearchIndex.higher-version': higherVersion,
  'updateSearchIndexByName.higher-version': higherVersion,

  'updateSearchIndex.stays-queryable': staysQueryable,
  'updateSearchIndexByName.stays-queryable': staysQueryable,

  'updateSearchIndex.deleting-refused': deletingRefused,
  'updateSearchIndexByName.deleting-refused': deletingRefused,

  'updateSearchIndex.definition-required': definitionRequired,
  'updateSearchIndexByName.definition-required': definitionRequired,

  'updateSearchIndex.unknown': always(async (trial) => {
    const place = await ownCluster(trial.context)
    const exchange = await sendRequest(trial, place, {
      parameters: { indexId: unusedId() },
      body: { definition: newDefinition },
    })
    expectError(exchange, 'RESOURCE_NOT_FOUND', 'the cluster has no such index')
  }),

  'updateSearchIndexByName.unknown': always(async (trial) => {
    const place = await ownIndex(trial.context)
    for (const name of ['databaseName', 'collectionName', 'indexName']) {
      const exchange = await sendRequest(trial, place, {
        parameters: { [name]: 'other' },
        body: { definition: newDefinition },
      })
      expectError(exchange, 'RESOURCE_NOT_FOUND', `no index has this ${name}`)
    }
  }),
})
