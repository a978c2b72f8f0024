import { expect, test } from 'vitest'
import { errorBody, expandExamples } from './examples.ts'
import { readFacts } from './sources.ts'

const facts = readFacts()
const demo = { alerts: { open: { id: 'a', status: 'OPEN', self: '/alerts/a' } } }
const expand = (value: unknown) =>
  expandExamples(value, demo, facts, (path) => `https://svc.example.com/api${path}`)

test('an example takes a resource of the demo organisation, with a link to itself', () => {
  expect(expand({ value: { $demo: 'alerts.open' } })).toEqual({
    value: {
      id: 'a',
      status: 'OPEN',
      links: [{ href: 'https://svc.example.com/api/alerts/a', rel: 'self' }],
    },
  })
})

test('an example picks some members of a resource and sets others', () => {
  expect(expand({ $demo: 'alerts.open', $pick: ['id'], $set: { status: 'CLOSED' } })).toEqual({
    id: 'a',
    status: 'CLOSED',
  })
})

test('an example that refers to nothing says where it broke', () => {
  expect(() => expand({ $demo: 'alerts.none' })).toThrow('alerts.none, and there is no none')
  expect(() => expand({ $tokenError: 'none' })).toThrow('token error none')
})

test('the name self in other places is left alone', () => {
  expect(expand({ self: 'mine' })).toEqual({ self: 'mine' })
})

test('an error body has the status, code and reason of the catalogue', () => {
  expect(errorBody({ code: 'INVALID_STATE', detail: 'No.' }, facts)).toEqual({
    error: 409,
    errorCode: 'INVALID_STATE',
    reason: 'Conflict',
    detail: 'No.',
  })
  expect(() => errorBody({ code: 'NONE', detail: '' }, facts)).toThrow('NONE')
})
