import type { OperationId } from '@svc-admin/types'
import { always, forEach, type Rule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { isArray, type JsonObject, stringAt } from '../../document/json.ts'
import { kinds } from '../../given/clusters.ts'
import type { Exchange } from '../../http/exchange.ts'
import {
  bodyOf,
  expectError,
  expectRefusal,
  expectServed,
  expectSuccess,
  expectThat,
  isRefusal,
  isSuccess,
} from '../../model/expect.ts'
import { NotApplicable, Untestable, Violation } from '../../model/signals.ts'
import { childPath, prepared } from '../../resources/backups.ts'
import { ownCluster, sendRequest, unusedId } from '../../resources/own-resources.ts'
import {
  indexBody,
  type OwnIndex,
  ownIndex,
  seedIndex,
  textDefinition,
  vectorDefinition,
} from '../../resources/search.ts'
import { expectField, secondsIn, successfulResponse } from '../../resources/successful-response.ts'

const day = 24 * 3600

/** Changes an index, or replaces it with an index that a request creates. */
type Prepare = (trial: Trial, place: OwnIndex) => Promise<OwnIndex>

/** How an index and its cluster differ from a text search index with the status READY in a replica set. */
interface IndexKind {
  readonly cluster?: JsonObject
  readonly index?: JsonObject
  /** Whether the index isn't built yet. A server may reject the deletion until then. */
  readonly isUnbuilt?: boolean
  readonly prepare?: Prepare
}

const unbuilt = { queryable: false }

const seen = (trial: Trial, place: OwnIndex): Promise<Exchange> =>
  sendRequest(trial, place, {}, 'getSearchIndex')

/**
 * Returns a function that creates an index in the same cluster with a request. It's our decision that the other
 * operations find indexes in the legacy format.
 */
const createdWith =
  (operation: 'createSearchIndex' | 'createFtsIndex', fields: JsonObject): Prepare =>
  async (trial, { indexId: other, ...place }) => {
    const name = `new-${other}`
    const body = indexBody({ ...fields, name })
    const created = prepared(await sendRequest(trial, place, { body }, operation), 'an index')
    const indexId = stringAt(created, 'indexID') ?? ''
    const index = { ...childPath(place, { indexId, indexName: name }), indexId }
    prepared(await seen(trial, index), 'a new index in getSearchIndex')
    return index
  }

/** Updates the definition of the index, so that the index is built again. */
const updated: Prepare = async (trial, place) => {
  const body = { definition: textDefinition }
  prepared(await sendRequest(trial, place, { body }, 'updateSearchIndex'), 'an index that is built again')
  return place
}

const indexKinds: Readonly<Record<string, IndexKind>> = {
  '': {},
  'vector search index': { index: { type: 'vectorSearch', latestDefinition: vectorDefinition } },
  'failed index': { index: { ...unbuilt, status: 'FAILED' } },
  'sharded cluster': { cluster: kinds.shardedCluster },
  'pending index': { index: { ...unbuilt, status: 'PENDING' }, isUnbuilt: true },
  'building index': { index: { ...unbuilt, status: 'BUILDING' }, isUnbuilt: true },
  'new index': { prepare: createdWith('createSearchIndex', { definition: textDefinition }), isUnbuilt: true },
  'new index in the legacy format': { prepare: createdWith('createFtsIndex', {}), isUnbuilt: true },
  'updated index': { prepare: updated, isUnbuilt: true },
}

const removed = async (
  trial: Trial,
  { cluster, index, prepare, isUnbuilt }: IndexKind = {},
): Promise<OwnIndex> => {
  const seeded = await seedIndex(trial.context, await ownCluster(trial.context, cluster), index)
  const place = prepare === undefined ? seeded : await prepare(trial, seeded)
  const exchange = await sendRequest(trial, place)
  if (isUnbuilt) expectServed(exchange)
  else expectSuccess(exchange)
  return place
}

/**
 * After the deletion, the get and list operations either show the index with the status DELETING or no longer return
 * it. The specification allows a delay, so requiring an immediate effect is our decision.
 */
const removes: Rule = always(async (trial) => {
  const place = await removed(trial)
  const exchange = await seen(trial, place)
  if (isRefusal(exchange.response)) expectRefusal(exchange, 'RESOURCE_NOT_FOUND', 'the index was deleted')
  else expectField(successfulResponse(exchange), 'status', 'DELETING', 'decided')
  const list = successfulResponse(await sendRequest(trial, place, {}, 'listSearchIndexes'))
  const left = (isArray(list.body) ? list.body : []).filter(
    (index) => stringAt(index, 'status') !== 'DELETING',
  )
  expectThat(left.length === 0, {
    expected: 'a list without the index, or with the index in status DELETING',
    actual: left.map((index) => stringAt(index, 'status')).join(', '),
    exchange: list.exchange,
    strength: 'decided',
  })
})

const otherViews = ['getSearchIndexByName', 'listSearchIndexes', 'listCollectionSearchIndexes'] as const
const legacyView = ['listCollectionFtsIndexes'] as const

/** Returns the responses of all other get and list operations that still show the index. */
const shownElsewhere = async (trial: Trial, place: OwnIndex, views: readonly OperationId[] = otherViews) => {
  const shown: { view: OperationId; exchange: Exchange }[] = []
  for (const view of views) {
    const exchange = await sendRequest(trial, place, {}, view)
    const body = isSuccess(exchange) ? bodyOf(exchange) : []
    const indexes = isArray(body) ? body : [body]
    if (indexes.some((index) => stringAt(index, 'indexID') === place.indexId)) shown.push({ view, exchange })
  }
  return shown
}

const expectNotShown = (
  shown: readonly { readonly view: OperationId; readonly exchange: Exchange }[],
  why: string,
): void => {
  for (const { view, exchange } of shown)
    throw new Violation({
      expected: `${view} without the index, because ${why}`,
      actual: 'the deleted index',
      exchange,
      headline: `${view} still shows a deleted index`,
    })
}

/** Expects get and list operations to stop returning a deleted index. */
const expectEventuallyDeleted = async (trial: Trial, place: OwnIndex): Promise<void> => {
  const { advanceClock } = trial.context.prerequisites
  await advanceClock(secondsIn('search-index', 'DELETING'))
  const [soon, shownSoon] = [await seen(trial, place), await shownElsewhere(trial, place)]
  // The specification doesn't say how long a deletion takes. The check assumes that a deletion takes one day at most.
  if (soon.response.status < 400 || shownSoon.length > 0) await advanceClock(day)
  const why = 'the deletion is complete'
  expectRefusal(await seen(trial, place), 'RESOURCE_NOT_FOUND', why)
  expectNotShown(await shownElsewhere(trial, place), why)
  expectRefusal(soon, 'RESOURCE_NOT_FOUND', why, 'decided')
  expectRefusal(await sendRequest(trial, place), 'RESOURCE_NOT_FOUND', 'the index is gone', 'decided')
}

/** Expects a list that has shown the index in the legacy format to stop showing it after the deletion. */
const goneFromLegacyList: Rule = always(
  async (trial) => {
    const place = await ownIndex(trial.context)
    const look = () => shownElsewhere(trial, place, legacyView)
    if ((await look()).length === 0) throw new NotApplicable('the list does not contain the index')
    expectSuccess(await sendRequest(trial, place))
    await trial.context.prerequisites.advanceClock(day)
    expectNotShown(await look(), 'the deletion is complete')
  },
  { phase: 'alone', label: 'list in the legacy format' },
)

const expectNotDeleted = (exchange: Exchange): void =>
  expectThat(stringAt(successfulResponse(exchange).body, 'status') !== 'DELETING', {
    expected: 'a status other than DELETING',
    actual: 'DELETING',
    exchange,
  })

/** The deletion doesn't affect indexes with the same name in other collections or databases. */
const sparesNamesakes: Rule = always(
  async (trial) => {
    const place = await ownIndex(trial.context)
    const { indexName: name = '' } = place.parameters
    const others = [
      await seedIndex(trial.context, place, { name, collectionName: 'other' }),
      await seedIndex(trial.context, place, { name, database: 'other' }),
    ]
    expectSuccess(await sendRequest(trial, place))
    for (const other of others) expectNotDeleted(await seen(trial, other))
  },
  { label: 'other indexes with the same name' },
)

/** If any part of the index's name is wrong, the request returns 404 and deletes nothing. */
const otherNames = always(async (trial) => {
  const place = await ownIndex(trial.context)
  for (const name of ['databaseName', 'collectionName', 'indexName']) {
    const exchange = await sendRequest(trial, place, { parameters: { [name]: 'other' } })
    expectError(exchange, 'RESOURCE_NOT_FOUND', `no index has this ${name}`)
  }
  expectNotDeleted(await seen(trial, place))
})

export default rules({
  'deleteSearchIndex.removes': [removes, sparesNamesakes],

  'deleteSearchIndexByName.removes': [removes, sparesNamesakes],

  'deleteSearchIndex.unknown': always(async (trial) => {
    const parameters = { indexId: unusedId() }
    const exchange = await sendRequest(trial, await ownCluster(trial.context), { parameters })
    expectError(exchange, 'RESOURCE_NOT_FOUND', 'the cluster has no such index')
  }),

  'deleteSearchIndexByName.unknown': otherNames,

  'searchIndex.removal-eventually-consistent': [
    forEach(
      () => Object.entries(indexKinds),
      ([label]) => label,
      async (trial, [, kind]) => expectEventuallyDeleted(trial, await removed(trial, kind)),
      { phase: 'alone' },
    ),
    goneFromLegacyList,
  ],

  'searchIndex.removed-not-queryable': always(async (trial) => {
    const exchange = await seen(trial, await removed(trial))
    if (isRefusal(exchange.response)) throw new Untestable('an index that is still being deleted')
    expectField(successfulResponse(exchange), 'queryable', false)
  }),

  'searchIndex.removed-twice': always(async (trial) => {
    const place = await removed(trial)
    const exchange = await sendRequest(trial, place)
    // If the index is already gone, there is nothing to check.
    if (isRefusal(exchange.response) && isRefusal((await seen(trial, place)).response)) return
    expectSuccess(exchange)
  }),
})
