import { expect, it } from 'vitest'
import { classifyPostgres, isDeadConnection, isLostConnection, NoConnection } from './postgres-failures.ts'

const withCode = (code: string) => Object.assign(new Error('failed'), { code })

it.each([
  ['23505', 'unique'],
  ['54000', 'oversized'],
  ['40001', 'conflict'],
  ['40P01', 'conflict'],
  ['57P03', 'unavailable'],
  ['25P03', 'unavailable'],
  ['25P04', 'unavailable'],
  ['ECONNREFUSED', 'unavailable'],
  ['42601', undefined],
])('classifies %s as %s', (code, kind) => {
  expect(classifyPostgres(withCode(code))).toBe(kind)
})

it('classifies any failure to connect as unavailable', () => {
  const cause = withCode('55000')
  expect(classifyPostgres(cause)).toBeUndefined()
  expect(classifyPostgres(new NoConnection('no connection', { cause }))).toBe('unavailable')
})

it.each(['57014', '53100', '53200', '53400', '55P03', '25006'])(
  '%s makes the database unavailable, but the connection is still usable',
  (code) => {
    const failure = withCode(code)
    expect([classifyPostgres(failure), isLostConnection(failure)]).toEqual(['unavailable', false])
  },
)

it.each(['08006', '57P01', '53300', '25P03', '25P04', 'ECONNRESET'])(
  '%s makes the connection unusable',
  (code) => {
    expect(isLostConnection(withCode(code))).toBe(true)
  },
)

it('distinguishes a failed statement from an ended connection', () => {
  expect(['40001', '40P01', '23505', '42601'].map((code) => isLostConnection(withCode(code)))).toEqual(
    Array.from({ length: 4 }, () => false),
  )
  expect(['57P01', 'EPIPE', '57014'].map((code) => isDeadConnection(withCode(code)))).toEqual([
    true,
    true,
    false,
  ])
})
