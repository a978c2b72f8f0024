import { expect, test } from 'vitest'
import { readFacts } from '../build/sources.ts'
import { changelog } from './changelog.ts'

const facts = readFacts()

test('compares every version with every later one, in the order of versions.yaml', () => {
  const pairs = changelog(facts, [], (version) => ({ info: { version }, paths: {} }))
  const count = facts.versions.length
  expect(pairs).toHaveLength((count * (count - 1)) / 2)
  expect(pairs[0]).toEqual({ before: facts.versions[0]?.id, after: facts.versions[1]?.id, changes: [] })
})

test('reports additions of later dates', () => {
  const newest = facts.versions.at(-1)?.id
  const load = (version: string) => ({
    info: { version },
    paths: version === newest ? { '/alerts': { get: { operationId: 'listAlerts' } } } : {},
  })
  const last = changelog(facts, [], load).at(-1)
  expect(last?.changes.map(({ rule }) => rule)).toEqual(['operation-added'])
})
