import { expect, test } from 'vitest'
import { tryOperations } from '../pages/try.ts'
import { model } from '../testing/inputs.ts'
import { bodyOf, type Filled, type TryField, type TryOperation, targetOf } from './try-model.ts'

const operation: TryOperation = {
  id: 'x',
  tag: 'X',
  summary: 'X',
  method: 'POST',
  path: '/groups/{groupId}/x',
  accept: 'a/b',
  contentType: 'application/json',
  basic: false,
  paged: false,
  parameters: [],
}
const field = (name: string, place: TryField['place'], type: TryField['type'] = 'string'): TryField => ({
  name,
  place,
  type,
  required: false,
  about: '',
})

test('path parameters are encoded, and empty query parameters are left out', () => {
  const filled: Filled = [
    [field('groupId', 'path'), 'a/b'],
    [field('status', 'query'), 'OPEN'],
    [field('page', 'query'), ''],
  ]
  expect(targetOf(operation, filled)).toBe('/groups/a%2Fb/x?status=OPEN')
})

test('a body has the types of its fields, and not the empty ones', () => {
  const filled: Filled = [
    [field('name', 'body'), '7'],
    [field('count', 'body', 'integer'), '7'],
    [field('on', 'body', 'boolean'), 'true'],
    [field('list', 'body', 'json'), '[1]'],
    [field('none', 'body'), ' '],
  ]
  expect(JSON.parse(bodyOf(operation, filled) ?? '')).toEqual({ name: '7', count: 7, on: true, list: [1] })
})

test('what is not JSON is refused with the name of the input', () => {
  expect(() => bodyOf(operation, [[field('list', 'body', 'json'), '[1']])).toThrow('list: ')
})

test('the form of every operation begins with what makes a request', () => {
  const incomplete = model.versions.flatMap((version) =>
    tryOperations(version, '/token').filter((each) => {
      const filled: Filled = [...each.parameters, ...(each.body ?? [])].map((input) => [
        input,
        input.value ?? '',
      ])
      const body = bodyOf(each, filled)
      return targetOf(each, filled).includes('//') || (each.contentType !== undefined && body === undefined)
    }),
  )
  expect(incomplete.map(({ id }) => id)).toEqual([])
})
