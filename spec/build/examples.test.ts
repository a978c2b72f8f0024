import { expect, test } from 'vitest'
import { errorBody, expandExamples } from './examples.ts'
import { resolveFactReferences } from './fact-references.ts'
import { readFacts } from './sources.ts'
import { attachVocabularies } from './vocabulary.ts'

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

test('an example that picks what a resource has not is without it', () => {
  expect(expand({ $demo: 'alerts.open', $pick: ['id', 'resolved'] })).toStrictEqual({ id: 'a' })
})

test('a reference to a fact is that fact, and one to none says where it broke', () => {
  const reference = (pointer: string) => ({ default: { $ref: `../../facts/limits.yaml#/${pointer}` } })
  expect(resolveFactReferences(reference('itemsPerPage/maximum'))).toEqual({
    default: facts.limits.itemsPerPage?.maximum,
  })
  expect(() => resolveFactReferences(reference('itemsPerPage/none'))).toThrow(
    'facts/limits.yaml#/itemsPerPage/none leads nowhere: there is no none',
  )
})

test('a description tells the facts that it refers to, and a reference that leads to no words says so', () => {
  const told = (pointer: string) =>
    resolveFactReferences([
      { description: `Not {facts/limits.yaml#/${pointer}}.`, other: '{facts/limits.yaml#/x}' },
    ])
  const one = (description: string) => [{ description, other: '{facts/limits.yaml#/x}' }]
  expect(told('numPartitions/values')).toEqual(one('Not 1, 2 and 4.'))
  expect(told('searchDatabaseVersion/minimum')).toEqual(one('Not 4.2.'))
  expect(told('tokenRequests/maximum')).toEqual(one('Not 10.'))
  expect(() => told('tokenRequests/none')).toThrow('there is no none')
  expect(() => told('tokenRequests')).toThrow('cannot be told in a description')
})

test('states are told as known values where others may come, and only there', () => {
  const known = (id: string) => {
    const node = { info: {}, schema: { type: 'string', 'x-state-machine': id } }
    return JSON.parse(JSON.stringify(attachVocabularies(node as never, facts))).schema['x-known-values']
  }
  const [open, closed] = [true, false].map((isOpen) =>
    Object.entries(facts.states).find(([, machine]) => (machine.open === true) === isOpen),
  )
  expect(known(open?.[0] ?? '')).toEqual(open?.[1].values)
  expect(known(closed?.[0] ?? '')).toBeUndefined()
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
