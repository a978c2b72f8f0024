import { limits } from '@svc-admin/types'
import { withGenerated } from '../../check/generated.ts'
import { always, forEach, type Rule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { storableObject } from '../../document/arbitrary.ts'
import type { JsonObject } from '../../document/json.ts'
import { isArray, stringAt } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import { bodyOf, expectError, expectRefusal, expectSuccess, expectThat } from '../../model/expect.ts'
import { knownOf, valuesOf } from '../../resources/known-values.ts'
import {
  hasOperation,
  type OwnCluster,
  ownCluster,
  sendRequest,
  sendToNewest,
} from '../../resources/own-resources.ts'
import {
  analyzer,
  analyzersOfAllKinds,
  createIndex,
  indexBody,
  namesakes,
  namespace,
  readIndex,
  unfitAnalyzers,
} from '../../resources/search.ts'
import { expectOneIndex } from '../../resources/simultaneous-indexes.ts'
import {
  accepted,
  arrayOf,
  expectContains,
  expectDefault,
  expectField,
  expectFields,
  expectOneOf,
  fieldOf,
  refused,
  successfulResponse,
} from '../../resources/successful-response.ts'

const attempt = async (trial: Trial, fields: JsonObject): Promise<Exchange> =>
  sendRequest(trial, await ownCluster(trial.context), { body: indexBody(fields) })

/** Expects the server to accept an index with this field, and the response to contain the field. */
const keeps = (name: string, ...values: readonly JsonObject[string][]): Rule =>
  forEach(
    () => values,
    (value) => JSON.stringify(value),
    async (trial, value) => {
      const exchange = await attempt(trial, { [name]: value })
      expectContains(exchange, fieldOf(successfulResponse(exchange).body, name), value)
    },
  )

/** Expects the response to contain the default value if the request omits the field. */
const defaultsTo = (name: string, value: string | number | boolean): Rule =>
  always(async (trial) => expectDefault(successfulResponse(await attempt(trial, {})), name, value))

/**
 * Expects the server to accept every analyzer that the document lists. To save time, creates all indexes in one
 * cluster.
 */
const takesTheList = (name: 'analyzer' | 'searchAnalyzer'): Rule =>
  always(async (trial) => {
    const place = await ownCluster(trial.context)
    for (const value of valuesOf(trial.cell, 'AnalyzerName')) {
      const body = indexBody({ name: value.replace('.', '-'), [name]: value })
      const exchange = await sendRequest(trial, place, { body })
      expectSuccess(exchange, `a success for ${value}`)
      expectField({ exchange, body: bodyOf(exchange) }, name, value)
    }
  })

/**
 * If this version has an operation that lists indexes in this format, expects the first index in the list to have these
 * fields.
 */
const expectListed = async (trial: Trial, place: OwnCluster, fields: JsonObject): Promise<void> => {
  if (!hasOperation(trial, 'listCollectionFtsIndexes')) return
  const parameters = { databaseName: namespace.database, collectionName: namespace.collectionName }
  const exchange = await sendRequest(trial, place, { parameters }, 'listCollectionFtsIndexes')
  const [first] = arrayOf(exchange)
  expectContains(exchange, first, fields)
}

const whole: JsonObject = {
  analyzer: 'lucene.swedish',
  numPartitions: 2,
  mappings: { dynamic: false, fields: { note: { type: 'string' } } },
  analyzers: [analyzer({ charFilters: [], tokenFilters: [{ type: 'lowercase' }] })],
}

/** Expects the server to accept undocumented fields, and a later GET to return them. */
const keepsOpen = async (trial: Trial, fields: JsonObject): Promise<void> => {
  const place = await ownCluster(trial.context)
  const sent = indexBody(fields)
  const made = accepted(await sendRequest(trial, place, { body: sent }), 'an undocumented field')
  expectContains(made.exchange, made.body, sent)
  await expectListed(trial, place, sent)
}

const twice = async (trial: Trial): Promise<Exchange> => {
  const place = await ownCluster(trial.context)
  await createIndex(trial, place, indexBody())
  return sendRequest(trial, place, { body: indexBody() })
}

export default rules({
  'createFtsIndex.answers-with-fts-index': always(async (trial) => {
    const place = await ownCluster(trial.context)
    const sent = indexBody(whole)
    const { exchange, body } = await createIndex(trial, place, sent)
    expectContains(exchange, body, sent)
    expectFields({ exchange, body }, 'indexID', 'status')
    await expectListed(trial, place, knownOf(trial, 'createFtsIndex', body, 'status', 'links'))
  }),

  'createFtsIndex.number-of-partitions': [
    keeps('numPartitions', ...limits.numPartitions.values),
    forEach(
      () => [0, 3, 5, 8, -1, 1.5],
      (count) => `invalid ${count}`,
      async (trial, numPartitions) =>
        refused(await attempt(trial, { numPartitions }), 'the number of partitions is not supported'),
    ),
  ],

  'createFtsIndex.number-of-partitions-default': defaultsTo('numPartitions', limits.numPartitions.default),

  'createFtsIndex.type-default': defaultsTo('type', 'search'),

  'createFtsIndex.analyzer-default': defaultsTo('analyzer', 'lucene.standard'),

  'createFtsIndex.search-analyzer-default': defaultsTo('searchAnalyzer', 'lucene.standard'),

  'createFtsIndex.analyzers-of-the-list': takesTheList('analyzer'),

  'createFtsIndex.search-analyzers-of-the-list': takesTheList('searchAnalyzer'),

  'createFtsIndex.analyzer-other-refused': forEach(
    () => ['lucene.klingon', 'LUCENE.STANDARD', 'standard', ''],
    (name) => JSON.stringify(name),
    async (trial, name) => refused(await attempt(trial, { analyzer: name }), 'the analyzer is not supported'),
  ),

  'createFtsIndex.no-search-analyzer-in-v1': always(async (trial) =>
    refused(await attempt(trial, { searchAnalyzer: 'lucene.standard' }), 'v1.0 has no such field'),
  ),

  'createFtsIndex.own-analyzers': [
    keeps('analyzers', [analyzer(), analyzer({ name: 'other' })]),
    always(
      async (trial) => {
        const analyzers = analyzersOfAllKinds(trial.cell)
        const exchange = await attempt(trial, { analyzers })
        expectSuccess(exchange, 'a success for analyzers with all kinds of filters', 'decided')
        expectContains(exchange, fieldOf(bodyOf(exchange), 'analyzers'), analyzers, { strength: 'decided' })
      },
      { label: 'all filter kinds' },
    ),
    forEach(
      () => unfitAnalyzers,
      ({ label }) => label,
      async (trial, { analyzers, why }) => refused(await attempt(trial, { analyzers }), why),
    ),
    always(
      async (trial) =>
        expectRefusal(
          await attempt(trial, { analyzers: namesakes }),
          'DUPLICATE_NAME',
          'two analyzers have the same name',
        ),
      { label: 'equal names' },
    ),
  ],

  'createFtsIndex.stored-source-boolean': keeps('storedSource', true),

  'createFtsIndex.stored-source-fields': keeps(
    'storedSource',
    { include: ['customerName'] },
    { exclude: ['note', 'history'] },
  ),

  'createFtsIndex.stored-source-default': defaultsTo('storedSource', false),

  'createFtsIndex.synonyms': keeps('synonyms', [
    { name: 'carriers', analyzer: 'lucene.standard', source: { collection: 'carrier_synonyms' } },
    { name: 'cities', analyzer: 'lucene.swedish', source: { collection: 'city_synonyms' } },
  ]),

  'createFtsIndex.inner-shapes-open': [
    forEach(
      (): JsonObject[] => [
        { mappings: { dynamic: true, somethingElse: { inner: 1 } } },
        { synonyms: [{ name: 'carriers', source: { collection: 'a' }, somethingElse: true }] },
      ],
      (fields) => Object.keys(fields).join(),
      keepsOpen,
    ),
    withGenerated(
      (generate) => storableObject(generate).map((somethingElse) => ({ mappings: { somethingElse } })),
      keepsOpen,
    ),
  ],

  'createFtsIndex.name-unique': [
    always(async (trial) =>
      expectRefusal(await twice(trial), 'DUPLICATE_NAME', 'an index in the namespace already has this name'),
    ),
    always((trial) => expectOneIndex(trial, indexBody()), {
      label: 'simultaneous requests',
      phase: 'alone',
    }),
  ],

  'createFtsIndex.name-unique-code': always(async (trial) =>
    expectError(await twice(trial), 'DUPLICATE_NAME', 'an index in the namespace already has this name'),
  ),

  'createFtsIndex.name-of-other-collection': forEach(
    (): JsonObject[] => [{ collectionName: 'invoices' }, { database: 'archive' }],
    (other) => Object.keys(other).join(),
    async (trial, other) => {
      const place = await ownCluster(trial.context)
      await createIndex(trial, place, indexBody())
      await createIndex(trial, place, indexBody(other))
    },
  ),

  'createFtsIndex.begins-in-progress': always(async (trial) =>
    expectOneOf(successfulResponse(await attempt(trial, {})), 'status', ['IN_PROGRESS']),
  ),

  'createFtsIndex.same-index-in-newer-shape': always(async (trial) => {
    const place = await ownCluster(trial.context)
    const { body } = await createIndex(trial, place, indexBody(whole))
    const { exchange, body: index } = await readIndex(trial, place, stringAt(body, 'indexID') ?? '')
    expectContains(exchange, index, indexBody())
    expectContains(exchange, fieldOf(index, 'latestDefinition'), whole)
    const all = await sendToNewest(trial, place, 'listSearchIndexes')
    const listed = successfulResponse(all).body
    const found = isArray(listed) && listed.length === 1
    expectThat(found, { expected: 'a list with the index', actual: 'a list without it', exchange: all })
  }),
})
