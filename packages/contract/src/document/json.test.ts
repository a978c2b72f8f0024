import { expect, test } from 'vitest'
import { escapeToken, inspect, jsonBody, sameJson, textsIn, valueAt, withValue } from './json.ts'

test('finds a name with special characters by its JSON Pointer (RFC 6901 §4)', () => {
  for (const name of ['a/b', 'm~n', '~1', '~01', '/~'])
    expect(valueAt({ [name]: 1 }, `/${escapeToken(name)}`)).toBe(1)
  expect(escapeToken('~1/')).toBe('~01~1')
})

test('replaces or removes a value in place, and changes nothing else', () => {
  const root = { a: { b: 1, c: 2 }, list: [{ d: 1 }, { d: 2 }] }
  expect(withValue(root, ['a', 'b'], 5)).toEqual({ ...root, a: { b: 5, c: 2 } })
  expect(withValue(root, ['a', 'b'], undefined)).toEqual({ ...root, a: { c: 2 } })
  expect(withValue(root, ['a', 'b'], undefined)).not.toHaveProperty('a.b')
  expect(withValue(root, ['list', '1', 'd'], 7)).toEqual({ ...root, list: [{ d: 1 }, { d: 7 }] })
  expect(withValue(root, ['new', 'x'], 1)).toEqual({ ...root, new: { x: 1 } })
  expect(Object.keys(Object(withValue(root, ['a', 'b'], 5)))).toEqual(['a', 'list'])
})

test('objects are equal in any order of properties, lists only in the same order', () => {
  expect(sameJson({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true)
  expect(sameJson({ a: [1, 2] }, { a: [2, 1] })).toBe(false)
})

test('equal bodies share one value, and a body that is not JSON has none', () => {
  expect(jsonBody({ body: '{"a":[1]}' })).toBe(jsonBody({ body: '{"a":[1]}' }))
  expect(jsonBody({ body: '{"a"' })).toBeUndefined()
})

test('rejects JSON that is too deep, without counting brackets in strings', () => {
  const nested = (depth: number, within = '') => `${'['.repeat(depth)}${within}${']'.repeat(depth)}`
  expect(jsonBody({ body: nested(100_000) })).toBeUndefined()
  expect(jsonBody({ body: `{"a":${nested(500)}}` })).toBeUndefined()
  expect(inspect(jsonBody({ body: nested(500) }))).toContain('[[[')
  const quoted = `"${'[{'.repeat(1000)}\\\\","${'['.repeat(1000)}\\""`
  expect(jsonBody({ body: nested(499, quoted) })).toBeDefined()
  expect(jsonBody({ body: `[${'[[]],'.repeat(1000)}[]]` })).toBeDefined()
})

test('truncates a long value', () => {
  expect(inspect('abcdef', 4)).toBe('"abc…')
  expect(inspect('ab', 4)).toBe('"ab"')
  expect(inspect(undefined)).toBe('nothing')
})

test('returns all strings in a value', () => {
  const log = '{"t":{"$date":"2024"}}'
  expect(textsIn({ a: 'x', b: [1, 'y', { c: null, d: log }], e: true })).toEqual(['x', 'y', log])
  expect(textsIn('z')).toEqual(['z'])
  expect(textsIn(null)).toEqual([])
})
