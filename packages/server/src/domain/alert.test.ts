import { describe, expect, it } from 'vitest'
import { type AlertState, advance, type Notice } from './alert.ts'

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

/** What goes out by a moment, so many at a time, and how many each time. */
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

describe('an alert that is settled a part at a time', () => {
  const several = alertWith([0, 5], [0, 0], [3, 5], [0, 5], [7, 0], [0, 1], [90, 5])

  it.each([1, 2, 3, 7, 50, 1000])('tells each target the same, in the same order: %i', (limit) => {
    for (const now of [0, 4 * minute, 61 * minute, 60 * 24 * minute]) {
      const whole = advance(several, now)
      const parts = inParts(several, now, limit)
      expect(parts.notices).toEqual(whole.notices)
      expect(parts.last).toMatchObject({ targets: whole.targets, dueAt: whole.dueAt, status: whole.status })
      expect(parts.sizes.every((size) => size <= limit)).toBe(true)
      expect(parts.sizes.slice(0, -1).every((size) => size === limit)).toBe(true)
    }
  })

  it('is due as long as something has not gone out', () => {
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
