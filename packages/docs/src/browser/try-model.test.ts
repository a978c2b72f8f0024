import { expect, test } from 'vitest'
import type { TryField, TryOperation } from '../model/try-operation.ts'
import { packed, tryOperations } from '../pages/try.ts'
import { model } from '../testing/inputs.ts'
import { bodyOf, type Filled, operationsIn, problemOf, targetOf, unpacked } from './try-model.ts'

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

test('encodes path parameters and omits empty query parameters', () => {
  const filled: Filled = [
    [field('groupId', 'path'), 'a/b'],
    [field('status', 'query'), 'OPEN'],
    [field('page', 'query'), ''],
  ]
  expect(targetOf(operation, filled)).toBe('/groups/a%2Fb/x?status=OPEN')
})

test('converts body fields to their types and omits empty ones', () => {
  const filled: Filled = [
    [field('name', 'body'), '7'],
    [field('count', 'body', 'integer'), '7'],
    [field('on', 'body', 'boolean'), 'true'],
    [field('list', 'body', 'json'), '[1]'],
    [field('none', 'body'), ' '],
  ]
  expect(JSON.parse(bodyOf(operation, filled) ?? '')).toEqual({ name: '7', count: 7, on: true, list: [1] })
})

test('names the input that is not valid JSON', () => {
  expect(() => bodyOf(operation, [[field('list', 'body', 'json'), '[1']])).toThrow('list: ')
})

test('prefills a complete request for every operation', () => {
  const incomplete = model.versions.flatMap((version) =>
    operationsIn(version.id, tryOperations(model)).filter((each) => {
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

test('names the version in the media types', () => {
  const operations = (version: string) => operationsIn(version, tryOperations(model))
  for (const { id, fact, byId } of model.versions) {
    expect(
      operations(id)
        .map((each) => each.id)
        .sort(),
    ).toEqual([...byId.keys()].sort())
    for (const { basic, accept, contentType } of operations(id).filter((each) => !each.basic)) {
      expect(accept, String(basic)).toBe(fact.mediaType)
      if (contentType) expect(contentType).toBe(fact.mediaType)
    }
  }
})

test('prefills valid values for every operation', () => {
  const groupId = '64b7e1c20f3a5d6e7f809101'
  const problems = model.versions.flatMap((version) =>
    operationsIn(version.id, tryOperations(model)).flatMap(({ id, parameters, body = [] }) =>
      [...parameters, ...body].flatMap((input) => {
        const problem = problemOf(input, input.value ?? (input.required ? groupId : ''))
        return problem ? [`${version.id} ${id} ${input.name}: ${problem}`] : []
      }),
    ),
  )
  expect(problems).toEqual([])
})

test('describes violations of the schema', () => {
  const id: TryField = { ...field('id', 'path'), required: true, pattern: '^[a-f]+$', maxLength: 3 }
  const count: TryField = { ...field('count', 'query', 'integer'), minimum: 1, maximum: 500 }
  expect(problemOf(id, '')).toBe('Enter a value.')
  expect(problemOf(id, 'abcd')).toBe('Enter at most 3 characters (currently 4).')
  expect(problemOf(id, 'xyz')).toBe('The value must match ^[a-f]+$.')
  expect(problemOf(id, 'abc')).toBeUndefined()
  expect(problemOf(count, '')).toBeUndefined()
  expect(problemOf(count, 'x')).toBe('Enter a number.')
  expect(problemOf(count, '1.5')).toBe('Enter an integer.')
  expect(problemOf(count, '0')).toBe('The value must be at least 1.')
  expect(problemOf(count, '501')).toBe('The value must be at most 500.')
  expect(problemOf(field('list', 'body', 'json'), '[1')).toMatch(/^Invalid JSON: /)
})

test('lists each field only once, and restores all operations', () => {
  const operations = tryOperations(model)
  const file = packed(operations)
  expect(unpacked(file)).toEqual(operations)
  expect(new Set(file.fields.map((field) => JSON.stringify(field))).size).toBe(file.fields.length)
})

test('leads to the page that an older generation shares with the newest version', () => {
  const operation = operationsIn('v1.0', tryOperations(model)).find(({ id }) => id === 'getAlert')
  expect(operation?.path).toContain('/v1.0/')
  expect(operation?.page).toBe(`${model.newest.id}/operations/getAlert/?version=v1.0`)
})
