import { withGenerated } from '../../check/generated.ts'
import { always, forEach, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { storableObject } from '../../document/arbitrary.ts'
import { type JsonObject, stringAt } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import { expectError, expectRefusal, expectThat, isRefusal } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { expectSameAsEarlier } from '../../resources/earlier-response.ts'
import { ownCluster, sendRequest } from '../../resources/own-resources.ts'
import {
  analyzer,
  analyzersOfAllKinds,
  createIndex,
  expectDefined,
  indexBody,
  lasting,
  namesakes,
  ownIndex,
  readIndex,
  textDefinition,
  unfitAnalyzers,
  vectorDefinition,
} from '../../resources/search.ts'
import { expectOneIndex } from '../../resources/simultaneous-indexes.ts'
import {
  accepted,
  expectContains,
  expectDefault,
  expectField,
  expectFields,
  expectOneOf,
  fieldOf,
  refused,
  secondsIn,
  successfulResponse,
} from '../../resources/successful-response.ts'

const bodyWith = (definition: JsonObject, fields: JsonObject = {}): JsonObject =>
  indexBody({ definition, ...fields })

const attempt = async (trial: Trial, body: JsonObject): Promise<Exchange> =>
  sendRequest(trial, await ownCluster(trial.context), { body })

const twice = async (trial: Trial): Promise<Exchange> => {
  const place = await ownCluster(trial.context)
  await createIndex(trial, place, bodyWith(textDefinition))
  return sendRequest(trial, place, { body: bodyWith(textDefinition) })
}

/** Deletes an index, and creates another index with the same name. Returns the response and the old index's path. */
const afterRemoval = async (trial: Trial) => {
  const old = await ownIndex(trial.context)
  const removal = await sendRequest(trial, old, {}, 'deleteSearchIndex')
  if (removal.response.status >= 300) throw new Untestable('an index that can be deleted')
  const again = () =>
    sendRequest(trial, old, { body: bodyWith(textDefinition, { name: old.parameters.indexName ?? '' }) })
  return { old, again, exchange: await again() }
}

export default rules({
  'createSearchIndex.answers-with-search-index': always(async (trial) => {
    const place = await ownCluster(trial.context)
    const made = await createIndex(trial, place, bodyWith(textDefinition))
    expectContains(made.exchange, made.body, indexBody())
    expectFields(made, 'indexID', 'status', 'queryable', 'latestDefinitionVersion')
    const again = await readIndex(trial, place, stringAt(made.body, 'indexID') ?? '')
    expectSameAsEarlier(again.exchange, lasting(again.body), {
      operation: 'createSearchIndex',
      value: lasting(made.body),
    })
  }),

  'createSearchIndex.latest-definition': always(async (trial) =>
    expectDefined(successfulResponse(await attempt(trial, bodyWith(textDefinition))), textDefinition),
  ),

  'createSearchIndex.type-default': always(async (trial) =>
    expectDefault(successfulResponse(await attempt(trial, bodyWith(textDefinition))), 'type', 'search'),
  ),

  'createSearchIndex.definition-required': always(async (trial) =>
    refused(await attempt(trial, indexBody()), 'the body has no definition'),
  ),

  'createSearchIndex.definition-open': [
    forEach(
      () => [
        {
          label: 'other fields',
          definition: { mappings: { dynamic: true }, somethingElse: [1] },
          type: 'search',
        },
        { label: 'other partitions', definition: { ...textDefinition, numPartitions: 3 }, type: 'search' },
        { label: 'vector search', definition: vectorDefinition, type: 'vectorSearch' },
      ],
      ({ label }) => label,
      async (trial, { definition, type }) => {
        const made = accepted(await attempt(trial, bodyWith(definition, { type })), 'the definition')
        expectDefined(made, definition)
      },
    ),
    withGenerated(
      (generate) => storableObject(generate).map((mappings) => ({ ...textDefinition, mappings })),
      async (trial, definition) => {
        const place = await ownCluster(trial.context)
        const made = accepted(
          await sendRequest(trial, place, { body: bodyWith(definition) }),
          'the definition',
        )
        expectDefined(made, definition)
        expectDefined(await readIndex(trial, place, stringAt(made.body, 'indexID') ?? ''), definition)
      },
    ),
  ],

  'createSearchIndex.name-unique': [
    always(async (trial) =>
      expectRefusal(await twice(trial), 'DUPLICATE_NAME', 'an index in the namespace already has this name'),
    ),
    always((trial) => expectOneIndex(trial, bodyWith(textDefinition)), {
      label: 'simultaneous requests',
      phase: 'alone',
    }),
  ],

  'createSearchIndex.name-unique-code': always(async (trial) =>
    expectError(await twice(trial), 'DUPLICATE_NAME', 'an index in the namespace already has this name'),
  ),

  'createSearchIndex.name-of-other-collection': forEach(
    (): JsonObject[] => [{ collectionName: 'invoices' }, { database: 'archive' }],
    (other) => Object.keys(other).join(),
    async (trial, other) => {
      const place = await ownCluster(trial.context)
      await createIndex(trial, place, bodyWith(textDefinition))
      await createIndex(trial, place, bodyWith(textDefinition, other))
    },
  ),

  'createSearchIndex.own-analyzers-rules': [
    always(
      async (trial) => {
        const definition = { ...textDefinition, analyzers: [analyzer()] }
        expectDefined(successfulResponse(await attempt(trial, bodyWith(definition))), definition)
      },
      { label: 'valid analyzers' },
    ),
    always(
      async (trial) => {
        const definition = { ...textDefinition, analyzers: analyzersOfAllKinds(trial.cell) }
        const exchange = await attempt(trial, bodyWith(definition))
        expectDefined(
          successfulResponse(exchange, 'a success for analyzers with all kinds of filters'),
          definition,
        )
      },
      { label: 'all filter kinds' },
    ),
    forEach(
      () => unfitAnalyzers,
      ({ label }) => label,
      async (trial, { analyzers, why }) =>
        refused(await attempt(trial, bodyWith({ ...textDefinition, analyzers })), why),
    ),
    always(
      async (trial) =>
        expectRefusal(
          await attempt(trial, bodyWith({ ...textDefinition, analyzers: namesakes })),
          'DUPLICATE_NAME',
          'two analyzers have the same name',
        ),
      { label: 'equal names' },
    ),
  ],

  'searchIndex.pending-first': always(async (trial) =>
    expectOneOf(successfulResponse(await attempt(trial, bodyWith(textDefinition))), 'status', [
      'PENDING',
      'BUILDING',
    ]),
  ),

  'searchIndex.not-queryable-at-first': always(async (trial) => {
    const made = successfulResponse(await attempt(trial, bodyWith(textDefinition)))
    expectField(made, 'queryable', fieldOf(made.body, 'status') === 'READY')
  }),

  'searchIndex.name-taken-until-gone': [
    always(async (trial) => {
      const { old, exchange } = await afterRemoval(trial)
      if (exchange.response.status >= 400)
        return expectRefusal(exchange, 'DUPLICATE_NAME', 'an index that is being deleted has this name')
      const { response } = await sendRequest(trial, old, {}, 'getSearchIndex')
      expectThat(isRefusal(response), {
        expected: 'an error while the index with this name is being deleted',
        actual: `status ${exchange.response.status}`,
        exchange,
      })
    }),
    always(
      async (trial) => {
        const { again } = await afterRemoval(trial)
        await trial.context.prerequisites.advanceClock(secondsIn('search-index', 'DELETING'))
        successfulResponse(await again(), 'a success, because the index with this name is gone')
      },
      { label: 'after the deletion', phase: 'alone' },
    ),
  ],
})
