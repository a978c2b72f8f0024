import { expect, test } from 'vitest'
import { pointerOf } from '../rules/read/json.ts'
import { loadDocument } from '../src/index.ts'
import { placeIn, withSource } from './fact-places.ts'

const document = loadDocument('2025-03-12')

test.each([
  ['schema:Alert', '#/components/schemas/Alert'],
  ['schema:Alert.status', '#/components/schemas/Alert/properties/status'],
  ['operation:getAlert', '#/paths/~1groups~1{groupId}~1alerts~1{alertId}/get'],
  ['role:getAlert', '#/paths/~1groups~1{groupId}~1alerts~1{alertId}/get/x-roles'],
  ['parameter:getAlert.alertId', '#/paths/~1groups~1{groupId}~1alerts~1{alertId}/get'],
  ['operation:readAlert', '#'],
])('finds %s in a document', (fact, pointer) => {
  expect(pointerOf(placeIn(document, fact))).toBe(pointer)
})

test('adds the source of a fact in a document or in a file of facts, and none to other problems', () => {
  const sources = {
    ofVersion: (version: string, path: unknown[]) => `${version} ${path.at(-1)}`,
    ofFile: (file: string, path: unknown[]) => `${file} ${path.at(-1)}`,
  }
  const sourceOf = (problem: object) =>
    withSource({ at: '2.4', says: 'wrong', ...problem }, sources, () => document).source
  expect(sourceOf({ fact: 'schema:Alert', document: 'v1.0' })).toBe('v1.0 Alert')
  expect(sourceOf({ fact: 'limit:nLogs' })).toBe('facts/limits.yaml nLogs')
  expect(sourceOf({ fact: 'state:alert.OPEN' })).toBeUndefined()
  expect(sourceOf({})).toBeUndefined()
})
