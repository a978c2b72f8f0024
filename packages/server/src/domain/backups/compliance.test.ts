import { describe, expect, it } from 'vitest'
import type { CompliancePolicyDocument, PolicyItem, ScheduleDocument } from './backup-schemas.ts'
import { fittedToPolicy, itemsFor, requiredUntil, requireNoNewShortfall, shortfalls } from './compliance.ts'
import { itemsOf } from './due-snapshots.ts'
import { requireGrowingRetention, requireWindowWithinHourly } from './policy-rules.ts'
import { retainsAsLongAs } from './retention.ts'

const item = (
  frequencyType: string,
  frequencyInterval: number,
  retentionValue: number,
  retentionUnit = 'days',
): PolicyItem => ({
  frequencyType,
  frequencyInterval,
  retentionUnit,
  retentionValue,
})

const policy = (
  scheduledPolicyItems: PolicyItem[],
  restoreWindowDays?: number,
): CompliancePolicyDocument => ({
  authorizedEmail: 'a@b.example',
  projectId: '0123456789abcdef01234567',
  copyProtectionEnabled: false,
  encryptionAtRestEnabled: false,
  pitEnabled: restoreWindowDays !== undefined,
  ...(restoreWindowDays === undefined ? {} : { restoreWindowDays }),
  scheduledPolicyItems,
})

const schedule = (policyItems: PolicyItem[]): ScheduleDocument => ({
  clusterId: '0123456789abcdef01234567',
  clusterName: 'any',
  autoExportEnabled: false,
  policies: [{ policyItems }],
})

/** Retentions that differ only slightly from each other, or only for some start days. */
const retentions: readonly (readonly [number, string])[] = [
  ...[1, 28, 29, 30, 31, 32, 61, 62, 365, 366, 367, 2920, 2921, 2922].map(
    (value) => [value, 'days'] as const,
  ),
  ...[4, 5, 52, 53].map((value) => [value, 'WEEKS'] as const),
  ...[1, 2, 12, 13, 96].map((value) => [value, 'months'] as const),
  ...[1, 8, 400].map((value) => [value, 'years'] as const),
]

const fit = (asked: CompliancePolicyDocument, before: ScheduleDocument) =>
  fittedToPolicy(asked, before, () => 'new')

describe('a schedule', () => {
  it('meets a policy if it retains snapshots longer and takes them more often', () => {
    const asked = policy([item('hourly', 12, 2), item('weekly', 3, 14)])
    expect(shortfalls(asked, schedule([item('hourly', 6, 3), item('weekly', 7, 21)]))).toEqual([])
    expect(shortfalls(asked, schedule([item('hourly', 24, 3), item('weekly', 3, 14)]))).toHaveLength(1)
    expect(shortfalls(asked, schedule([item('hourly', 12, 1), item('weekly', 3, 13)]))).toHaveLength(2)
    expect(shortfalls(asked, { ...schedule([]), policies: [] })).toHaveLength(2)
  })

  it('gets a readable list of shortfalls, including items without a frequency', () => {
    const asked = policy([{ retentionUnit: 'days', retentionValue: 3 }, item('daily', 1, 7)])
    expect(shortfalls(asked, schedule([]))).toEqual([
      "no policy item without a frequency meets the policy's requirements",
      "no daily policy item meets the policy's requirements",
    ])
  })

  it('meets a restore window only with one at least as long', () => {
    const asked = policy([], 3)
    expect(shortfalls(asked, schedule([]))).toHaveLength(1)
    expect(shortfalls(asked, { ...schedule([]), restoreWindowDays: 2 })).toHaveLength(1)
    expect(shortfalls(asked, { ...schedule([]), restoreWindowDays: 3 })).toEqual([])
  })

  it('meets continuous backup without a window with any restore window', () => {
    const asked = { ...policy([item('hourly', 6, 12)]), pitEnabled: true }
    const before = schedule([item('hourly', 6, 12)])
    expect(shortfalls(asked, before)).toEqual(['the restore window is shorter than the policy requires'])
    expect(fit(asked, before)).toEqual({
      ...before,
      policies: [{ id: 'new', ...before.policies[0] }],
      restoreWindowDays: 1,
    })
    const none = { ...before, restoreWindowDays: 0 }
    for (const restoreWindowDays of [1, 5]) {
      const window = { ...before, restoreWindowDays }
      expect(shortfalls(asked, window)).toEqual([])
      for (const below of [before, none]) {
        expect(() => requireNoNewShortfall(asked, window, below)).toThrow()
      }
    }
    expect(() => requireNoNewShortfall(asked, before, { ...before, autoExportEnabled: true })).not.toThrow()
  })

  it.each([
    ['has no items of', schedule([]), schedule([item('daily', 1, 6)]), false],
    ['has no items of', schedule([]), schedule([item('weekly', 1, 30)]), false],
    ['has no items of', schedule([]), schedule([item('daily', 1, 7)]), true],
    ['has no items of', schedule([]), { ...schedule([]), autoExportEnabled: true }, true],
    ['has other items than', schedule([item('weekly', 1, 30)]), schedule([item('weekly', 1, 20)]), true],
    ['has other items than', schedule([item('weekly', 1, 30)]), schedule([item('daily', 1, 6)]), false],
    ['is below', schedule([item('daily', 2, 5)]), schedule([item('daily', 2, 6)]), false],
    ['is below', schedule([item('daily', 2, 5)]), schedule([item('daily', 2, 5)]), true],
    ['is below', schedule([item('daily', 2, 5)]), schedule([item('daily', 1, 7)]), true],
    ['is below', schedule([item('daily', 2, 5)]), schedule([item('daily', 1, 4)]), false],
    ['is below', schedule([item('daily', 2, 5)]), schedule([item('daily', 3, 9)]), false],
    ['is below', schedule([item('daily', 2, 5)]), schedule([]), false],
    ['is above', schedule([item('daily', 1, 9)]), schedule([item('daily', 1, 7)]), true],
    ['is above', schedule([item('daily', 1, 9)]), schedule([item('daily', 1, 6)]), false],
  ])('that %s the policy can change from %j to %j: %j', (_, before, after, isTaken) => {
    const change = expect(() => requireNoNewShortfall(policy([item('daily', 1, 7)]), before, after))
    isTaken ? change.not.toThrow() : change.toThrow()
  })

  it.each([
    [undefined, undefined, true],
    [undefined, 2, false],
    [undefined, 3, true],
    [1, 2, false],
    [1, 1, true],
    [1, 3, true],
    [2, 1, false],
    [2, undefined, false],
    [5, 3, true],
    [5, 2, false],
  ])('with a restore window of %j may change it to %j: %j', (from, to, isTaken) => {
    const of = (days?: number) =>
      days === undefined ? schedule([]) : { ...schedule([]), restoreWindowDays: days }
    const change = expect(() => requireNoNewShortfall(policy([], 3), of(from), of(to)))
    isTaken ? change.not.toThrow() : change.toThrow()
  })

  it('is rewritten only as much as necessary, including less frequent items', () => {
    const asked = policy([item('hourly', 12, 10), item('daily', 1, 20)], 5)
    const open = { ...item('hourly', 24, 1), id: 'own', kept: true }
    const before = schedule([open, item('weekly', 1, 15)])
    const after = fit(asked, before)
    expect(after.policies[0]?.policyItems).toEqual([
      { ...item('hourly', 12, 10), id: 'own', kept: true },
      { ...item('daily', 1, 20), id: 'new' },
      item('weekly', 1, 20),
    ])
    expect([after.restoreWindowDays, shortfalls(asked, after)]).toEqual([5, []])
  })

  it.each([
    ['a restore window that it lacks', policy([], 5), schedule([item('hourly', 6, 2), item('weekly', 1, 3)])],
    [
      'hourly snapshots that it lacks, with a longer window',
      policy([item('hourly', 6, 2), item('daily', 1, 3)]),
      { ...schedule([item('monthly', 1, 4)]), restoreWindowDays: 7 },
    ],
  ])('for a policy with %s is valid after the rewrite', (_, asked, before) => {
    const after = fit(asked, before)
    const items = itemsOf(after)
    expect(shortfalls(asked, after)).toEqual([])
    expect(() => requireWindowWithinHourly(after.restoreWindowDays, items)).not.toThrow()
    expect(() => requireGrowingRetention(items, '')).not.toThrow()
  })

  it('gets the policy items that it lacks', () => {
    const after = fit(policy([item('daily', 1, 7)]), { ...schedule([]), policies: [] })
    expect(after.policies).toEqual([{ id: 'new', policyItems: [{ ...item('daily', 1, 7), id: 'new' }] }])
  })
})

describe('a policy with other units than the schedule', () => {
  const daily = (value: number, unit: string) => schedule([item('daily', 1, value, unit)])

  it.each([
    [30, 'days', 1, 'months', false],
    [28, 'days', 1, 'months', true],
    [1, 'months', 30, 'days', false],
    [1, 'months', 31, 'days', true],
    [1, 'years', 365, 'days', false],
    [1, 'years', 366, 'days', true],
    [1, 'YEARS', 12, 'months', true],
    [13, 'months', 1, 'years', false],
    [4, 'weeks', 28, 'days', true],
  ])('is met only if it is met on every day: %i %s by %i %s: %j', (asked, unit, kept, keptUnit, isMet) => {
    const asks = policy([item('daily', 1, asked, unit)])
    expect(shortfalls(asks, daily(kept, keptUnit))).toHaveLength(isMet ? 0 : 1)
  })

  it('is not met by a retention that is equal only in days', () => {
    const asked = policy([item('daily', 1, 1, 'years')])
    const change = (value: number, unit: string) => () =>
      requireNoNewShortfall(asked, daily(1, 'years'), daily(value, unit))
    expect(change(365, 'days')).toThrow()
    expect(change(12, 'months')).not.toThrow()
  })

  it('is met after a rewrite that shortens no retention', () => {
    const units = [...retentions]
    const at = (index: number) => units[index % units.length] ?? [1, 'days']
    for (let round = 0; round < 4000; round++) {
      const [a, b, c, d, e] = [7, 11, 13, 17, 19].map((step) =>
        at(Math.floor((round * step * 31) / 7) + round * step),
      )
      const asked = policy(
        [
          item('daily', 1, ...(a ?? at(0))),
          item('daily', 2, ...(b ?? at(0))),
          item('weekly', 1, ...(c ?? at(0))),
        ],
        round % 3 === 0 ? 1 + (round % 400) : undefined,
      )
      const before = schedule([
        ...(round % 2 === 0 ? [item('hourly', 6, ...at(round))] : []),
        item('daily', 1, ...(d ?? at(0))),
        item('weekly', 1, ...(e ?? at(0))),
        item('monthly', 1, ...at(round * 5)),
      ])
      const after = fit(asked, before)
      const items = itemsOf(after)
      expect(shortfalls(asked, after)).toEqual([])
      expect(() => requireGrowingRetention(items, '')).not.toThrow()
      expect(() => requireWindowWithinHourly(after.restoreWindowDays, items)).not.toThrow()
      for (const one of itemsOf(before)) {
        const same = items.filter(({ frequencyType }) => frequencyType === one.frequencyType)
        expect(same.some((raised) => retainsAsLongAs(raised, one))).toBe(true)
      }
    }
  })
})

it('applies the longest retention if a policy has several items of one frequency', () => {
  const [short, long] = [item('weekly', 1, 30), item('weekly', 5, 1, 'months')]
  const until = (at: string) => {
    const asked = requiredUntil(
      itemsFor(policy([short, long, item('weekly', 1, 9, 'eons')]), 'weekly'),
      Date.parse(at),
    )
    return new Date(asked).toISOString().slice(0, 10)
  }
  expect(until('2026-01-01')).toBe('2026-02-01')
  expect(until('2026-02-01')).toBe('2026-03-03')
  expect(itemsFor(policy([short, long]), 'daily')).toEqual([])
})
