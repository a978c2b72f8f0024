import { describe, expect, it } from 'vitest'
import type { PolicyItem, ScheduleDocument } from './backup-schemas.ts'
import { dueTimes, nextSnapshotAt, snapshotsAt } from './due-snapshots.ts'

const item = (frequencyType: string, frequencyInterval: number, retentionValue = 7): PolicyItem => ({
  frequencyType,
  frequencyInterval,
  retentionUnit: 'days',
  retentionValue,
})

const schedule = (policyItems: PolicyItem[], more: Partial<ScheduleDocument> = {}): ScheduleDocument => ({
  clusterId: '0123456789abcdef01234567',
  clusterName: 'any',
  autoExportEnabled: false,
  policies: [{ policyItems }],
  ...more,
})

/** Returns the snapshots that are due after a clock jump. */
const due = (one: ScheduleDocument, from: number, now: number) =>
  snapshotsAt(one, dueTimes(one, { from, jumpedTo: now, now }))

const next = (one: PolicyItem, after = '2026-03-01T12:00:00Z', more: Partial<ScheduleDocument> = {}) => {
  const at = nextSnapshotAt(schedule([one], more), Date.parse(after))
  return at === undefined ? undefined : new Date(at).toISOString().slice(0, 16)
}

describe('the next snapshot', () => {
  const reference = { referenceHourOfDay: 2, referenceMinuteOfHour: 15 }

  it.each([
    [item('hourly', 6), '2026-03-01T14:15'],
    [item('hourly', 1), '2026-03-01T12:15'],
    [item('daily', 1), '2026-03-02T02:15'],
    // Day 7 is a Sunday. March 1, 2026 was a Sunday, too.
    [item('weekly', 7), '2026-03-08T02:15'],
    [item('weekly', 1), '2026-03-02T02:15'],
    [item('monthly', 1), '2026-04-01T02:15'],
    [item('monthly', 28), '2026-03-28T02:15'],
    [item('monthly', 40), '2026-03-31T02:15'],
    [item('yearly', 12), '2026-12-01T02:15'],
    [item('yearly', 3), '2027-03-01T02:15'],
    [item('HOURLY', 12), '2026-03-01T14:15'],
  ])('for %j is at %s', (one, expected) => {
    expect(next(one, undefined, reference)).toBe(expected)
  })

  it('is strictly after the given time', () => {
    expect(next(item('daily', 1), '2026-03-02T00:00:00Z')).toBe('2026-03-03T00:00')
    expect(next(item('monthly', 31), '2026-02-28T00:00:00Z')).toBe('2026-03-31T00:00')
    expect(next(item('monthly', 31), '2026-02-27T23:59:59Z')).toBe('2026-02-28T00:00')
  })

  it('is never due for an unknown frequency or after the last representable time', () => {
    expect(next(item('fortnightly', 1))).toBeUndefined()
    expect(next({})).toBeUndefined()
    expect(next(item('daily', 2_147_483_647))).toBeUndefined()
    for (const kind of ['hourly', 'daily', 'weekly', 'monthly', 'yearly'])
      expect([next(item(kind, 0)), next(item(kind, -3))]).toEqual([undefined, undefined])
    expect(next(item('daily', 1), '9999-12-31T00:00:00Z')).toBeUndefined()
    expect(nextSnapshotAt({ ...schedule([]), policies: [] }, 0)).toBeUndefined()
  })
})

describe('due snapshots', () => {
  const from = Date.parse('2026-03-01T00:00:00Z')

  it('omit expired snapshots and merge snapshots with equal times', () => {
    const items = [item('hourly', 12, 1), item('daily', 1, 3)]
    const all = due(schedule(items), from, Date.parse('2026-03-04T12:00:00Z'))
    const seen = all.map((one) => [new Date(one.at).toISOString().slice(5, 13), one.items.length])
    expect(seen).toEqual([
      ['03-02T00', 2],
      ['03-03T00', 2],
      ['03-04T00', 2],
      ['03-04T12', 1],
    ])
  })

  it('include expired snapshots that are exported automatically', () => {
    const items = [item('daily', 1, 2), item('weekly', 1, 3)]
    const now = Date.parse('2026-03-11T12:00:00Z')
    const days = (target: ScheduleDocument['export']) => {
      const more = { autoExportEnabled: true, ...(target ? { export: target } : {}) }
      return due(schedule(items, more), from, now).map(({ at }) => new Date(at).getUTCDate())
    }
    expect(days(undefined)).toEqual([9, 10, 11])
    expect(days({ frequencyType: 'weekly' })).toEqual([2, 9, 10, 11])
    expect(days({})).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(due(schedule(items, { export: {} }), from, now)).toHaveLength(3)
    const never = schedule([item('daily', 1, 0)], { autoExportEnabled: true, export: {} })
    expect(due(never, from, now)).toEqual([])
  })

  it('are limited per item and per clock jump', () => {
    const long = item('hourly', 1, 100_000)
    const now = Date.parse('2226-03-01T00:00:00Z')
    expect(due(schedule([long]), from, now)).toHaveLength(1000)
    const exported = { autoExportEnabled: true, export: {} }
    expect(due(schedule([item('hourly', 1, 1)], exported), from, now)).toHaveLength(1000)
    const many = Array.from({ length: 1000 }, (_, index) => item('hourly', index + 1, 2_147_483_647))
    expect(due(schedule(many), from, now).length).toBeLessThanOrEqual(4000)
  })

  it('are not limited this way while the clock runs after a jump, unless a fast clock runs through centuries', () => {
    const [jumpedTo, now] = [Date.parse('2026-06-01T00:00:00Z'), Date.parse('2026-09-01T00:00:00Z')]
    const long = schedule([item('hourly', 1, 100_000)])
    const moments = dueTimes(long, { from, jumpedTo, now })
    expect([moments.length, moments[999]]).toEqual([1000 + 92 * 24, jumpedTo])
    const end = Date.parse('9999-01-01T00:00:00Z')
    expect(dueTimes(long, { from, jumpedTo, now: end })).toHaveLength(1000 + 100_000)
  })

  it('share the limit if there are too many, and rare items leave the rest to the others', () => {
    const kept = 100_000
    const rare = [
      item('daily', 1, kept),
      item('weekly', 1, kept),
      item('monthly', 1, kept),
      item('yearly', 1, kept),
    ]
    const three = Date.parse('2029-03-01T00:00:00Z')
    const run = (items: PolicyItem[], now: number) =>
      dueTimes(schedule(items), { from, jumpedTo: from - 1, now })
    expect(run([item('hourly', 1, kept), ...rare], three)).toHaveLength((three - from) / 3_600_000 + 1)
    const forty = Date.parse('2066-03-01T00:00:00Z')
    const all = new Set(run([item('hourly', 1, kept), item('hourly', 2, kept), ...rare], forty))
    for (const one of rare) for (const at of run([one], forty)) expect(all.has(at)).toBe(true)
    const [latest, other] = [run([item('hourly', 1, kept)], forty), run([item('hourly', 2, kept)], forty)]
    const lastLeftOut = (moments: number[]) =>
      moments.length - 1 - moments.findLastIndex((at) => !all.has(at))
    // In 40 years, the other items take about 17,000 snapshots.
    expect(lastLeftOut(latest)).toBeGreaterThan(41_000)
    expect(lastLeftOut(other)).toBeGreaterThan(41_000)
    expect(all.size).toBeLessThanOrEqual(100_000)
    // A clock jump takes at most 1,000 snapshots for each item. This number stays the same if the schedule also has
    // less frequent items.
    const jump = due(schedule([item('hourly', 1, kept), ...rare, ...rare, ...rare]), from, three)
    expect(
      jump.filter(({ items }) => items.some((one) => one.frequencyType === 'hourly')).length,
    ).toBeGreaterThan(999)
  })

  it('include those from the end of a month, which expire in a different order', () => {
    const monthly = schedule([{ ...item('hourly', 1), retentionUnit: 'months', retentionValue: 1 }])
    const now = Date.parse('2027-02-28T12:30:00Z')
    const kept = due(monthly, from, now).filter(({ at }) => at < Date.parse('2027-02-01T00:00:00Z'))
    const hours = kept.map(({ at }) => new Date(at).toISOString().slice(8, 13))
    const afternoon = Array.from({ length: 11 }, (_, hour) => hour + 13)
    expect(hours).toEqual([28, 29, 30, 31].flatMap((date) => afternoon.map((hour) => `${date}T${hour}`)))
  })

  it('include all unexpired snapshots of every item after a year', () => {
    const kept = [item('hourly', 1, 7), item('daily', 1, 30), item('weekly', 1, 90), item('monthly', 1, 400)]
    const now = Date.parse('2027-03-01T00:30:00Z')
    const all = due(schedule(kept), from, now)
    const of = (frequencyType: string) =>
      all.filter(({ items }) => items.some((one) => one.frequencyType === frequencyType)).length
    expect([of('hourly') >= 168, of('daily') >= 30, of('weekly') >= 12, of('monthly')]).toEqual([
      true,
      true,
      true,
      13,
    ])
  })

  it('include none before the first pending one', () => {
    const daily = schedule([item('daily', 1, 30)])
    expect(due(daily, Date.parse('2026-03-03T00:00:00Z'), Date.parse('2026-03-03T00:00:00Z'))).toHaveLength(1)
    expect(due(daily, Date.parse('2026-03-03T00:00:01Z'), Date.parse('2026-03-03T23:00:00Z'))).toEqual([])
  })
})
