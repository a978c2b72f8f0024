import { eventTypes } from '@svc-admin/types'
import { describe, expect, it } from 'vitest'
import { matcherOperators, matches } from './matchers.ts'

const fields = { CLUSTER_NAME: 'orders-eu', PORT: '27017' }
const of = (operator: string, value: string, fieldName = 'CLUSTER_NAME') =>
  matches([{ fieldName, operator, value }], fields)

describe('a matcher', () => {
  it('knows the operators of the specification', () => {
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
  ])('with %s lets %j through and not %j', (operator, yes, no) => {
    expect(of(operator, yes)).toBe(true)
    expect(of(operator, no)).toBe(false)
  })

  it('that asks to differ lets a field through that is not there; others do not', () => {
    for (const operator of matcherOperators) {
      expect(of(operator, 'x', 'HOSTNAME')).toBe(operator.startsWith('NOT_'))
    }
  })

  it('that is incomplete asks nothing; one that nobody knows lets nothing through', () => {
    expect(matches([{}, { fieldName: 'PORT' }], fields)).toBe(true)
    expect(of('SOUNDS_LIKE', 'x')).toBe(false)
    expect(of('constructor', 'x')).toBe(false)
    expect(of('NOT_EQUALS', 'x', '__proto__')).toBe(true)
  })

  it('is one of several that all have to agree', () => {
    const port = { fieldName: 'PORT', operator: 'EQUALS', value: '1' }
    expect(
      matches([{ fieldName: 'CLUSTER_NAME', operator: 'EQUALS', value: 'orders-eu' }, port], fields),
    ).toBe(false)
  })

  it('whose pattern is broken, backtracks for ever or reaches out matches nothing', () => {
    const evil = { fieldName: 'X', operator: 'REGEX', value: '^(a+)+$' }
    expect(matches([evil], { X: `${'a'.repeat(50)}!` })).toBe(false)
    expect(of('REGEX', '(')).toBe(false)
    expect(of('REGEX', '"+process.exit()+"')).toBe(false)
  })
})
