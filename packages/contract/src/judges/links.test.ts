import { expect, test } from 'vitest'
import { example, exchangeIn, judged } from '../../test/judged.ts'
import type { Json } from '../document/json.ts'
import type { CallChanges } from '../model/call.ts'
import { links as linksJudge } from './links.ts'

test('a resource has links, with or without an envelope', () => {
  const { links, ...bare } = JSON.parse(example('getAlert'))
  const verdictOf = (body: Json, changes: CallChanges = {}) =>
    judged({ status: 200, body: JSON.stringify(body), changes })['resources.links-array']
  const enveloped = { query: [['envelope', 'true']] } as const
  expect(verdictOf({ ...bare, links })).toBe('passed')
  expect(verdictOf(bare)).toBe('broken')
  expect(verdictOf({ status: 200, content: bare }, enveloped)).toBe('broken')
  expect(verdictOf({ status: 200, result: { ...bare, links } }, enveloped)).toBe('passed')
})

test('a list and each of its items have links', () => {
  const list = JSON.parse(example('listAlerts'))
  const verdictOf = (body: Json) =>
    judged({ operation: 'listAlerts', status: 200, body: JSON.stringify(body) })['resources.links-array']
  expect(verdictOf(list)).toBe('passed')
  expect(verdictOf({ ...list, links: undefined })).toBe('broken')
  const [{ links: _, ...item }, ...others] = list.results
  expect(verdictOf({ ...list, results: [...others, item] })).toBe('broken')
})

test('the items of other arrays have links too', () => {
  const roles = JSON.parse(example('listCloudProviderAccessRoles'))
  const verdictOf = (body: Json) =>
    judged({ operation: 'listCloudProviderAccessRoles', status: 200, body: JSON.stringify(body) })[
      'resources.links-array'
    ]
  const [{ links: _, ...role }, ...others] = roles.awsIamRoles
  expect(verdictOf(roles)).toBe('passed')
  expect(verdictOf({ ...roles, awsIamRoles: [...others, role] })).toBe('broken')
})

test('a missing field of links is the same fault in all operations', () => {
  const { links: _, ...bare } = JSON.parse(example('getAlert'))
  const opinionOn = (body: Json) => linksJudge.judge(exchangeIn({ status: 200, body: JSON.stringify(body) }))
  expect(opinionOn(bare)).toMatchObject({ difference: 'missing links' })
  expect(opinionOn({ ...bare, links: 'none' })).not.toHaveProperty('difference')
})
