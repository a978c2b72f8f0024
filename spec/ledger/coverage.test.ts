import { expect, test } from 'vitest'
import { uncoveredFacts } from './coverage.ts'
import { covers } from './fact-names.ts'
import { ledgerWith, requirement } from './fixture.ts'

const documents = new Map([
  [
    'v1.0',
    new Map([
      ['operation:getAlert', {}],
      ['role:getAlert', {}],
      ['parameter:getAlert.envelope', {}],
      ['schema:Alert', {}],
      ['schema:Alert.status', {}],
      ['schema:AlertConfig.id', {}],
      ['response:getAlert', {}],
    ]),
  ],
])

const uncovered = (row: Parameters<typeof requirement>[0]) =>
  uncoveredFacts(ledgerWith({ documents, requirements: [requirement(row)] })).map(({ at }) => at)

test('a schema covers its fields and no other schema', () => {
  expect(covers('schema:Alert', 'schema:Alert.status')).toBe(true)
  expect(covers('schema:Alert', 'schema:AlertConfig.id')).toBe(false)
  expect(covers('schema:Alert.status', 'schema:Alert')).toBe(false)
})

test('a star matches any name', () => {
  expect(covers('parameter:*.envelope', 'parameter:getAlert.envelope')).toBe(true)
  expect(covers('parameter:*.envelope', 'parameter:getAlert.envelopes')).toBe(false)
  expect(covers('role:*', 'operation:getAlert')).toBe(false)
})

test('a requirement covers its operations, but not their parameters and roles', () => {
  expect(uncovered({ operations: ['getAlert'], covers: ['schema:Alert', 'schema:AlertConfig'] })).toEqual([
    'role:getAlert',
    'parameter:getAlert.envelope',
  ])
})

test('bodies and responses need no requirement of their own', () => {
  expect(uncovered({ covers: [] })).not.toContain('response:getAlert')
})
