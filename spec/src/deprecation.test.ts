import { expect, test } from 'vitest'
import { deprecationHeaders, type SuccessorPlace } from './deprecation.ts'

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
