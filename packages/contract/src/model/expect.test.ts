import { expect, test } from 'vitest'
import type { Exchange } from '../http/exchange.ts'
import { missingErrorCode } from './difference.ts'
import { expectAt, expectRefusal, expectRefused, expectThat, isRefusal } from './expect.ts'
import { Violation } from './signals.ts'

const exchangeOf = (status: number, errorCode: string): Exchange => ({
  url: 'http://x/',
  request: { method: 'GET', path: '/', headers: [] },
  response: { status, reason: '', headers: [], body: JSON.stringify({ errorCode }) },
  milliseconds: 1,
})

/** Returns the strength of the violation that a check throws, or a text if it throws nothing. */
const breachOf = (check: () => void): unknown => {
  try {
    check()
    return 'none'
  } catch (error) {
    return error instanceof Violation ? (error.breach.strength ?? 'whole') : error
  }
}

test('a server error is not a rejection', () => {
  const { response } = exchangeOf(200, '')
  const statuses = [200, 302, 399, 400, 401, 499, 500, 503]
  expect(statuses.filter((status) => isRefusal({ ...response, status }))).toEqual([400, 401, 499])
  expect(breachOf(() => expectRefused(exchangeOf(500, ''), 'x'))).toBe('whole')
  expect(breachOf(() => expectRefusal(exchangeOf(500, ''), 'VALIDATION_ERROR', 'x'))).toBe('stated')
})

test('a rejection of a different kind violates only the decisions about its kind', () => {
  expect(breachOf(() => expectRefusal(exchangeOf(400, 'VALIDATION_ERROR'), 'VALIDATION_ERROR', 'x'))).toBe(
    'none',
  )
  expect(breachOf(() => expectRefusal(exchangeOf(422, 'OTHER'), 'VALIDATION_ERROR', 'x'))).toBe('decided')
})

test('reports an absent or empty value as nothing', () => {
  for (const actual of [undefined, ''])
    expect(() => expectThat(false, { expected: 'a', actual })).toThrow(/^expected a, got nothing$/)
})

test('a rejection that names locations must name the invalid one, its parent or a part of it', () => {
  const naming = (...parameters: readonly unknown[]): Exchange => {
    const exchange = exchangeOf(400, 'VALIDATION_ERROR')
    return { ...exchange, response: { ...exchange.response, body: JSON.stringify({ parameters }) } }
  }
  const at = (...named: readonly unknown[]) => breachOf(() => expectAt(naming(...named), ['/a/b', '/c']))
  for (const name of ['/a/b', '/a', '', '/', '#/a/b', 'a.b', 'c', '/a/b/0', '/other'])
    expect([name, at(name)]).toEqual([name, name === '/other' ? 'decided' : 'none'])
  expect([at('/other', '/c'), at('/other', '/ab')]).toEqual(['none', 'decided'])
  // Errors don't have to contain locations, and values of the wrong type aren't locations.
  expect([at(), at(7), breachOf(() => expectAt(exchangeOf(400, 'X'), ['/a']))]).toEqual([
    'none',
    'none',
    'none',
  ])
})

test("a framework's phrase in an error body is not an error code", () => {
  const differenceFor = (error: string): string | undefined => {
    const exchange = exchangeOf(400, '')
    const response = { ...exchange.response, body: JSON.stringify({ error }) }
    try {
      expectRefusal({ ...exchange, response }, 'VALIDATION_ERROR', 'x')
    } catch (thrown) {
      return thrown instanceof Violation ? thrown.breach.difference : undefined
    }
    return undefined
  }
  expect(differenceFor('Bad Request')).toBe(missingErrorCode)
  expect(differenceFor('invalid_request')).toBe('400 VALIDATION_ERROR → 400 invalid_request')
})
