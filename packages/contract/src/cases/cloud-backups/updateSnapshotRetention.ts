import { limits } from '@svc-admin/types'
import { forEach, ownResourceRule, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, type Json } from '../../document/json.ts'
import type { Strength } from '../../document/strength.ts'
import { type ClusterKind, kinds } from '../../given/clusters.ts'
import type { Exchange } from '../../http/exchange.ts'
import {
  expectError,
  expectRefusal,
  expectRefused,
  expectSuccess,
  expectThat,
  isSuccess,
} from '../../model/expect.ts'
import {
  type Frequency,
  frequencyPairs,
  item,
  ownSchedule,
  policies,
  strengthOfFrequency,
} from '../../resources/backup-schedules.ts'
import {
  days,
  expectNamed,
  expectNotShorter,
  expectRetained,
  readAt,
  timestampAt,
} from '../../resources/backups.ts'
import { ownPolicy } from '../../resources/compliance.ts'
import { valuesOf } from '../../resources/known-values.ts'
import { ownCluster, sendRequest } from '../../resources/own-resources.ts'
import {
  type OwnSnapshot,
  ofEachCluster,
  ofEachClusterWith,
  operationsOf,
  ownSnapshot,
  rejectedAt,
  seedSnapshot,
  supported,
} from '../../resources/snapshots.ts'
import {
  expectField,
  fieldOf,
  type SuccessfulResponse,
  successfulResponse,
} from '../../resources/successful-response.ts'

const retain = (
  trial: Trial,
  place: OwnSnapshot,
  retentionValue: number,
  retentionUnit = 'DAYS',
): Promise<Exchange> => sendRequest(trial, place, { body: { retentionUnit, retentionValue } })

const newRetention = 'a new retention for a snapshot'

/** The minimum number of days in each unit. The specification doesn't define the length of months and years. */
const leastDays: Readonly<Record<string, number>> = { DAYS: 1, WEEKS: 7, MONTHS: 28, YEARS: 365 }

const expectLater = ({ body, exchange }: SuccessfulResponse, than: Json | undefined): void =>
  expectThat(timestampAt(body, 'expiresAt') > timestampAt(than, 'expiresAt'), {
    expected: `an expiresAt after ${inspect(fieldOf(than, 'expiresAt'))}`,
    actual: inspect(fieldOf(body, 'expiresAt')),
    exchange,
  })

/** Expects about the same time, because a server may count the retention from the time of the request. */
const expectSameDay = ({ body, exchange }: SuccessfulResponse, other: Json): void => {
  const apart = Math.abs(timestampAt(body, 'expiresAt') - timestampAt(other, 'expiresAt'))
  expectThat(Number.isNaN(apart) || apart < days(1), {
    expected: `an expiresAt near ${inspect(fieldOf(other, 'expiresAt'))}`,
    actual: inspect(fieldOf(body, 'expiresAt')),
    exchange,
  })
}

const setsExpiration = async (trial: Trial, kind: ClusterKind): Promise<void> => {
  const place = await ownSnapshot(trial, kind)
  const read = (): Promise<SuccessfulResponse> => readAt(trial, place, operationsOf(kind).found)
  const short = supported(await retain(trial, place, 3), kind, newRetention)
  expectField(await read(), 'expiresAt', fieldOf(short.body, 'expiresAt'))
  const long = successfulResponse(await retain(trial, place, 2, 'YEARS'))
  expectLater(long, short.body)
  expectField(await read(), 'expiresAt', fieldOf(long.body, 'expiresAt'))
}

/** A scheduled snapshot's frequency, and a more frequent policy item in the same schedule. */
interface RetentionOrder {
  readonly more: Frequency
  readonly less: Frequency
  readonly kind: ClusterKind
  readonly strength: Strength
}

const retentionOrders = (): RetentionOrder[] => {
  const pairs = frequencyPairs()
  const ordersOf = (kind: RetentionOrder['kind'], of: typeof pairs): RetentionOrder[] =>
    of.map(([more, less]) => ({ more, less, kind, strength: strengthOfFrequency(less) }))
  return [
    ...ordersOf('replicaSet', pairs),
    ...ordersOf(
      'shardedCluster',
      pairs.filter(([more]) => more === 'daily'),
    ),
  ]
}

export default rules({
  'updateSnapshotRetention.sets-expiration': ofEachCluster(setsExpiration),

  'updateSnapshotRetention.counts-from-taking': ofEachCluster(async (trial, kind) => {
    const place = await ownSnapshot(trial, kind)
    const retention = 2 + trial.random.integer(300)
    expectRetained(supported(await retain(trial, place, retention), kind, newRetention), days(retention))
    expectRetained(successfulResponse(await retain(trial, place, 3, 'WEEKS')), days(21))
  }),

  'updateSnapshotRetention.retained-as-requested': ofEachClusterWith(
    Object.entries(leastDays),
    ([unit]) => unit,
    async (trial, [unit, least], kind) => {
      const place = await ownSnapshot(trial, kind)
      const value = 2 + trial.random.integer(8)
      expectNotShorter(
        supported(await retain(trial, place, value, unit), kind, newRetention),
        days(value * least),
      )
      expectNotShorter(await readAt(trial, place, operationsOf(kind).found), days(value * least))
    },
  ),

  'updateSnapshotRetention.four-units': [
    ...ofEachCluster(
      async (trial, kind) => {
        const place = await ownSnapshot(trial, kind)
        supported(await retain(trial, place, 3), kind, newRetention)
        let before: Json = { expiresAt: '1970-01-01T00:00:00Z' }
        for (const unit of valuesOf(trial.cell, 'RetentionUnit')) {
          const kept = successfulResponse(await retain(trial, place, 5, unit), `a success for ${unit}`)
          expectLater(kept, before)
          before = kept.body
        }
      },
      { label: 'accepted' },
    ),
    forEach(
      (cell) => valuesOf(cell, 'RetentionUnit').map((unit) => unit.toLowerCase()),
      (unit) => unit,
      async (trial, unit) => {
        const place = await ownSnapshot(trial)
        const exchange = await retain(trial, place, 5, unit)
        // The specification doesn't define whether the letter case matters, so the server may reject the value.
        if (!isSuccess(exchange)) return
        const listed = successfulResponse(await retain(trial, place, 5, unit.toUpperCase()))
        expectSameDay(successfulResponse(exchange), listed.body)
      },
    ),
    ...ofEachClusterWith(
      ['HOURS', 'DECADES', ''],
      (unit) => `invalid ${JSON.stringify(unit)}`,
      async (trial, unit, kind) => {
        const exchange = await retain(trial, await ownSnapshot(trial, kind), 9, unit)
        rejectedAt(exchange, kind, '/retentionUnit', 'it is not a supported retention unit')
      },
    ),
  ],

  'updateSnapshotRetention.both-members-required': ofEachClusterWith(
    ['retentionUnit', 'retentionValue'],
    (field) => field,
    async (trial, field, kind) => {
      const body = field === 'retentionUnit' ? { retentionValue: 9 } : { retentionUnit: 'YEARS' }
      // Use a new snapshot, because a server that wrongly accepts the body may shorten the snapshot's retention period.
      const exchange = await sendRequest(trial, await ownSnapshot(trial, kind), { body })
      if (kind === 'shardedCluster') expectRefused(exchange, `${field} is missing`)
      else expectNamed(exchange, 'VALIDATION_ERROR', `/${field}`, `${field} is missing`)
    },
  ),

  'updateSnapshotRetention.value-from-1': ofEachCluster(async (trial, kind) => {
    const { minimum } = limits.retentionValue
    const place = await ownSnapshot(trial, kind)
    const below = await retain(trial, place, minimum - 1)
    rejectedAt(below, kind, '/retentionValue', 'the value is below the minimum')
    supported(await retain(trial, place, minimum), kind, newRetention)
  }),

  'updateSnapshotRetention.not-below-more-frequent': forEach(
    retentionOrders,
    ({ more, less, kind }) => `${less} ${kind} snapshot and ${more} item`,
    async (trial, { more, less, kind, strength }) => {
      // A server may compare only the numbers, so one week must be less than ten days either way.
      const schedule = policies(item(more, 1, 10), item(less, 1, 40))
      const place = await ownSchedule(trial, schedule, undefined, kinds[kind])
      const scheduled = { snapshotType: 'scheduled', frequencyType: less }
      const snapshot = await seedSnapshot(trial, place, kind, scheduled)
      const why = `the retention is shorter than the ${more} retention of ten days`
      for (const [value, unit] of [
        [9, 'DAYS'],
        [1, 'WEEKS'],
      ] as const)
        expectRefusal(await retain(trial, snapshot, value, unit), 'VALIDATION_ERROR', why, strength)
      const same = `a success for the same retention as ${more} snapshots`
      const support = kind === 'shardedCluster' ? 'decided' : strength
      expectSuccess(await retain(trial, snapshot, 10), same, support)
    },
    { phase: 'write' },
  ),

  'updateSnapshotRetention.below-compliance-refused': forEach(
    () => ['onDemand', 'scheduled'] as const,
    (snapshotType) => snapshotType,
    async (trial, snapshotType) => {
      const place = await ownCluster(trial.context, {}, await ownPolicy(trial))
      const type = snapshotType === 'scheduled' ? { snapshotType, frequencyType: 'daily' } : {}
      const snapshot = await seedSnapshot(trial, place, 'replicaSet', type)
      const exchange = await retain(trial, snapshot, 6)
      expectError(
        exchange,
        'COMPLIANCE_POLICY_ACTIVE',
        'the compliance policy requires a retention of seven days',
      )
      expectSuccess(
        await retain(trial, snapshot, 7),
        'a success, because the retention meets the compliance policy',
      )
    },
  ),

  'updateSnapshotRetention.sharded-cluster': ownResourceRule(async (trial) => {
    const place = await ownSnapshot(trial, 'shardedCluster')
    const kept = successfulResponse(await retain(trial, place, 100))
    const found = await readAt(trial, place, 'getShardedClusterSnapshot')
    expectField(found, 'expiresAt', fieldOf(kept.body, 'expiresAt'))
    expectRetained(found, days(100))
  }),
})
