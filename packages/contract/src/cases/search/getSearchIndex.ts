import { always, rules } from '../../check/rule.ts'
import { type JsonObject, stringAt } from '../../document/json.ts'
import { expectError } from '../../model/expect.ts'
import { ownCluster, sendRequest, unusedId } from '../../resources/own-resources.ts'
import { indexBody, lasting, namespace, ownIndex, textDefinition } from '../../resources/search.ts'
import {
  expectField,
  expectOneOf,
  expectSame,
  expectSeeded,
  expectState,
  expectText,
  fieldOf,
  secondsIn,
  successfulResponse,
} from '../../resources/successful-response.ts'

/** The index is created in the write phase, because other checks count indexes in the read phase. */
const arranged = { phase: 'write' } as const

const unbuilt = { queryable: false }

const returnsOne = always(async (trial) => {
  const { indexId, parameters, ...place } = await ownIndex(trial.context, {
    latestDefinition: textDefinition,
    latestDefinitionVersion: { version: 7, createdAt: '2025-10-01T12:00:00Z' },
  })
  const seen = successfulResponse(await sendRequest(trial, { ...place, parameters }))
  const expected: JsonObject = {
    indexID: indexId,
    ...namespace,
    name: parameters.indexName ?? '',
    latestDefinition: textDefinition,
    latestDefinitionVersion: { version: 7 },
    queryable: true,
  }
  expectSeeded(trial.cell, seen, expected)
  expectState(seen, 'search-index', 'READY')
}, arranged)

export default rules({
  'getSearchIndex.answers-with-search-index': returnsOne,

  'getSearchIndexByName.answers-with-search-index': [
    returnsOne,
    always(
      async (trial) => {
        const place = await ownIndex(trial.context)
        const byName = successfulResponse(await sendRequest(trial, place))
        const byId = successfulResponse(await sendRequest(trial, place, {}, 'getSearchIndex'))
        expectSame(
          byName.exchange,
          'the same index as by its identifier',
          lasting(byName.body),
          lasting(byId.body),
        )
      },
      { ...arranged, label: 'same as by ID' },
    ),
  ],

  'getSearchIndex.unknown': always(async (trial) => {
    const place = await ownCluster(trial.context)
    const parameters = { indexId: unusedId() }
    expectError(
      await sendRequest(trial, place, { parameters }),
      'RESOURCE_NOT_FOUND',
      'the cluster has no such index',
    )
  }, arranged),

  'getSearchIndexByName.unknown': always(async (trial) => {
    const place = await ownIndex(trial.context)
    for (const name of ['databaseName', 'collectionName', 'indexName']) {
      const exchange = await sendRequest(trial, place, { parameters: { [name]: 'other' } })
      expectError(exchange, 'RESOURCE_NOT_FOUND', `no index has this ${name}`)
    }
  }, arranged),

  'searchIndex.building': always(
    async (trial) => {
      const place = await ownIndex(trial.context, { ...unbuilt, status: 'PENDING' })
      await trial.context.prerequisites.advanceClock(secondsIn('search-index', 'PENDING'))
      const seen = successfulResponse(await sendRequest(trial, place))
      expectField(seen, 'status', 'BUILDING')
      expectField(seen, 'queryable', false)
    },
    { phase: 'alone' },
  ),

  'searchIndex.ready': always(
    async (trial) => {
      const place = await ownCluster(trial.context)
      const body = indexBody({ definition: textDefinition })
      const made = successfulResponse(await sendRequest(trial, place, { body }, 'createSearchIndex'))
      const parameters = { indexId: stringAt(made.body, 'indexID') ?? '' }
      await trial.context.prerequisites.advanceClock(secondsIn('search-index', 'PENDING', 'BUILDING'))
      const seen = successfulResponse(await sendRequest(trial, place, { parameters }))
      expectField(seen, 'status', 'READY')
      expectField(seen, 'queryable', true)
    },
    { phase: 'alone' },
  ),

  'searchIndex.failed': always(async (trial) => {
    const { prerequisites } = trial.context
    const place = await ownIndex(trial.context, { ...unbuilt, status: 'BUILDING' })
    const { groupId, clusterName, indexId } = place
    await prerequisites.arrange('search-indexes/fail', {
      groupId,
      clusterName,
      indexId,
      message: 'No such field.',
    })
    const seen = successfulResponse(await sendRequest(trial, place))
    expectField(seen, 'status', 'FAILED')
    expectField(seen, 'queryable', false)
  }, arranged),

  'searchIndex.status-open': always(async (trial) => {
    const seen = successfulResponse(await sendRequest(trial, await ownIndex(trial.context)))
    expectText(seen, 'status')
    expectText(seen, 'type')
    if (fieldOf(seen.body, 'synonymMappingStatus') !== undefined) expectText(seen, 'synonymMappingStatus')
    expectOneOf(seen, 'status', ['READY'])
  }, arranged),
})
