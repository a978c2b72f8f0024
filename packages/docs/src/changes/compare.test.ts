import { expect, test } from 'vitest'
import { breaks, compareOperations } from './compare.ts'
import type { Part, Surface } from './surface.ts'

const part = (changes: Partial<Part> = {}): Part => ({
  side: 'request',
  required: false,
  signature: 'string',
  values: [],
  ...changes,
})
const one = (entries: Record<string, Part>): ReadonlyMap<string, Surface> =>
  new Map([['op', new Map(Object.entries(entries))]])

/** The changes of the operation between two sets of parts, a line for each. */
function between(before: Record<string, Part>, after: Record<string, Part>): string[] {
  return compareOperations(one(before), one(after)).flatMap(({ changes }) =>
    changes.map(({ severity, where, text }) => `${severity}: ${where} ${text}`),
  )
}

test('operations that come and go are told by their ids', () => {
  const a = new Map([['old', new Map()]])
  const b = new Map([['new', new Map()]])
  const changes = compareOperations(a, b)
  expect(changes.map(({ operationId, kind }) => `${operationId} ${kind}`)).toEqual([
    'new added',
    'old removed',
  ])
  expect(changes.map(breaks)).toEqual([false, true])
})

test('nothing is told where nothing differs', () => {
  expect(between({ a: part() }, { a: part() })).toEqual([])
})

test('a new member breaks callers only where they must send it', () => {
  expect(between({}, { a: part() })).toEqual(['compatible: a is new (string)'])
  expect(between({}, { a: part({ required: true }) })).toEqual(['breaking: a is new (string, required)'])
  expect(between({}, { a: part({ side: 'response', required: true }) })).toEqual([
    'compatible: a is new (string)',
  ])
})

test('what is inside of something new or gone is not told once more', () => {
  expect(between({}, { 'body › a': part(), 'body › a.b': part(), 'body › a[].c': part() })).toHaveLength(1)
})

test('a member that is gone, a type that is another, and a value that is refused break callers', () => {
  expect(between({ a: part() }, {})).toEqual(['breaking: a was removed (string)'])
  expect(between({ a: part() }, { a: part({ signature: 'integer' }) })).toEqual([
    'breaking: a was `string`, is now `integer`',
  ])
  expect(between({ a: part({ values: ['x', 'y'] }) }, { a: part({ values: ['y', 'z'] }) })).toEqual([
    'breaking: a no longer has `x`',
    'compatible: a now also has `z`',
  ])
})

test('what must be sent and what may be absent break opposite sides', () => {
  expect(between({ a: part() }, { a: part({ required: true }) })).toEqual(['breaking: a is now required'])
  const response = { side: 'response' } as const
  expect(between({ a: part({ ...response, required: true }) }, { a: part(response) })).toEqual([
    'breaking: a is no longer required',
  ])
})

test('a deprecation is a change that breaks nobody', () => {
  const before = { deprecation: part({ side: 'contract', signature: '' }) }
  const after = { deprecation: part({ side: 'contract', signature: 'deprecated' }) }
  expect(between(before, after)).toEqual(['compatible: operation is now deprecated'])
})
