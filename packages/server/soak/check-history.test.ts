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
    [
      'changes one after the other',
      [update(0, 2, 'a'), read(10, 2, 'a'), update(20, 3, 'b')],
      counted(3, 'b'),
    ],
    [
      'changes at once, in either order',
      [update(0, 3, 'b'), update(2, 2, 'a'), read(3, 2, 'a')],
      counted(3, 'b'),
    ],
    [
      'an unanswered change that was made',
      [update(0, 0, 'a', { outcome: 'unknown' }), read(10, 2, 'a')],
      counted(2, 'a'),
    ],
    [
      'an unanswered change that was not',
      [update(0, 0, 'a', { outcome: 'unknown' }), read(10, 1, '')],
      counted(1, ''),
    ],
    ['a name that one was given', [claim('won'), claim('refused')], { ...nothing, names: ['n'] }],
    ['a name whose winner was not told', [claim('unknown'), claim('refused')], { ...nothing, names: ['n'] }],
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
      /two changes were told the count 2/,
    ],
    ['a change made twice', [update(0, 2, 'a'), read(10, 3, 'a')], counted(3, 'a'), /a was made twice/],
    [
      'an unanswered change made twice',
      [update(0, 0, 'a', { outcome: 'unknown' }), read(9, 2, 'a'), read(19, 3, 'a')],
      counted(3, 'a'),
      /unanswered/,
    ],
    ['an old count read later', [update(0, 2, 'a'), read(10, 1, '')], counted(2, 'a'), /read saw 1 after 2/],
    [
      'a change that builds on an old one',
      [update(0, 3, 'a'), update(10, 2, 'b')],
      counted(3, 'a'),
      /update saw 2 after 3/,
    ],
    ['a change of nobody', [update(0, 2, 'a')], counted(3, 'x'), /nobody asked for/],
    ['a resource that is gone', [update(0, 2, 'a')], nothing, /c is gone/],
    ['a name given twice', [claim('won'), claim('won')], { ...nothing, names: ['n'] }, /given to 2/],
    ['a name given that is not there', [claim('won')], nothing, /is not there/],
    ['a name listed twice', [claim('won')], { ...nothing, names: ['n', 'n'] }, /is there twice/],
    ['a name refused to all', [claim('refused'), claim('refused')], nothing, /refused to all/],
    ['a state that goes back', [status(0, 2), status(10, 1)], nothing, /went back from 2 to 1/],
    ['what happened twice', [], { ...nothing, once: ['notice', 'notice'] }, /notice happened twice/],
  ])('%s', (_, history, final, message) => {
    expect(anomaliesOf(history, final).join('\n')).toMatch(message)
  })
})
