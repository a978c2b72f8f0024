import { type Json, type JsonObject, stringAt } from '../../document/json.ts'
import { expectThat } from '../../engine/expect.ts'
import { always, type Check, own, rules } from '../../engine/rule.ts'
import type { Trial } from '../../engine/trial.ts'
import {
  answered,
  arrayOf,
  expectContains,
  expectField,
  expectSame,
  expectText,
  secondsIn,
} from '../../given/answered.ts'
import { ask, askNewest, type OwnCluster, ownCluster } from '../../given/own-places.ts'
import { indexBody, lasting, namespace, ownIndex, seedIndex, textDefinition } from '../../given/search.ts'
import type { Exchange } from '../../http/exchange.ts'

const ofCollection = { databaseName: namespace.database, collectionName: namespace.collectionName }

const list = (trial: Trial, place: OwnCluster): Promise<Exchange> =>
  ask(trial, place, { parameters: ofCollection })

const idsIn = (items: readonly Json[]): string[] =>
  items.map((index) => stringAt(index, 'indexID') ?? '').sort()

const expectIds = (exchange: Exchange, ids: readonly string[]): void =>
  expectSame(exchange, 'indexes', idsIn(arrayOf(exchange)), [...ids].sort())

/** A list holds what the operation by identifier returns. */
const asByIdentifier = own(async (trial) => {
  const place = await ownIndex(trial.world)
  const exchange = await list(trial, place)
  const one = answered(await ask(trial, place, {}, 'getSearchIndex'))
  expectSame(exchange, 'the index', lasting(arrayOf(exchange)[0]), lasting(one.body))
})

/** Indexes of the collection, of another one, of another database, and of another cluster. */
const scattered = async (trial: Trial) => {
  const place = await ownCluster(trial.world)
  const own = await seedIndex(trial.world, place)
  const second = await seedIndex(trial.world, place)
  const others = [
    await seedIndex(trial.world, place, { collectionName: 'invoices' }),
    await seedIndex(trial.world, place, { database: 'archive' }),
  ]
  await ownIndex(trial.world)
  const here = [own.indexId, second.indexId]
  return { place, here, everywhere: [...here, ...others.map(({ indexId }) => indexId)] }
}

const onlyThisCollection = own(async (trial) => {
  const { place, here } = await scattered(trial)
  expectIds(await list(trial, place), here)
})

/** The status in the older shape of an index that is in a state. */
const shown =
  (state: string, expected: string): Check =>
  async (trial) => {
    const place = await ownIndex(trial.world, { status: state, queryable: state === 'READY' })
    const exchange = await list(trial, place)
    expectField({ exchange, body: arrayOf(exchange)[0] ?? null }, 'status', expected)
  }

export default rules({
  /** The indexes of a cluster are a bare array. */
  'listSearchIndexes.answers-with-search-indexes': asByIdentifier,

  /** Indexes of every collection of the cluster are listed, and of no other cluster. */
  'listSearchIndexes.every-collection': own(async (trial) => {
    const { place, everywhere } = await scattered(trial)
    expectIds(await ask(trial, place), everywhere)
  }),

  /** Indexes are listed with the oldest first. */
  'listSearchIndexes.oldest-first': own(async (trial) => {
    const place = await ownCluster(trial.world)
    const created = ['2025-03-02T10:00:00Z', '2025-03-01T10:00:00Z', '2025-03-03T10:00:00Z']
    const ids = new Map<string, string>()
    for (const createdAt of created) {
      const index = await seedIndex(trial.world, place, {
        latestDefinitionVersion: { version: 1, createdAt },
      })
      ids.set(createdAt, index.indexId)
    }
    const exchange = await ask(trial, place)
    const actual = arrayOf(exchange).map((index) => stringAt(index, 'indexID') ?? '')
    const expected = [...created].sort().map((createdAt) => ids.get(createdAt) ?? '')
    expectSame(exchange, 'the oldest first,', actual, expected)
  }),

  /** The indexes of a collection are a bare array. */
  'listCollectionSearchIndexes.answers-with-search-indexes': asByIdentifier,

  /** Only indexes of the database and collection are listed. */
  'listCollectionSearchIndexes.only-this-collection': onlyThisCollection,

  /** A collection without indexes has an empty array. */
  'listCollectionSearchIndexes.none-is-empty': own(async (trial) => {
    const exchange = await list(trial, await ownCluster(trial.world))
    expectSame(exchange, 'an empty array', answered(exchange).body, [])
  }),

  /** The indexes of a collection are a bare array in the older shape. */
  'listCollectionFtsIndexes.answers-with-fts-indexes': own(async (trial) => {
    const definition: JsonObject = { ...textDefinition, numPartitions: 2 }
    const place = await ownIndex(trial.world, { latestDefinition: definition })
    const exchange = await list(trial, place)
    const { indexId, parameters } = place
    const expected = { indexID: indexId, ...namespace, name: parameters.indexName ?? '', ...definition }
    expectContains(exchange, arrayOf(exchange)[0], expected)
  }),

  /** Only indexes of the database and collection are listed. */
  'listCollectionFtsIndexes.only-this-collection': onlyThisCollection,

  /** The indexes are those that listCollectionSearchIndexes lists, whichever shape they were created in. */
  'listCollectionFtsIndexes.same-indexes': own(async (trial) => {
    const place = await ownCluster(trial.world)
    answered(await ask(trial, place, { body: indexBody({ name: 'older' }) }, 'createFtsIndex'))
    const body = indexBody({ name: 'newer', definition: textDefinition })
    answered(await askNewest(trial, place, 'createSearchIndex', { body }))
    const older = await list(trial, place)
    const newer = await askNewest(trial, place, 'listCollectionSearchIndexes', { parameters: ofCollection })
    const ids = idsIn(arrayOf(newer))
    expectThat(ids.length === 2, { expected: 'both indexes', actual: `${ids.length}`, exchange: newer })
    expectIds(older, ids)
  }),

  /** An index that is built has the status STEADY. */
  'listCollectionFtsIndexes.steady': own(shown('READY', 'STEADY')),

  /** An index that cannot be built has the status FAILED. */
  'listCollectionFtsIndexes.failed': own(shown('FAILED', 'FAILED')),

  /** An index that is being removed has the status DELETING until it is gone. */
  'listCollectionFtsIndexes.deleting': always(
    async (trial) => {
      const place = await ownIndex(trial.world, { status: 'DELETING', queryable: false })
      const exchange = await list(trial, place)
      expectField({ exchange, body: arrayOf(exchange)[0] ?? null }, 'status', 'DELETING')
      await trial.world.prerequisites.advanceClock(secondsIn('search-index', 'DELETING'))
      expectIds(await list(trial, place), [])
    },
    { phase: 'alone' },
  ),

  /** The values of status are open. */
  'listCollectionFtsIndexes.status-open': own(async (trial) => {
    const exchange = await list(trial, await ownIndex(trial.world))
    expectText({ exchange, body: arrayOf(exchange)[0] ?? null }, 'status')
  }),
})
