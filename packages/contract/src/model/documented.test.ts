import { expect, test } from 'vitest'
import { documentedOnly } from './documented.ts'

test('removes undocumented fields at every level', () => {
  const item = { frequencyType: 'daily', secondsAgo: 7 }
  expect(documentedOnly({ uptimeSeconds: 1, policies: [{ policyItems: [item] }] })).toEqual({
    policies: [{ policyItems: [{ frequencyType: 'daily' }] }],
  })
})

test('keeps the names in examples, such as the fields of a Search index', () => {
  const definition = { mappings: { dynamic: false, fields: { title: { type: 'string' } } } }
  expect(documentedOnly({ definition })).toEqual({ definition })
})

test('keeps an object that has only undocumented fields', () => {
  expect(documentedOnly({ anything: 1 })).toEqual({ anything: 1 })
})
