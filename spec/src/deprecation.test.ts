import { expect, test } from 'vitest'
import { deprecationHeaders, deprecationNotice, ownDescription, type SuccessorPlace } from './deprecation.ts'

const place: SuccessorPlace = {
  api: '/api/v2',
  placeOf: (id) => (id === 'getPear' ? ['/api/v1', '/pears/{pearName}'] : undefined),
  values: { pearName: 'a/b c' },
}
const linkOf = (successor: string, more: Partial<SuccessorPlace> = {}) =>
  deprecationHeaders({ date: '2024-05-30', successor }, { ...place, ...more }).link

test('formats the deprecation in seconds and the sunset as an HTTP date', () => {
  expect(deprecationHeaders({ date: '2024-05-30', sunset: '2026-01-31' }, place)).toEqual({
    deprecation: '@1717027200',
    sunset: 'Sat, 31 Jan 2026 00:00:00 GMT',
  })
})

test('links to the successor with the path parameters of the request', () => {
  expect(linkOf('getPear@2024-08-05')).toBe('</api/v1/pears/a%2Fb%20c>; rel="successor-version"')
})

test('omits the link if a path parameter of the successor is unknown', () => {
  expect(linkOf('getPear', { values: { appleName: 'x' } })).toBeUndefined()
})

test('links to the API if the successor is not in the documents', () => {
  expect(linkOf('listApples')).toBe('</api/v2#listApples>; rel="successor-version"')
})

test('the own description has no generated paragraphs', () => {
  const deprecation = { date: '2024-05-30', sunset: '2026-01-31' }
  const operation = {
    operationId: 'getApple',
    description: 'Returns an apple.\n\nMore.',
    'x-deprecation': deprecation,
  }
  const roles = 'Requires the Project Owner role or higher.'
  const description = `${operation.description}\n\n${roles}\n\n${deprecationNotice(operation)}`
  expect(ownDescription({ ...operation, description })).toBe(operation.description)
  expect(ownDescription(operation)).toBe(operation.description)
})
