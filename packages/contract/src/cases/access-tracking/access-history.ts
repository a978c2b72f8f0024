import { limits, roles } from '@svc-admin/types'
import { always, forEach, ownResourceRule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { isObject, type Json, sameJson, stringAt } from '../../document/json.ts'
import { smallClusters } from '../../given/clusters.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Query } from '../../model/call.ts'
import { expectError, expectRefusal, expectSuccess, expectThat } from '../../model/expect.ts'
import { Untestable } from '../../model/signals.ts'
import {
  expectMatches,
  type History,
  history,
  listed,
  needs,
  needsTimes,
  periodQuery,
  second,
} from '../../resources/access-history.ts'
import { longHistory, timeOf } from '../../resources/access-logs.ts'
import { sendRequest } from '../../resources/own-resources.ts'
import { anyAuthorizationOf } from '../../run-context/holders.ts'

const succeeded = (entry: Json): boolean => isObject(entry) && entry.authResult === true

/** A filter's query, with the entries that the server should return for it. */
interface Filter {
  readonly query: Query
  readonly keeps: (entry: Json) => boolean
}

const filterNames = ['authResult', 'ipAddress', 'start and end'] as const

/** A period can have a start, an end, or both. */
const periods = ['start and end', 'start', 'end'] as const
type FilterName = (typeof filterNames)[number] | (typeof periods)[number]

const addressOf = (entry: Json): string => stringAt(entry, 'ipAddress') ?? ''

/** Returns the filters with the given name that can be tested with this history. */
const filtersOf = (all: History, name: FilterName): Filter[] => {
  if (name === 'authResult') {
    needs(all, 2, 'authResult')
    return [{ query: [['authResult', 'true']], keeps: succeeded }]
  }
  if (name === 'ipAddress') {
    needs(all, 2, 'ipAddress')
    const addresses = [...new Set(all.entries.map(addressOf))]
    return addresses.map((address) => ({
      query: [['ipAddress', address]],
      keeps: (entry) => addressOf(entry) === address,
    }))
  }
  needsTimes(all, 3)
  const times = [...new Set(all.entries.map(timeOf))].sort((one, other) => one - other)
  // A period's start and end must each exclude at least one entry.
  // Otherwise, the check couldn't detect a server that ignores the start or the end.
  const { froms, tos } = {
    'start and end': { froms: times.slice(1, -1), tos: times.slice(1, -1) },
    start: { froms: times.slice(1), tos: times.slice(-1) },
    end: { froms: times.slice(0, 1), tos: times.slice(0, -1) },
  }[name]
  return froms.flatMap((from) =>
    tos
      .filter((to) => to >= from)
      .map((to): Filter => {
        const [first, last] = [from - second, to + second]
        return {
          query: periodQuery(first, last),
          keeps: (entry) => timeOf(entry) >= first && timeOf(entry) <= last,
        }
      }),
  )
}

/**
 * Expects two filters together to return only the entries that match both. Each filter must exclude an entry that the
 * other filter returns. Otherwise, the check couldn't detect a server that ignores one of the filters.
 */
const expectBoth = async (trial: Trial, one: FilterName, other: FilterName): Promise<void> => {
  const all = await history(trial)
  const [first, others] = [filtersOf(all, one), filtersOf(all, other)]
  const pairs = first.flatMap((left) => others.map((right) => [left, right] as const))
  const keptBy = (filters: readonly Filter[]): Json[] =>
    all.entries.filter((entry) => filters.every(({ keeps }) => keeps(entry)))
  const pair = pairs.find((two) => two.every((each) => keptBy([each]).length > keptBy(two).length))
  if (pair === undefined)
    throw new Untestable(`an access history where ${one} and ${other} each exclude some entries`)
  expectMatches(await history(trial, [...pair[0].query, ...pair[1].query]), keptBy(pair))
}

/**
 * Finds a value for `nLogs` that is smaller than the number of matching entries. At least one of the newest entries
 * must not match the filter.
 */
const someMatches = async (trial: Trial, name: FilterName) => {
  const all = await history(trial)
  const counts = all.entries.map((_, at) => at + 1)
  const found = filtersOf(all, name)
    .flatMap((filter) => counts.map((count) => ({ filter, count, kept: all.entries.filter(filter.keeps) })))
    .find(({ count, filter, kept }) => {
      const among = all.entries.slice(0, count).filter(filter.keeps)
      return kept.length > count && among.length < count
    })
  if (found === undefined)
    throw new Untestable(`an access history where ${name} excludes one of the newest attempts`)
  const { filter, count, kept } = found
  return { ...(await history(trial, [...filter.query, ['nLogs', String(count)]])), count, kept }
}

const expectAtMost = (count: number, { entries, exchange }: History): void =>
  expectThat(entries.length <= count, {
    expected: `at most ${count} entries`,
    actual: `${entries.length} entries`,
    exchange,
  })

const largest: Query = [['nLogs', String(limits.nLogs.maximum)]]

/** The response may contain more entries than expected, because other callers can log in during the check. */
const expectAtLeast = (count: number, { entries, exchange }: History): void =>
  expectThat(entries.length >= count, {
    expected: `${count} entries, the same as with nLogs=${limits.nLogs.maximum}`,
    actual: `${entries.length} entries`,
    exchange,
  })

/** Requests the access history of a cluster in the given tier. */
const onTier = async (trial: Trial, tier: string): Promise<Exchange> => {
  const cluster = smallClusters(trial.context).find((one) => one.tier === tier)
  if (cluster?.hostname === undefined) throw new Untestable(`a cluster of the tier ${tier}`)
  return trial.try({ parameters: { clusterName: cluster.name, hostname: cluster.hostname } })
}

export default rules({
  'accessHistory.newest-first': always(async (trial) => {
    const all = await history(trial)
    needsTimes(all, 2)
    const times = all.entries.map(timeOf)
    const ordered = [...times].sort((one, other) => other - one)
    expectThat(sameJson(times, ordered), {
      expected: 'the newest entries first',
      actual: 'a different order',
      exchange: all.exchange,
    })
  }),

  'accessHistory.start-needs-end': forEach(
    () => ['start', 'end'] as const,
    (name) => `only ${name}`,
    async (trial, name) => {
      const exchange = await trial.try({ query: [[name, '1763424000000']] })
      expectRefusal(exchange, 'VALIDATION_ERROR', `${name} was sent without the other end of the period`)
    },
  ),

  'accessHistory.start-not-after-end': always(async (trial) => {
    const exchange = await trial.try({
      query: [
        ['start', '1763424000001'],
        ['end', '1763424000000'],
      ],
    })
    expectRefusal(exchange, 'VALIDATION_ERROR', 'start is after end')
  }),

  'accessHistory.auth-result': [
    always(async (trial) => {
      const all = await history(trial)
      needs(all, 2, 'authResult')
      if (all.entries.every(succeeded)) throw new Untestable('an access history with an attempt that failed')
      expectMatches(await history(trial, [['authResult', 'true']]), all.entries.filter(succeeded))
    }),
    forEach(
      () => periods,
      (other) => `with ${other}`,
      (trial, other) => expectBoth(trial, 'authResult', other),
    ),
  ],

  'accessHistory.auth-result-false-keeps-all': always(async (trial) => {
    const all = await history(trial)
    needs(all, 1)
    const failed = all.entries.some((entry) => !succeeded(entry))
    if (!failed || !all.entries.some(succeeded))
      throw new Untestable('attempts that failed and others that did not')
    expectMatches(await history(trial, [['authResult', 'false']]), all.entries)
  }),

  'accessHistory.ip-address': [
    always(async (trial) => {
      const all = await history(trial)
      needs(all, 2, 'ipAddress')
      const address = addressOf(all.entries[0] ?? null)
      const expected = all.entries.filter((entry) => addressOf(entry) === address)
      if (expected.length === all.entries.length) throw new Untestable('an access history with two addresses')
      expectMatches(await history(trial, [['ipAddress', address]]), expected)
    }),
    forEach(
      () => ['authResult', ...periods] as const,
      (other) => `with ${other}`,
      (trial, other) => expectBoth(trial, 'ipAddress', other),
    ),
  ],

  'accessHistory.n-logs': [
    forEach(
      () => [limits.nLogs.minimum, 1, 2],
      String,
      async (trial, count) => {
        needs(await history(trial), count + 1)
        expectAtMost(count, await history(trial, [['nLogs', String(count)]]))
      },
    ),
    forEach(
      () => filterNames,
      (name) => `with ${name}`,
      async (trial, name) => {
        const some = await someMatches(trial, name)
        expectAtMost(some.count, some)
      },
    ),
  ],

  'accessHistory.n-logs-default': [
    always(async (trial) => {
      const most = await history(trial, largest)
      needs(most, 1)
      expectAtLeast(most.entries.length, await history(trial))
    }),
    ownResourceRule(
      async (trial) => {
        const place = await longHistory(trial.context)
        const most = listed(await sendRequest(trial, place, { query: largest }))
        needs(most, 1)
        expectAtLeast(most.entries.length, listed(await sendRequest(trial, place)))
      },
      { label: 'long history' },
    ),
  ],

  'accessHistory.n-logs-newest': [
    forEach(
      () => [1, 2],
      String,
      async (trial, count) => {
        const all = await history(trial)
        needs(all, count + 1)
        expectMatches(await history(trial, [['nLogs', String(count)]]), all.entries.slice(0, count))
      },
    ),
    forEach(
      () => filterNames,
      (name) => `with ${name}`,
      async (trial, name) => {
        const { count, kept, ...some } = await someMatches(trial, name)
        expectMatches(some, kept.slice(0, count))
      },
    ),
  ],

  'accessHistory.tiers': forEach(
    () => limits.tiersWithoutAccessHistory.values,
    (tier) => tier,
    async (trial, tier) =>
      expectRefusal(await onTier(trial, tier), 'TIER_NOT_SUPPORTED', `${tier} has no access history`),
  ),

  'accessHistory.tiers-code': forEach(
    () => limits.tiersWithoutAccessHistory.values,
    (tier) => tier,
    async (trial, tier) =>
      expectError(await onTier(trial, tier), 'TIER_NOT_SUPPORTED', `${tier} has no access history`),
  ),

  'accessHistory.viewers': forEach(
    () => ['PROJECT_OWNER', 'ORGANIZATION_OWNER'] as const,
    (role) => role,
    async (trial, role) => {
      const as = anyAuthorizationOf(trial.context.target.roles[role], `a holder of ${role}`)
      const exchange = await trial.try({ as })
      expectSuccess(exchange, `a success for a holder of ${roles[role].name}`)
    },
  ),

  'listAccessLogsByCluster.unknown-cluster': always(async (trial) => {
    const exchange = await trial.try({ parameters: { clusterName: `none-${trial.random.hex(8)}` } })
    expectError(exchange, 'RESOURCE_NOT_FOUND', 'the project has no cluster with this name')
  }),

  'listAccessLogsByHostname.unknown-host': always(async (trial) => {
    const exchange = await trial.try({ parameters: { hostname: `none-${trial.random.hex(8)}.example` } })
    expectError(exchange, 'RESOURCE_NOT_FOUND', 'no cluster of the project has this hostname')
  }),
})
