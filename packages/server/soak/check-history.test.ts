import { describe, expect, it } from 'vitest'
import { anomaliesOf } from './check-history.ts'
import type { CounterEvent, FinalState, HistoryEvent, RaceEvent } from './history.ts'

const nothing: FinalState = { counters: new Map(), names: [], once: [] }
const counted = (count: number, mark: string): FinalState => ({
  ...nothing,
  counters: new Map([['c', { count, mark }]]),
})
const update = (
  started: number,
  count: number,
  mark: string,
  change: Partial<CounterEvent> = {},
): CounterEvent => ({
  kind: 'update',
  key: 'c',
  outcome: 'done',
  started,
  ended: started + 5,
  count,
  mark,
  ...change,
})
const read = (started: number, count: number, mark: string): CounterEvent =>
  update(started, count, mark, { kind: 'read' })
const claim = (outcome: RaceEvent['outcome']): RaceEvent => ({
  kind: 'claim',
  key: 'n',
  outcome,
  started: 0,
  ended: 1,
})
const status = (started: number, rank: number): HistoryEvent => ({
  kind: 'status',
  key: 'a',
  rank,
  started,
  ended: started + 5,
})

describe('the checker finds nothing in', () => {
  it.each<[string, HistoryEvent[], FinalState]>([
    ['sequential changes', [update(0, 2, 'a'), read(10, 2, 'a'), update(20, 3, 'b')], counted(3, 'b')],
    [
      'concurrent changes in either order',
      [update(0, 3, 'b'), update(2, 2, 'a'), read(3, 2, 'a')],
      counted(3, 'b'),
    ],
    [
      'a change without a response that happened',
      [update(0, 0, 'a', { outcome: 'unknown' }), read(10, 2, 'a')],
      counted(2, 'a'),
    ],
    [
      'a change without a response that did not happen',
      [update(0, 0, 'a', { outcome: 'unknown' }), read(10, 1, '')],
      counted(1, ''),
    ],
    ['a name assigned to one client', [claim('won'), claim('refused')], { ...nothing, names: ['n'] }],
    [
      'a name assigned without a response',
      [claim('unknown'), claim('refused')],
      { ...nothing, names: ['n'] },
    ],
    ['a state that goes forward', [status(0, 0), status(2, 2), status(3, 1), status(20, 2)], nothing],
  ])('%s', (_, history, final) => {
    expect(anomaliesOf(history, final)).toEqual([])
  })
})

describe('the checker finds', () => {
  it.each<[string, HistoryEvent[], FinalState, RegExp]>([
    [
      'a lost change',
      [update(0, 2, 'a'), update(10, 3, 'b')],
      counted(2, 'a'),
      /1 acknowledged changes are lost/,
    ],
    [
      'two changes from the same state',
      [update(0, 2, 'a'), update(1, 2, 'b')],
      counted(2, 'b'),
      /two changes returned the count 2/,
    ],
    ['a duplicate change', [update(0, 2, 'a'), read(10, 3, 'a')], counted(3, 'a'), /a was applied twice/],
    [
      'a duplicate change without a response',
      [update(0, 0, 'a', { outcome: 'unknown' }), read(9, 2, 'a'), read(19, 3, 'a')],
      counted(3, 'a'),
      /\(no response\)/,
    ],
    ['a stale read', [update(0, 2, 'a'), read(10, 1, '')], counted(2, 'a'), /read saw 1 after 2/],
    [
      'a change based on a stale state',
      [update(0, 3, 'a'), update(10, 2, 'b')],
      counted(3, 'a'),
      /update saw 2 after 3/,
    ],
    ['an unknown change', [update(0, 2, 'a')], counted(3, 'x'), /never requested/],
    ['a missing resource', [update(0, 2, 'a')], nothing, /c is gone/],
    ['a name assigned twice', [claim('won'), claim('won')], { ...nothing, names: ['n'] }, /assigned to 2/],
    ['a missing name', [claim('won')], nothing, /is missing/],
    ['a name listed twice', [claim('won')], { ...nothing, names: ['n', 'n'] }, /exists twice/],
    ['a name assigned to no client', [claim('refused'), claim('refused')], nothing, /rejected for all/],
    ['a state that goes back', [status(0, 2), status(10, 1)], nothing, /went back from 2 to 1/],
    ['a duplicate event', [], { ...nothing, once: ['notice', 'notice'] }, /notice happened twice/],
  ])('%s', (_, history, final, message) => {
    expect(anomaliesOf(history, final).join('\n')).toMatch(message)
  })
})
