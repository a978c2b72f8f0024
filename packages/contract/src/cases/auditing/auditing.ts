import { limits } from '@svc-admin/types'
import { withGenerated } from '../../check/generated.ts'
import { always, forEach, ownResourceRule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { storableObject } from '../../document/arbitrary.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { canonicalText, parseJson } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import { describeResponse, expectError, expectRefusal, isRefusal } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import { prepared } from '../../resources/backups.ts'
import {
  type OwnProject,
  ownCluster,
  ownProject,
  type ResourcePath,
  seedAt,
  sendRequest,
} from '../../resources/own-resources.ts'
import { projectOfSetting } from '../../resources/provided-resources.ts'
import {
  expectContains,
  expectDefault,
  expectField,
  expectSame,
  expectText,
  fieldOf,
  refused,
  type SuccessfulResponse,
  successfulResponse,
  without,
} from '../../resources/successful-response.ts'

const withoutAuditing: readonly string[] = limits.tiersWithoutAuditing.values

/** Creates a project with one cluster in each of the given tiers. */
const projectWith = async ({ context }: Trial, ...tiers: readonly string[]): Promise<OwnProject> => {
  const place = await ownProject(context)
  for (const tier of tiers)
    await ownCluster(context, { tier, type: tier === 'SERVERLESS' ? tier : 'REPLICASET' }, place)
  return place
}

/**
 * Returns a project with an auditing configuration that the check can change. For a provided project, the target file
 * doesn't have to list the clusters, so only the response shows whether any cluster supports auditing.
 */
const auditable = async (trial: Trial): Promise<ResourcePath> => {
  const { prerequisites, target } = trial.context
  const lacking = 'a cluster whose tier supports auditing, in a provided project with clusters'
  if (prerequisites.canSeed) return projectWith(trial, 'M30')
  if (target.clusters?.every(({ tier }) => withoutAuditing.includes(tier))) throw new Untestable(lacking)
  const place = await projectOfSetting(trial, 'getAuditingConfig')
  if (target.clusters !== undefined) return place
  const tried = await sendRequest(trial, place, { body: { enabled: true } }, 'updateAuditingConfig')
  if (isRefusal(tried.response)) throw new Untestable(`${lacking} (${describeResponse(tried)})`)
  return place
}

const read = async (trial: Trial, place: ResourcePath): Promise<SuccessfulResponse> =>
  successfulResponse(await sendRequest(trial, place, {}, 'getAuditingConfig'))

const change = (trial: Trial, place: ResourcePath, body: JsonObject): Promise<Exchange> =>
  sendRequest(trial, place, { body })

/**
 * Normalizes the whitespace in the filter. According to the specification, the filter is a document, so its layout
 * doesn't matter.
 */
const inOneLayout = (config: Json): JsonObject => {
  const filter = fieldOf(config, 'auditFilter')
  const document = typeof filter === 'string' ? parseJson(filter) : undefined
  return { ...without(config), ...(document !== undefined && { auditFilter: canonicalText(document) }) }
}

/** Expects the configuration to have the given values. The whitespace in the filter doesn't matter. */
const expectConfig = ({ exchange, body }: SuccessfulResponse, config: JsonObject): void =>
  expectContains(exchange, inOneLayout(body), inOneLayout(config))

/** Expects the response and a later GET to return the values from the request. */
const stores = async (trial: Trial, place: ResourcePath, body: JsonObject): Promise<void> => {
  const changed = successfulResponse(await change(trial, place, body))
  for (const seen of [changed, await read(trial, place)]) expectConfig(seen, body)
}

const whole: JsonObject = {
  enabled: true,
  auditAuthorizationSuccess: true,
  auditFilter: '{"atype": "authenticate", "param.db": "admin"}',
}

/** An object with the same fields as `whole`, but with different values. */
const others: JsonObject = {
  enabled: false,
  auditAuthorizationSuccess: false,
  auditFilter: '{"atype": "dropDatabase"}',
}

const enable = async (trial: Trial, ...tiers: readonly string[]): Promise<Exchange> =>
  change(trial, await projectWith(trial, ...tiers), { enabled: true })

const expectEmptyFilter = ({ body, exchange }: SuccessfulResponse): void => {
  const filter = fieldOf(body, 'auditFilter')
  const empty = typeof filter === 'string' ? parseJson(filter === '' ? '{}' : filter) : filter
  if (filter !== undefined) expectSame(exchange, 'the filter of an empty document,', empty, {})
}

/** These checks write a setting and then read it. In a provided project, such checks must run one at a time. */
const alone = { phase: 'alone' } as const

export default rules({
  'getAuditingConfig.answers-with-auditing-config': ownResourceRule(async (trial) => {
    const row = { ...whole, configurationType: 'FILTER_JSON' }
    if (trial.context.prerequisites.canSeed) {
      const place = await projectWith(trial, 'M30')
      await seedAt(trial.context, 'auditingConfigs', place, '/auditLog', row)
      const seen = await read(trial, place)
      expectConfig(seen, whole)
      return expectField(seen, 'configurationType', row.configurationType, 'decided')
    }
    const place = await auditable(trial)
    prepared(
      await sendRequest(trial, place, { body: whole }, 'updateAuditingConfig'),
      'an auditing configuration',
    )
    expectConfig(await read(trial, place), whole)
  }, alone),

  'getAuditingConfig.defaults': ownResourceRule(async (trial) => {
    const seen = await read(trial, await ownProject(trial.context))
    expectDefault(seen, 'enabled', false)
    expectDefault(seen, 'auditAuthorizationSuccess', false)
  }),

  'getAuditingConfig.configuration-type': ownResourceRule(async (trial) =>
    expectField(await read(trial, await ownProject(trial.context)), 'configurationType', 'NONE'),
  ),

  'getAuditingConfig.configuration-type-open': always(async (trial) =>
    expectText(successfulResponse(await trial.try()), 'configurationType'),
  ),

  'getAuditingConfig.empty-filter': ownResourceRule(async (trial) =>
    expectEmptyFilter(await read(trial, await ownProject(trial.context))),
  ),

  'updateAuditingConfig.stored': forEach(
    () => [whole, others],
    ({ enabled }) => `enabled ${enabled}`,
    async (trial, body) => {
      const place = await auditable(trial)
      await stores(trial, place, body)
      // Sending the same values again must not toggle the setting.
      await stores(trial, place, body)
    },
  ),

  'updateAuditingConfig.changes-only-what-is-sent': forEach(
    () => [...Object.keys(whole), 'none'],
    (name) => name,
    async (trial, name) => {
      const place = await auditable(trial)
      successfulResponse(await change(trial, place, whole))
      const sent = Object.fromEntries(Object.entries(others).filter(([field]) => field === name))
      const changed = successfulResponse(await change(trial, place, sent))
      for (const seen of [changed, await read(trial, place)]) expectConfig(seen, { ...whole, ...sent })
    },
  ),

  'updateAuditingConfig.filter-is-json': [
    forEach(
      () => [
        '{}',
        '{"atype": {"$in": ["authCheck", "createUser"]}}',
        '{"users": [{"user": "a\\"b\\\\c"}]}\n',
      ],
      (filter) => JSON.stringify(filter),
      async (trial, auditFilter) => stores(trial, await auditable(trial), { auditFilter }),
    ),
    withGenerated(
      async (generate, trial) => {
        const place = await auditable(trial)
        return storableObject(generate).map((filter) => ({ place, auditFilter: JSON.stringify(filter) }))
      },
      (trial, { place, auditFilter }) => stores(trial, place, { auditFilter }),
    ),
  ],

  'updateAuditingConfig.filter-not-json-refused': forEach(
    (): Json[] => [
      '{',
      'authenticate',
      "{'atype': 'authenticate'}",
      '{"atype": }',
      '',
      { atype: 'authenticate' },
    ],
    (filter) => JSON.stringify(filter),
    async (trial, auditFilter) => {
      const place = await auditable(trial)
      const before = await read(trial, place)
      refused(await change(trial, place, { auditFilter }), 'the filter is not a JSON document')
      expectField(await read(trial, place), 'auditFilter', fieldOf(before.body, 'auditFilter'))
    },
  ),

  'updateAuditingConfig.tiers': forEach(
    () => [...withoutAuditing.map((tier) => [tier]), withoutAuditing],
    (tiers) => tiers.join(' and '),
    async (trial, tiers) => {
      const exchange = await enable(trial, ...tiers)
      expectRefusal(exchange, 'TIER_NOT_SUPPORTED', `the project only has clusters of ${tiers.join(' and ')}`)
    },
  ),

  'updateAuditingConfig.tiers-code': always(async (trial) =>
    expectError(
      await enable(trial, ...withoutAuditing),
      'TIER_NOT_SUPPORTED',
      'no cluster supports auditing',
    ),
  ),

  'updateAuditingConfig.other-cluster-suffices': always(async (trial) => {
    const exchange = await enable(trial, ...withoutAuditing, 'M10')
    expectField(successfulResponse(exchange), 'enabled', true)
  }),
})
