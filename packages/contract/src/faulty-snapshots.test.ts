import { expect, test } from 'vitest'
import { dated, outcomeIn, type Response, seeding } from '../test/context-over.ts'
import scheduleRetention from './cases/cloud-backups/schedule-retention.ts'
import takeSnapshot from './cases/cloud-backups/takeSnapshot.ts'
import updateSnapshotRetention from './cases/cloud-backups/updateSnapshotRetention.ts'
import { isObject, type JsonObject, listAt, numberAt, parseJson, stringAt } from './document/json.ts'
import type { Strength } from './document/strength.ts'
import { eachFieldShown } from './resources/field-changes.ts'
import { eachState } from './resources/list-states.ts'

/** Servers with a fault in snapshots or schedules, and servers that conform although they differ from the reference. */

const idIn = (path: string): string => /\w+$/.exec(path)?.[0] ?? ''

type Taken = (count: number) => { readonly status: number; readonly snapshot?: JsonObject }

const queued = (id: string): JsonObject => ({ id, status: 'queued' })

const simultaneous: readonly [string, Taken, string][] = [
  ['takes all of them', (count) => ({ status: 200, snapshot: queued(`${count}`) }), 'Violation'],
  [
    'takes two of them',
    (count) => ({ status: count > 2 ? 409 : 200, snapshot: queued(`${count}`) }),
    'Violation',
  ],
  [
    'takes one of them',
    (count) => ({ status: count > 1 ? 409 : 200, snapshot: queued(`${count}`) }),
    'passed',
  ],
  ['responds to all of them with one snapshot', () => ({ status: 200, snapshot: queued('1') }), 'passed'],
  [
    'completes each of them immediately',
    (count) => ({ status: 200, snapshot: { id: `${count}`, status: 'completed' } }),
    'passed',
  ],
  [
    'takes the next one when the previous one is completed',
    (count) => ({
      status: 200,
      snapshot: { id: `${count}`, status: count > 1 ? 'completed' : 'inProgress' },
    }),
    'passed',
  ],
  ['rejects all of them', () => ({ status: 409 }), 'Untestable'],
]

test.each(simultaneous)(
  'a server that gets requests for snapshots at the same time, and %s',
  async (_, reaction, expected) => {
    for (const label of ['simultaneous requests', 'simultaneous requests, sharded cluster']) {
      let count = 0
      const taken = new Map<string, JsonObject>()
      const { context } = seeding(({ method, path }) => {
        if (method === 'GET') return [200, taken.get(idIn(path)) ?? { results: [] }]
        count += 1
        const { status, snapshot } = reaction(count)
        if (status < 300 && snapshot) taken.set(stringAt(snapshot, 'id') ?? '', snapshot)
        return [status, snapshot ?? { errorCode: 'SNAPSHOT_IN_PROGRESS' }]
      })
      const rule = takeSnapshot['takeSnapshot.one-at-a-time']
      expect(await outcomeIn(context, dated('takeSnapshot'), rule, label)).toBe(expected)
    }
  },
)

const day = 86_400_000
const now = Date.parse('2026-11-26T15:00:00Z')
const times = (until: number): JsonObject => ({
  id: 'a',
  createdAt: new Date(now).toISOString(),
  expiresAt: new Date(until).toISOString(),
})

const lengths: readonly [string, (until: number) => number, string][] = [
  ['counts from midnight', (until) => until - 15 * 3_600_000, 'stated'],
  ['rounds the end up to midnight', (until) => Math.ceil(until / day) * day, 'passed'],
  ['omits the seconds', (until) => until - 59_000, 'passed'],
  ['counts from the request', (until) => until + 3_600_000, 'passed'],
  ['counts from the creation', (until) => until, 'passed'],
]

/** The number of days in each unit. */
const daysIn: Readonly<Record<string, number>> = { DAYS: 1, WEEKS: 7, MONTHS: 30, YEARS: 365 }

const daysOf = (body = ''): number => {
  const sent = parseJson(body)
  const unit = stringAt(sent, 'retentionUnit') ?? 'DAYS'
  return (numberAt(sent, 'retentionInDays') ?? numberAt(sent, 'retentionValue') ?? 0) * (daysIn[unit] ?? 1)
}

test.each(lengths)('a server that %s: the retention of a snapshot', async (_, endOf, expected) => {
  let snapshot = times(now)
  const { context } = seeding(({ method, body }) => {
    if (method !== 'GET') snapshot = times(endOf(now + daysOf(body) * day))
    return [200, snapshot]
  })
  const taking = takeSnapshot['takeSnapshot.retained-as-requested']
  for (const label of ['', 'sharded cluster'])
    expect(await outcomeIn(context, dated('takeSnapshot'), taking, label)).toBe(expected)
  const updating = updateSnapshotRetention['updateSnapshotRetention.retained-as-requested']
  for (const label of ['DAYS', 'WEEKS', 'YEARS, sharded cluster'])
    expect(await outcomeIn(context, dated('updateSnapshotRetention'), updating, label)).toBe(expected)
})

test.each<[string, number, Strength]>([
  ['counts from midnight', -15 * 3_600_000, 'stated'],
  ['counts from the request', 3_600_000, 'decided'],
])('a server that applies a schedule to its snapshots, and %s', async (_, apart, expected) => {
  let until = now
  const { context } = seeding(({ method, body }) => {
    const [policy] = listAt(parseJson(body ?? ''), 'policies')
    const [item] = listAt(policy, 'policyItems')
    if (method === 'PATCH') until = now + (numberAt(item, 'retentionValue') ?? 0) * day + apart
    return [200, times(until)]
  })
  const rule = scheduleRetention['updateBackupSchedule.update-snapshots']
  expect(await outcomeIn(context, dated('updateBackupSchedule'), rule)).toBe(expected)
})

test.each([
  ['deletes a snapshot before the end of its retention period', 0.9, 'stated'],
  ['deletes a snapshot at the end of its retention period', 1, 'passed'],
])('a server that %s', async (_, days, expected) => {
  let seconds = 0
  const { context } = seeding(
    ({ method }) =>
      method === 'GET' && seconds > days * 86_400
        ? [404, { errorCode: 'RESOURCE_NOT_FOUND' }]
        : [200, { id: 'a' }],
    {
      advance: (passed) => {
        seconds += passed
      },
    },
  )
  const rule = takeSnapshot['takeSnapshot.retained-as-requested']
  expect(await outcomeIn(context, dated('takeSnapshot'), rule, 'end of the retention period')).toBe(expected)
})

type Listed = (snapshot: JsonObject) => readonly JsonObject[]

const lists: readonly [string, Listed, string][] = [
  ['the first status of a snapshot', (snapshot) => [{ ...snapshot, status: 'queued' }], 'Violation'],
  ['the current status of a snapshot', (snapshot) => [snapshot], 'passed'],
  ['no completed snapshots', (snapshot) => (snapshot.status === 'completed' ? [] : [snapshot]), 'decided'],
]

test.each(lists)('a server whose lists show %s', async (_, listed, expected) => {
  let snapshot = queued('a'.repeat(24))
  const { context } = seeding(
    ({ method, path }) => {
      if (method === 'POST' || path.includes(`${snapshot.id}`)) return [200, snapshot]
      const results = listed(snapshot)
      return [200, { links: [], results, totalCount: results.length }]
    },
    {
      advance: () => {
        snapshot = { ...snapshot, status: snapshot.status === 'queued' ? 'inProgress' : 'completed' }
      },
    },
  )
  expect(await outcomeIn(context, dated('listSnapshots'), eachState, 'states of snapshot')).toBe(expected)
})

test('the status of a snapshot may change between two reads', async () => {
  const statuses = ['queued', 'inProgress', 'completed']
  let reads = 0
  const { context } = seeding(({ method, path }) => {
    const status = statuses[Math.floor(reads / 3)] ?? 'completed'
    const snapshot = { id: 'a'.repeat(24), status }
    if (method === 'POST') return [200, snapshot]
    reads += 1
    return [200, path.includes(snapshot.id) ? snapshot : { links: [], results: [snapshot], totalCount: 1 }]
  })
  expect(await outcomeIn(context, dated('listSnapshots'), eachState, 'states of snapshot')).toBe('passed')
})

const schedules: readonly [string, (before: JsonObject, after: JsonObject) => JsonObject, string][] = [
  ['the time of the next snapshot before the update', (before) => before, 'stated'],
  ['the time of the next snapshot', (_, after) => after, 'passed'],
]

test.each(schedules)('a server whose response to an update shows %s', async (_, shownOf, expected) => {
  let schedule: JsonObject = {}
  const nextOf = ({ referenceHourOfDay }: JsonObject): JsonObject => ({
    nextSnapshot: `2026-11-27T${String(referenceHourOfDay ?? 0).padStart(2, '0')}:00:00Z`,
  })
  const { context } = seeding(({ method, body }): Response => {
    const [before, sent] = [nextOf(schedule), parseJson(body ?? '')]
    if (method === 'PATCH' && isObject(sent)) schedule = { ...schedule, ...sent }
    const after = nextOf(schedule)
    return [200, { ...schedule, ...(method === 'PATCH' ? shownOf(before, after) : after) }]
  })
  expect(await outcomeIn(context, dated('updateBackupSchedule'), eachFieldShown, 'each field')).toBe(expected)
})
