import { expect, test } from 'vitest'
import { NoResponse } from '../http/transport.ts'
import { outcomeOf } from './outcome.ts'
import { Lenience, NotApplicable, Unreachable, Untestable, Violation } from './signals.ts'

const breach = { expected: 'a', actual: 'b' }
const request = { method: 'GET', path: '/', headers: [] }

test('a broken stated promise fails, a decided one warns, an open one is lenient', () => {
  expect(outcomeOf(new Violation(breach), 'stated', false).verdict).toBe('FAIL')
  expect(outcomeOf(new Violation(breach), 'decided', false).verdict).toBe('WARN')
  expect(outcomeOf(new Violation(breach), 'open', false).verdict).toBe('LENIENT')
})

test('strict makes a decided promise fail, and never an open one', () => {
  expect(outcomeOf(new Violation(breach), 'decided', true).verdict).toBe('FAIL')
  expect(outcomeOf(new Violation(breach), 'open', true).verdict).toBe('LENIENT')
})

test('a violation binds no more than the fact that it rests on', () => {
  const { verdict, strength } = outcomeOf(new Violation({ ...breach, strength: 'decided' }), 'stated', false)
  expect([verdict, strength]).toEqual(['WARN', 'decided'])
  expect(outcomeOf(new Violation({ ...breach, strength: 'stated' }), 'open', false).verdict).toBe('LENIENT')
})

test('what is missing, does not apply or is merely unusual is no violation', () => {
  expect(outcomeOf(new Untestable('a cluster'), 'stated', true)).toMatchObject({
    verdict: 'UNTESTABLE',
    reason: 'a cluster',
  })
  expect(outcomeOf(new NotApplicable('why'), 'stated', true).verdict).toBe('NOT APPLICABLE')
  expect(outcomeOf(new Lenience(breach), 'stated', true).verdict).toBe('LENIENT')
})

test('anything else is an error of the kit', () => {
  expect(outcomeOf(new TypeError('oops'), 'stated', true).verdict).toBe('KIT ERROR')
  expect(outcomeOf('oops', 'stated', true)).toMatchObject({ verdict: 'KIT ERROR', reason: 'oops' })
})

test('a hung-up connection is a violation, and nobody listening ends the run', () => {
  expect(outcomeOf(new NoResponse(request, 'ECONNRESET'), 'stated', false).verdict).toBe('FAIL')
  expect(() => outcomeOf(new NoResponse(request, 'ECONNREFUSED'), 'stated', false)).toThrow(Unreachable)
})
