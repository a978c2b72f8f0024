import { expect, test } from 'vitest'
import { errorBody, expandExamples } from './examples.ts'
import { resolveFactReferences } from './fact-references.ts'
import { readFacts } from './sources.ts'
import { attachVocabularies } from './vocabulary.ts'

const facts = readFacts()
const demo = { alerts: { open: { id: 'a', status: 'OPEN', self: '/alerts/a' } } }
const expand = (value: unknown) =>
  expandExamples(value, demo, facts, (path) => `https://svc.example/api${path}`)

test('inserts a resource of the demo organization, with a self link', () => {
  expect(expand({ value: { $demo: 'alerts.open' } })).toEqual({
    value: {
      id: 'a',
      status: 'OPEN',
      links: [{ href: 'https://svc.example/api/alerts/a', rel: 'self' }],
    },
  })
})

test('adds the default page number and size to the self link of a page', () => {
  expect(expand({ $page: '/alerts', results: [{ $demo: 'alerts.open' }] })).toMatchObject({
    results: [{ links: [{ href: 'https://svc.example/api/alerts/a', rel: 'self' }] }],
    links: [
      {
        href: `https://svc.example/api/alerts?pageNum=1&itemsPerPage=${facts.limits.itemsPerPage?.default}`,
        rel: 'self',
      },
    ],
  })
})

test('picks and sets fields of a resource', () => {
  expect(expand({ $demo: 'alerts.open', $pick: ['id'], $set: { status: 'CLOSED' } })).toEqual({
    id: 'a',
    status: 'CLOSED',
  })
})

test('ignores picked fields that the resource does not have', () => {
  expect(expand({ $demo: 'alerts.open', $pick: ['id', 'resolved'] })).toStrictEqual({ id: 'a' })
})

test('resolves a reference to a fact, and reports an unknown one', () => {
  const reference = (pointer: string) => ({ default: { $ref: `../../facts/limits.yaml#/${pointer}` } })
  expect(resolveFactReferences(reference('itemsPerPage/maximum'))).toEqual({
    default: facts.limits.itemsPerPage?.maximum,
  })
  expect(() => resolveFactReferences(reference('itemsPerPage/none'))).toThrow(
    'Unresolved reference facts/limits.yaml#/itemsPerPage/none: none not found',
  )
})

test('inserts facts into texts, and reports references that are not text', () => {
  const expanded = (pointer: string) =>
    resolveFactReferences([{ detail: `Not {facts/limits.yaml#/${pointer}}.`, path: '/groups/{groupId}' }])
  const one = (detail: string) => [{ detail, path: '/groups/{groupId}' }]
  expect(expanded('numPartitions/values')).toEqual(one('Not 1, 2 and 4.'))
  expect(expanded('searchDatabaseVersion/minimum')).toEqual(one('Not 4.2.'))
  expect(expanded('tokenRequests/maximum')).toEqual(one('Not 10.'))
  expect(() => expanded('tokenRequests/none')).toThrow('none not found')
  expect(() => expanded('tokenRequests')).toThrow("can't be inserted into a text")
})

test('adds states as known values to open lifecycles only', () => {
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

test('reports an example with an unknown reference', () => {
  expect(() => expand({ $demo: 'alerts.none' })).toThrow('alerts.none, but none was not found')
  expect(() => expand({ $tokenError: 'none' })).toThrow('token error none')
})

test('keeps self outside of resources', () => {
  expect(expand({ self: 'mine' })).toEqual({ self: 'mine' })
})

test('an error body has the status, code and reason of the facts', () => {
  expect(errorBody({ code: 'INVALID_STATE', detail: 'No.' }, facts)).toEqual({
    error: 409,
    errorCode: 'INVALID_STATE',
    reason: 'Conflict',
    detail: 'No.',
  })
  expect(() => errorBody({ code: 'NONE', detail: '' }, facts)).toThrow('NONE')
})
