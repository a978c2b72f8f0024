import { eventTypes } from '@svc-admin/types'
import { describe, expect, it } from 'vitest'
import { isExpression, matcherOperators, matches, unlessStarved } from './matchers.ts'

const fields = { CLUSTER_NAME: 'orders-eu', PORT: '27017' }
const of = (operator: string, value: string, fieldName = 'CLUSTER_NAME') =>
  matches({ fieldName, operator, value }, fields, 20)

describe('a matcher', () => {
  it('supports the operators of the specification', () => {
    expect([...matcherOperators].sort()).toEqual([...eventTypes.matcherOperators].sort())
  })

  it.each([
    ['EQUALS', 'orders-eu', 'orders'],
    ['NOT_EQUALS', 'orders', 'orders-eu'],
    ['CONTAINS', 'ders', 'menus'],
    ['NOT_CONTAINS', 'menus', 'ders'],
    ['STARTS_WITH', 'orders', 'eu'],
    ['ENDS_WITH', '-eu', 'orders'],
    ['REGEX', '^orders-(eu|us)$', '^eu'],
    ['REGEX', String.raw`^orders\-eu$`, String.raw`^orders\_eu$`],
    ['REGEX', String.raw`^\p{L}+-`, String.raw`^\p{Lu}`],
  ])('with %s accepts %j and rejects %j', (operator, yes, no) => {
    expect(of(operator, yes)).toBe(true)
    expect(of(operator, no)).toBe(false)
  })

  it('with a negated operator accepts a missing field; others do not', () => {
    for (const operator of matcherOperators) {
      expect(of(operator, 'x', 'HOSTNAME')).toBe(operator.startsWith('NOT_'))
    }
  })

  it('accepts everything if it is incomplete, and nothing if its operator is unknown', () => {
    expect([{}, { fieldName: 'PORT' }].map((one) => matches(one, fields, 20))).toEqual([true, true])
    expect(of('SOUNDS_LIKE', 'x')).toBe(false)
    expect(of('constructor', 'x')).toBe(false)
    expect(of('NOT_EQUALS', 'x', '__proto__')).toBe(true)
  })

  it('matches nothing if its pattern is invalid, backtracks indefinitely or tries to escape', () => {
    const evil = { fieldName: 'X', operator: 'REGEX', value: '^(a+)+$' }
    expect(matches(evil, { X: `${'a'.repeat(50)}!` }, 20)).toBe(false)
    expect([isExpression(evil), isExpression({ operator: 'EQUALS' })]).toEqual([true, false])
    expect(of('REGEX', '(')).toBe(false)
    expect(of('REGEX', '"+process.exit()+"')).toBe(false)
  })

  it.each([
    ['has another go where it was given no time', 'ERR_SCRIPT_EXECUTION_TIMEOUT', 0, true, 2],
    ['has none where it used its time', 'ERR_SCRIPT_EXECUTION_TIMEOUT', 20, false, 1],
    ['has none where it is broken', 'OTHER', 0, false, 1],
  ])('%s', (_, code, used, expected, goes) => {
    let [gone, spent] = [0, 0]
    const attempt = () => {
      gone += 1
      if (gone > 1) return true
      spent += used
      throw Object.assign(new Error('over'), { code })
    }
    expect([unlessStarved(attempt, () => spent, 20), gone]).toEqual([expected, goes])
  })

  it('gives up after a few attempts', () => {
    let gone = 0
    const attempt = () => {
      gone += 1
      throw Object.assign(new Error('over'), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' })
    }
    expect([unlessStarved(attempt, () => 0, 20), gone]).toEqual([false, 5])
  })
})
