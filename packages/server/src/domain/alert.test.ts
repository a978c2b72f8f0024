import { describe, expect, it } from 'vitest'
import { type AlertState, advance, type Notice, outboxSize } from './alert.ts'

const minute = 60_000

const alertWith = (
  ...rhythms: readonly (readonly [delayMin: number, intervalMin: number])[]
): AlertState => ({
  status: 'TRACKING',
  since: 0,
  acknowledgedUntil: undefined,
  silentUntil: undefined,
  targets: rhythms.map(([delayMin, intervalMin], index) => ({
    notifierId: `n${index}`,
    typeName: 'SMS',
    delayMin,
    intervalMin,
  })),
})

/** Advances an alert to the given time in several batches. Returns the notices, and the size of each batch. */
function inParts(alert: AlertState, now: number, limit: number) {
  const notices: Notice[] = []
  const sizes: number[] = []
  let state = alert
  for (;;) {
    const next = advance(state, now, limit)
    notices.push(...next.notices)
    sizes.push(next.notices.length)
    state = next
    if (next.dueAt === undefined || next.dueAt > now) return { notices, sizes, last: next }
  }
}

describe('an alert settled in batches', () => {
  const several = alertWith([0, 5], [0, 0], [3, 5], [0, 5], [7, 0], [0, 1], [90, 5])

  it.each([1, 2, 3, 7, 50, 1000])('sends each target the same notices in the same order: %i', (limit) => {
    for (const now of [0, 4 * minute, 61 * minute, 60 * 24 * minute]) {
      const whole = advance(several, now)
      const parts = inParts(several, now, limit)
      expect(parts.notices).toEqual(whole.notices)
      expect(parts.last).toMatchObject({ targets: whole.targets, dueAt: whole.dueAt, status: whole.status })
      expect(parts.sizes.every((size) => size <= limit)).toBe(true)
      expect(parts.sizes.slice(0, -1).every((size) => size === limit)).toBe(true)
    }
  })

  it('stays due until all notices are sent', () => {
    const { dueAt, notices } = advance(several, 10 * minute, 3)
    expect([notices.map(({ notifierId, at }) => [notifierId, at]), dueAt]).toEqual([
      [
        ['n0', 0],
        ['n1', 0],
        ['n3', 0],
      ],
      0,
    ])
  })
})

describe('the first notice of a target', () => {
  const at = (alert: AlertState, minutes: number) =>
    advance(alert, minutes * minute, undefined, minutes * minute).notices.map((notice) => [
      notice.notifierId,
      notice.at / minute,
    ])
  const rhythms = alertWith([10, 60], [10, 0])

  it.each([
    ['an acknowledgment that delays it', { acknowledgedUntil: 25 * minute }],
    ['a silence that delays it', { silentUntil: 25 * minute }],
  ])('is sent immediately after %s and does not shift later notices', (_, quiet) => {
    const alert = { ...rhythms, ...quiet }
    expect(at(alert, 24)).toEqual([])
    expect(advance(alert, 24 * minute).dueAt).toBe(25 * minute)
    const both = [
      ['n0', 25],
      ['n1', 25],
    ]
    expect(at(alert, 25)).toEqual(both)
    expect(advance(alert, 25 * minute).dueAt).toBe(70 * minute)
    expect(at(alert, 69)).toEqual(both)
    expect(at(alert, 130)).toEqual([...both, ['n0', 70], ['n0', 130]])
    const { notices, sizes } = inParts(alert, 130 * minute, 1)
    expect([notices, sizes]).toEqual([advance(alert, 130 * minute).notices, [1, 1, 1, 1]])
  })

  it('is omitted if a clock jump is too long to send all notices', () => {
    const alert = { ...alertWith([10, 60]), silentUntil: 25 * minute }
    const sent = at(alert, 10 + 60 * 1000)
    expect([sent.length, sent[0], sent.at(-1)]).toEqual([100, ['n0', 10 + 60 * 901], ['n0', 10 + 60 * 1000]])
    expect(at(alert, 10 + 60 * 100)).toHaveLength(100)
    expect(at(alert, 10 + 60 * 99)[0]).toEqual(['n0', 25])
    expect(at(alert, 10 + 60 * 100)[0]).toEqual(['n0', 70])
  })

  it('is not repeated: the next notice waits for its interval', () => {
    const [target] = alertWith([10, 60]).targets
    const targets = target ? [{ ...target, lastSentAt: 10 * minute }] : []
    expect(at({ ...rhythms, targets, silentUntil: 80 * minute }, 130)).toEqual([['n0', 130]])
  })
})

describe('an alert that was not read for a long time', () => {
  const forDays = (days: number) => days * 24 * 60 * minute

  it('sends every notice that came due as the clock ran, up to the outbox limit', () => {
    const { notices } = advance(alertWith([0, 5], [0, 1]), forDays(5))
    expect(notices).toHaveLength(5 * 24 * 12 + 1 + 5 * 24 * 60 + 1)
    const latest = advance(alertWith([0, 5], [0, 1]), forDays(5000)).notices
    expect(latest.length).toBeLessThanOrEqual(outboxSize)
    expect(latest.length).toBeGreaterThan(outboxSize - 3)
    expect(latest.at(-1)?.at).toBe(forDays(5000))
  })

  it.each([
    ['a jump', alertWith([0, 1], [0, 1]), forDays(1)],
    ['it was seeded', { ...alertWith([0, 1], [0, 1]), seededAt: forDays(1) }, undefined],
  ])('sends each target the latest hundred notices due before %s', (_, alert, jumpedTo) => {
    const { notices } = advance(alert, forDays(1) + 7 * minute, undefined, jumpedTo)
    expect(notices).toHaveLength(2 * (100 + 7))
    expect(notices[0]?.at).toBe(forDays(1) - 99 * minute)
  })
})
