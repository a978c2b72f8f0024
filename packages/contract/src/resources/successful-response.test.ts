import { states } from '@svc-admin/types'
import { expect, test } from 'vitest'
import type { Json } from '../document/json.ts'
import { Lenience, Violation } from '../model/signals.ts'
import {
  accepted,
  expectContains,
  expectFields,
  expectItems,
  expectOneOf,
  expectSame,
  expectState,
  expectText,
  only,
  secondsIn,
  without,
} from './successful-response.ts'

const response = (status: number, body: Json = {}) => ({
  url: '',
  request: { method: 'GET', path: '/', headers: [] },
  response: { status, reason: '', headers: [], body: JSON.stringify(body) },
  milliseconds: 0,
})

const fails = (work: () => unknown) => expect(work).toThrow(Violation)

test('a response contains what was sent and may have more fields, but not more elements', () => {
  const contains = (actual: Json, sent: Json) => expectContains(response(200), actual, sent)
  contains({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ c: 2 }] })
  fails(() => contains({ a: [1, 2] }, { a: [1] }))
  fails(() => contains({ a: [1] }, { a: [1, 2] }))
  fails(() => contains({ a: [2, 1] }, { a: [1, 2] }))
  fails(() => contains({ a: { b: 1 } }, { a: { b: 1, c: null } }))
  fails(() => contains({ a: 'x' }, { a: { b: 1 } }))
})

test('omitting an empty array is a decided violation', () => {
  const strengthOf = (actual: Json, sent: Json) => {
    try {
      expectContains(response(200), actual, sent, { strength: 'stated' })
    } catch (error) {
      return error instanceof Violation ? error.breach.strength : error
    }
    return 'passed'
  }
  expect(strengthOf({ a: 1 }, { a: 1, b: [] })).toBe('decided')
  expect(strengthOf({ a: [{}] }, { a: [{ b: [] }] })).toBe('decided')
  expect(strengthOf({ b: [1] }, { b: [] })).toBe('stated')
  expect(strengthOf({ b: null }, { b: [] })).toBe('stated')
  expect(strengthOf({}, { b: [1] })).toBe('stated')
  expect(strengthOf({ a: 2 }, { a: 1, b: [] })).toBe('stated')
})

test('items are compared in any order, by their key', () => {
  const items = (actual: Json) => expectItems(response(200), actual, [{ name: 'a' }, { name: 'b' }], 'name')
  items([{ name: 'b', c: 1 }, { name: 'a' }])
  fails(() => items([{ name: 'b' }, { name: 'b' }]))
  fails(() => items([{ name: 'b' }, { name: 'a' }, { name: 'c' }]))
  fails(() => items({ name: 'a' }))
})

test('another name for a state is a decided violation, unless the specification names one of the two states', () => {
  const strengthOf = (actual: Json | undefined, expected: string) => {
    try {
      const body = actual === undefined ? {} : { status: actual }
      expectState({ exchange: response(200), body }, 'search-index', expected)
    } catch (error) {
      return error instanceof Violation ? error.breach.strength : error
    }
    return 'passed'
  }
  expect(strengthOf('READY', 'READY')).toBe('passed')
  expect(strengthOf('ACTIVE', 'READY')).toBe('decided')
  expect(strengthOf('DELETING', 'READY')).toBe('stated')
  expect(strengthOf('GOING', 'DELETING')).toBe('stated')
  expect(strengthOf(undefined, 'READY')).toBe('stated')
})

test('two long responses are described by their differences', () => {
  const long = 'x'.repeat(200)
  const breachOf = (work: () => void) => {
    try {
      work()
    } catch (error) {
      return error instanceof Violation ? [error.breach.expected, error.breach.actual] : error
    }
    return 'nothing'
  }
  const [before, after] = [{ description: long, status: 'INFO' }, { description: long }]
  expect(breachOf(() => expectSame(response(200), 'the rest', after, before))).toEqual([
    'the rest with /status "INFO"',
    '/status nothing',
  ])
  const longer = { ...before, description: long.repeat(2) }
  expect(
    breachOf(() => expectContains(response(200), { ...longer, status: 'OTHER', more: 1 }, longer)),
  ).toEqual(['with /status "INFO"', '/status "OTHER"'])
  expect(breachOf(() => expectSame(response(200), 'the rest', before, before))).toBe('nothing')
})

test('fields are found by name, and texts are not empty', () => {
  const stored = { exchange: response(200), body: { a: '', b: 'x', c: null } }
  expectFields(stored, 'a', 'c')
  fails(() => expectFields(stored, 'a', 'd'))
  expectText(stored, 'b')
  fails(() => expectText(stored, 'a'))
  expectOneOf(stored, 'b', ['x', 'y'])
  fails(() => expectOneOf(stored, 'b', ['y']))
  expect(only(stored.body, 'a', 'd')).toEqual({ a: '' })
  expect(without(stored.body, 'a', 'd')).toEqual({ b: 'x', c: null })
})

test('rejecting optional input is not a violation', () => {
  expect(accepted(response(200, { a: 1 }), 'it').body).toEqual({ a: 1 })
  expect(() => accepted(response(400), 'it')).toThrow(Lenience)
})

test('waits for a state plus one second, because both states are allowed at the exact time', () => {
  const stay = (from: string): number =>
    states['export-job'].transitions.flatMap((one) =>
      one.from === from && 'afterSeconds' in one ? Number(one.afterSeconds) : [],
    )[0] ?? Number.NaN
  expect(secondsIn('export-job', 'Queued')).toBe(stay('Queued') + 1)
  expect(secondsIn('export-job', 'Queued', 'InProgress')).toBe(stay('Queued') + stay('InProgress') + 1)
  expect(secondsIn('export-job', 'no such state')).toBe(1)
})
