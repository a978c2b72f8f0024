import { expect, test } from 'vitest'
import { NoResponse } from '../http/transport.ts'
import { serverError } from '../model/difference.ts'
import { Lenience, NotApplicable, Unreachable, Untestable, Violation } from '../model/signals.ts'
import { outcomeOf } from './outcome.ts'

const breach = { expected: 'a', actual: 'b' }
const request = { method: 'GET', path: '/', headers: [] }
const empty = { reason: '', headers: [], body: '' }

test('a violation fails if stated, warns if decided, and is lenient if open', () => {
  expect(outcomeOf(new Violation(breach), 'stated', false).verdict).toBe('FAIL')
  expect(outcomeOf(new Violation(breach), 'decided', false).verdict).toBe('WARN')
  expect(outcomeOf(new Violation(breach), 'open', false).verdict).toBe('LENIENT')
})

test('strict turns decided violations into failures, but not open ones', () => {
  expect(outcomeOf(new Violation(breach), 'decided', true).verdict).toBe('FAIL')
  expect(outcomeOf(new Violation(breach), 'open', true).verdict).toBe('LENIENT')
})

test('a violation is only as strong as the fact that it rests on', () => {
  const { verdict, strength } = outcomeOf(new Violation({ ...breach, strength: 'decided' }), 'stated', false)
  expect([verdict, strength]).toEqual(['WARN', 'decided'])
  expect(outcomeOf(new Violation({ ...breach, strength: 'stated' }), 'open', false).verdict).toBe('LENIENT')
})

test('untestable, not applicable and lenient outcomes are not violations', () => {
  expect(outcomeOf(new Untestable('a cluster'), 'stated', true)).toMatchObject({
    verdict: 'UNTESTABLE',
    reason: 'a cluster',
  })
  expect(outcomeOf(new NotApplicable('why'), 'stated', true).verdict).toBe('NOT APPLICABLE')
  expect(outcomeOf(new Lenience(breach), 'stated', true).verdict).toBe('LENIENT')
})

test('any other error is an error of the kit', () => {
  expect(outcomeOf(new TypeError('oops'), 'stated', true).verdict).toBe('KIT ERROR')
  expect(outcomeOf('oops', 'stated', true)).toMatchObject({ verdict: 'KIT ERROR', reason: 'oops' })
})

test('a closed connection is a violation, and an unreachable target ends the run', () => {
  expect(outcomeOf(new NoResponse(request, 'ECONNRESET'), 'stated', false).verdict).toBe('FAIL')
  expect(() => outcomeOf(new NoResponse(request, 'ECONNREFUSED'), 'stated', false)).toThrow(Unreachable)
})

test('every unexpected server error has the same difference', () => {
  const of = (status: number) => {
    const exchange = { url: '/', request, milliseconds: 1, response: { ...empty, status } }
    return outcomeOf(new Violation({ ...breach, exchange }), 'stated', false).difference
  }
  expect([of(404), of(500)]).toEqual([undefined, serverError])
})
