import { always, type Check, ownResourceRule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { type Json, type JsonObject, stringAt } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import { expectThat } from '../../model/expect.ts'
import { type OwnCluster, ownCluster, sendRequest, sendToNewest } from '../../resources/own-resources.ts'
import { indexBody, lasting, namespace, ownIndex, seedIndex, textDefinition } from '../../resources/search.ts'
import {
  arrayOf,
  expectContains,
  expectField,
  expectSame,
  expectText,
  secondsIn,
  successfulResponse,
} from '../../resources/successful-response.ts'

const ofCollection = { databaseName: namespace.database, collectionName: namespace.collectionName }

const list = (trial: Trial, place: OwnCluster): Promise<Exchange> =>
  sendRequest(trial, place, { parameters: ofCollection })

const idsIn = (items: readonly Json[]): string[] =>
  items.map((index) => stringAt(index, 'indexID') ?? '').sort()

const expectIds = (exchange: Exchange, ids: readonly string[]): void =>
  expectSame(exchange, 'indexes', idsIn(arrayOf(exchange)), [...ids].sort())

/** Expects the list to contain the index with the same fields that the get operation returns. */
const asByIdentifier = ownResourceRule(async (trial) => {
  const place = await ownIndex(trial.context)
  const exchange = await list(trial, place)
  const one = successfulResponse(await sendRequest(trial, place, {}, 'getSearchIndex'))
  expectSame(exchange, 'the index of getSearchIndex,', lasting(arrayOf(exchange)[0]), lasting(one.body))
})

/** Creates an index in the collection, in another collection, in another database, and in another cluster. */
const scattered = async (trial: Trial) => {
  const place = await ownCluster(trial.context)
  const own = await seedIndex(trial.context, place)
  const second = await seedIndex(trial.context, place)
  const others = [
    await seedIndex(trial.context, place, { collectionName: 'invoices' }),
    await seedIndex(trial.context, place, { database: 'archive' }),
  ]
  await ownIndex(trial.context)
  const here = [own.indexId, second.indexId]
  return { place, here, everywhere: [...here, ...others.map(({ indexId }) => indexId)] }
}

const onlyThisCollection = ownResourceRule(async (trial) => {
  const { place, here } = await scattered(trial)
  expectIds(await list(trial, place), here)
})

/** Expects an index in the given state to have the `expected` status in the legacy format. */
const shown =
  (state: string, expected: string): Check =>
  async (trial) => {
    const place = await ownIndex(trial.context, { status: state, queryable: state === 'READY' })
    const exchange = await list(trial, place)
    expectField({ exchange, body: arrayOf(exchange)[0] ?? null }, 'status', expected)
  }

export default rules({
  'listSearchIndexes.answers-with-search-indexes': asByIdentifier,

  'listSearchIndexes.every-collection': ownResourceRule(async (trial) => {
    const { place, everywhere } = await scattered(trial)
    expectIds(await sendRequest(trial, place), everywhere)
  }),

  'listSearchIndexes.oldest-first': ownResourceRule(async (trial) => {
    const place = await ownCluster(trial.context)
    const created = ['2025-03-02T10:00:00Z', '2025-03-01T10:00:00Z', '2025-03-03T10:00:00Z']
    const ids = new Map<string, string>()
    for (const createdAt of created) {
      const index = await seedIndex(trial.context, place, {
        latestDefinitionVersion: { version: 1, createdAt },
      })
      ids.set(createdAt, index.indexId)
    }
    const exchange = await sendRequest(trial, place)
    const actual = arrayOf(exchange).map((index) => stringAt(index, 'indexID') ?? '')
    const expected = [...created].sort().map((createdAt) => ids.get(createdAt) ?? '')
    expectSame(exchange, 'the oldest indexes first,', actual, expected)
  }),

  'listCollectionSearchIndexes.answers-with-search-indexes': asByIdentifier,

  'listCollectionSearchIndexes.only-this-collection': onlyThisCollection,

  'listCollectionSearchIndexes.none-is-empty': ownResourceRule(async (trial) => {
    const exchange = await list(trial, await ownCluster(trial.context))
    expectSame(exchange, 'an empty array', successfulResponse(exchange).body, [])
  }),

  'listCollectionFtsIndexes.answers-with-fts-indexes': ownResourceRule(async (trial) => {
    const definition: JsonObject = { ...textDefinition, numPartitions: 2 }
    const place = await ownIndex(trial.context, { latestDefinition: definition })
    const exchange = await list(trial, place)
    const { indexId, parameters } = place
    const expected = { indexID: indexId, ...namespace, name: parameters.indexName ?? '', ...definition }
    expectContains(exchange, arrayOf(exchange)[0], expected)
  }),

  'listCollectionFtsIndexes.only-this-collection': onlyThisCollection,

  'listCollectionFtsIndexes.same-indexes': ownResourceRule(async (trial) => {
    const place = await ownCluster(trial.context)
    successfulResponse(
      await sendRequest(trial, place, { body: indexBody({ name: 'older' }) }, 'createFtsIndex'),
    )
    const body = indexBody({ name: 'newer', definition: textDefinition })
    successfulResponse(await sendToNewest(trial, place, 'createSearchIndex', { body }))
    const older = await list(trial, place)
    const newer = await sendToNewest(trial, place, 'listCollectionSearchIndexes', {
      parameters: ofCollection,
    })
    const ids = idsIn(arrayOf(newer))
    expectThat(ids.length === 2, { expected: 'both indexes', actual: `${ids.length}`, exchange: newer })
    expectIds(older, ids)
  }),

  'listCollectionFtsIndexes.steady': ownResourceRule(shown('READY', 'STEADY')),

  'listCollectionFtsIndexes.failed': ownResourceRule(shown('FAILED', 'FAILED')),

  'listCollectionFtsIndexes.deleting': always(
    async (trial) => {
      const place = await ownIndex(trial.context, { status: 'DELETING', queryable: false })
      const exchange = await list(trial, place)
      expectField({ exchange, body: arrayOf(exchange)[0] ?? null }, 'status', 'DELETING')
      await trial.context.prerequisites.advanceClock(secondsIn('search-index', 'DELETING'))
      expectIds(await list(trial, place), [])
    },
    { phase: 'alone' },
  ),

  'listCollectionFtsIndexes.status-open': ownResourceRule(async (trial) => {
    const exchange = await list(trial, await ownIndex(trial.context))
    expectText({ exchange, body: arrayOf(exchange)[0] ?? null }, 'status')
  }),
})
