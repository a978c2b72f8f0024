import { withGenerated } from '../../check/generated.ts'
import { always, forEach, ownResourceRule, type Rule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { storableObject, storableText } from '../../document/arbitrary.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import { expectError, expectRefusal, isSuccess } from '../../model/expect.ts'
import { prepared } from '../../resources/backups.ts'
import { ownCluster, type ResourcePath, sendRequest } from '../../resources/own-resources.ts'
import { clusterOfSetting } from '../../resources/provided-resources.ts'
import {
  analyzer,
  analyzersOfEachKind,
  type FilterField,
  namesakes,
  ownAnalyzers,
} from '../../resources/search.ts'
import {
  accepted,
  arrayOf,
  expectContains,
  expectItems,
  expectSame,
  refused,
  successfulResponse,
} from '../../resources/successful-response.ts'

/** Returns a cluster with analyzers that the check can change. */
const changeable = (trial: Trial): Promise<ResourcePath> => clusterOfSetting(trial, 'listSearchAnalyzers')

const put = (trial: Trial, place: ResourcePath, analyzers: readonly JsonObject[]): Promise<Exchange> =>
  sendRequest(trial, place, { body: analyzers }, 'updateSearchAnalyzers')

const attempt = async (trial: Trial, ...analyzers: readonly JsonObject[]): Promise<Exchange> =>
  put(trial, await changeable(trial), analyzers)

const list = async (
  trial: Trial,
  place: ResourcePath,
): Promise<{ exchange: Exchange; body: readonly Json[] }> => {
  const exchange = await sendRequest(trial, place, {}, 'listSearchAnalyzers')
  return { exchange, body: arrayOf(exchange) }
}

/** Expects the analyzers in any order, because each has a unique name and the specification defines no order. */
const expectAnalyzers = (exchange: Exchange, analyzers: readonly JsonObject[]): void =>
  expectItems(exchange, arrayOf(exchange), analyzers, 'name')

/** Expects the response and a later GET to contain the analyzers from the request. */
const keeps = async (trial: Trial, analyzers: readonly JsonObject[]): Promise<void> => {
  const place = await changeable(trial)
  const exchange = await put(trial, place, analyzers)
  expectAnalyzers(exchange, analyzers)
  expectAnalyzers((await list(trial, place)).exchange, analyzers)
}

const clusterWith = async (trial: Trial, ...analyzers: readonly JsonObject[]): Promise<ResourcePath> => {
  const place = await changeable(trial)
  prepared(await put(trial, place, analyzers), 'analyzers that can be changed')
  return place
}

const refusesName = (...names: readonly string[]): Rule =>
  forEach(
    () => names.flatMap((name) => [[analyzer({ name })], [analyzer({}), analyzer({ name })]]),
    (analyzers) => analyzers.map(({ name }) => name).join(' after '),
    async (trial, analyzers) =>
      refused(await attempt(trial, ...analyzers), `a name is ${analyzers.at(-1)?.name}`),
  )

/**
 * Expects the server to accept and return every kind of filter, both alone and together with all other kinds in one
 * analyzer.
 */
const kinds = (field: FilterField): Rule =>
  always((trial) => keeps(trial, analyzersOfEachKind(trial.cell, field)))

const otherKind = (field: FilterField): Rule =>
  forEach(
    (): Json[] => [{ type: 'somethingElse' }, { type: '' }, {}, 'lowercase'],
    (filter) => JSON.stringify(filter),
    async (trial, filter) =>
      refused(await attempt(trial, analyzer({ [field]: [filter] })), 'no such filter exists'),
  )

/** These checks write analyzers and then read them. In a provided cluster, such checks must run one at a time. */
const alone = { phase: 'alone' } as const

export default rules({
  'listSearchAnalyzers.answers-with-analyzers': ownResourceRule(async (trial) => {
    const analyzers = [analyzer(), analyzer({ name: 'other', tokenFilters: [{ type: 'lowercase' }] })]
    const place = trial.context.prerequisites.canSeed
      ? await ownAnalyzers(trial.context, analyzers)
      : await clusterWith(trial, ...analyzers)
    const exchange = await sendRequest(trial, place)
    expectAnalyzers(exchange, analyzers)
  }, alone),

  'listSearchAnalyzers.none-is-empty': ownResourceRule(async (trial) => {
    const { context } = trial
    const exchange = await sendRequest(
      trial,
      context.prerequisites.canSeed ? await ownCluster(context) : await clusterWith(trial),
    )
    expectSame(exchange, 'an empty array', successfulResponse(exchange).body, [])
  }, alone),

  'updateSearchAnalyzers.replaces-all': always(async (trial) => {
    const place = await clusterWith(trial, analyzer({ name: 'old' }), analyzer({ name: 'older' }))
    const sent = [analyzer({ name: 'new' }), analyzer({ name: 'old', tokenizer: { type: 'keyword' } })]
    const exchange = await put(trial, place, sent)
    expectAnalyzers(exchange, sent)
    expectAnalyzers((await list(trial, place)).exchange, sent)
    // An empty array also replaces all analyzers. A separate requirement checks that the server accepts an empty array.
    if (!isSuccess(await put(trial, place, []))) return
    const last = await list(trial, place)
    expectSame(last.exchange, 'an empty array', last.body, [])
  }),

  'updateSearchAnalyzers.empty-removes-all': always(async (trial) => {
    const place = await clusterWith(trial, analyzer())
    const exchange = await put(trial, place, [])
    expectSame(exchange, 'an empty array', successfulResponse(exchange).body, [])
    const again = await list(trial, place)
    expectSame(again.exchange, 'an empty array', again.body, [])
  }),

  'updateSearchAnalyzers.name-required': always(async (trial) => {
    const { name: _, ...nameless } = analyzer()
    refused(await attempt(trial, nameless), 'the analyzer has no name')
  }),

  'updateSearchAnalyzers.tokenizer-required': always(async (trial) => {
    const { tokenizer: _, ...untokenized } = analyzer()
    refused(await attempt(trial, untokenized), 'the analyzer has no tokenizer')
  }),

  'updateSearchAnalyzers.name-unique': always(async (trial) => {
    const before = [analyzer({ name: 'before' })]
    const place = await clusterWith(trial, ...before)
    expectRefusal(await put(trial, place, namesakes), 'DUPLICATE_NAME', 'two analyzers have the same name')
    const { exchange, body } = await list(trial, place)
    expectContains(exchange, body, before)
  }),

  'updateSearchAnalyzers.name-unique-code': always(async (trial) =>
    expectError(await attempt(trial, ...namesakes), 'DUPLICATE_NAME', 'two analyzers have the same name'),
  ),

  'updateSearchAnalyzers.prefix-lucene': refusesName('lucene.own', 'lucene.standard'),

  'updateSearchAnalyzers.prefix-builtin': refusesName('builtin.own'),

  'updateSearchAnalyzers.prefix-product': refusesName('svcd.own'),

  'updateSearchAnalyzers.prefix-inside-taken': forEach(
    () => ['my.lucene.own', 'luceneOwn', 'builtins', 'svcd-own', 'own.svcd.own'],
    (name) => name,
    async (trial, name) => keeps(trial, [analyzer({ name })]),
  ),

  'updateSearchAnalyzers.char-filter-kinds': kinds('charFilters'),

  'updateSearchAnalyzers.char-filter-other-refused': otherKind('charFilters'),

  'updateSearchAnalyzers.token-filter-kinds': kinds('tokenFilters'),

  'updateSearchAnalyzers.token-filter-other-refused': otherKind('tokenFilters'),

  'updateSearchAnalyzers.filter-members-open': forEach(
    (): JsonObject[] => [
      { charFilters: [{ type: 'persian', somethingElse: 1 }] },
      { tokenFilters: [{ type: 'lowercase', somethingElse: 1 }] },
      { tokenFilters: [{ type: 'nGram', minGram: -1 }] },
    ],
    (fields) => JSON.stringify(fields),
    async (trial, fields) => {
      const sent = [analyzer(fields)]
      const { exchange, body } = accepted(await attempt(trial, ...sent), 'an undocumented field in a filter')
      expectContains(exchange, body, sent)
    },
  ),

  'updateSearchAnalyzers.tokenizer-open': [
    always(async (trial) => {
      const sent = [analyzer({ tokenizer: { type: 'somethingElse', another: { inner: [1] } } })]
      const { exchange, body } = accepted(
        await attempt(trial, ...sent),
        'a tokenizer of an undocumented kind',
      )
      expectContains(exchange, body, sent)
    }),
    withGenerated(
      async (generate, trial) => {
        const place = await changeable(trial)
        const type = storableText(generate, 20)
        return generate
          .record({ type, fields: storableObject(generate) })
          .map(({ type, fields }) => ({ place, sent: [analyzer({ tokenizer: { ...fields, type } })] }))
      },
      async (trial, { place, sent }) => {
        const { exchange, body } = accepted(
          await put(trial, place, sent),
          'a tokenizer of an undocumented kind',
        )
        expectContains(exchange, body, sent)
        const again = await list(trial, place)
        expectContains(again.exchange, again.body, sent)
      },
    ),
  ],

  'updateSearchAnalyzers.filters-optional': always((trial) => keeps(trial, [analyzer()])),
})
