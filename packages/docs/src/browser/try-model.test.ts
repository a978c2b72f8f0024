import { expect, test } from 'vitest'
import { tryOperations } from '../pages/try.ts'
import { model } from '../testing/inputs.ts'
import { bodyOf, type Filled, problemOf, type TryField, type TryOperation, targetOf } from './try-model.ts'

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

test('the form of every operation begins with values that have no problem', () => {
  const groupId = '64b7e1c20f3a5d6e7f809101'
  const problems = model.versions.flatMap((version) =>
    tryOperations(version, '/token').flatMap(({ id, parameters, body = [] }) =>
      [...parameters, ...body].flatMap((input) => {
        const problem = problemOf(input, input.value ?? (input.required ? groupId : ''))
        return problem ? [`${version.id} ${id} ${input.name}: ${problem}`] : []
      }),
    ),
  )
  expect(problems).toEqual([])
})

test('what the schema forbids is told in words', () => {
  const id: TryField = { ...field('id', 'path'), required: true, pattern: '^[a-f]+$', maxLength: 3 }
  const count: TryField = { ...field('count', 'query', 'integer'), minimum: 1, maximum: 500 }
  expect(problemOf(id, '')).toBe('This must not be empty.')
  expect(problemOf(id, 'abcd')).toBe('This has 4 characters, and may have at most 3.')
  expect(problemOf(id, 'xyz')).toBe('This does not match ^[a-f]+$.')
  expect(problemOf(id, 'abc')).toBeUndefined()
  expect(problemOf(count, '')).toBeUndefined()
  expect(problemOf(count, 'x')).toBe('This must be a number.')
  expect(problemOf(count, '1.5')).toBe('This must be a whole number.')
  expect(problemOf(count, '0')).toBe('This must be at least 1.')
  expect(problemOf(count, '501')).toBe('This must be at most 500.')
  expect(problemOf(field('list', 'body', 'json'), '[1')).toMatch(/^This is not JSON: /)
})
