import { expect, test } from 'vitest'
import { readFacts, readRequirements } from '../build/sources.ts'
import { loadChangelog } from '../src/index.ts'
import type { Requirement } from '../src/model.ts'
import { classify } from './classify.ts'

const { versions } = readFacts()
const all = readRequirements()
const [first = '', second = '', third = ''] = versions.map(({ id }) => id)

const row = (id: string, more: Partial<Requirement>): Requirement => ({
  id,
  area: 'Alerts',
  strength: 'stated',
  text: `${id}.`,
  source: ['3'],
  operations: ['getAlert'],
  ...more,
})

const documentOf = (...ids: string[]) => ({
  info: { version: 'any' },
  paths: Object.fromEntries(ids.map((operationId) => [`/${operationId}`, { get: { operationId } }])),
})

/** Returns the changes between the first two versions of v2, in either direction. */
function changesFor(
  requirements: readonly Requirement[],
  [from, to] = [second, third],
  newer = documentOf('getAlert'),
) {
  const behavior = { requirements, versions, from, to }
  return classify(documentOf('getAlert'), newer, { behavior }).map(
    ({ class: kind, rule, text, operations }) => `${kind} ${rule} ${operations}: ${text}`,
  )
}

const old = row('old', { until: second })
const replacing = row('new', { since: third, replaces: ['old'] })

test('reports a replaced row as breaking in both directions', () => {
  expect(changesFor([old, replacing])).toEqual(['breaking behavior-changed getAlert: new. Before: old.'])
  expect(changesFor([old, replacing], [third, second])).toEqual([
    'breaking behavior-changed getAlert: old. Before: new.',
  ])
})

test('reports a row that starts or ends as breaking', () => {
  expect(changesFor([old, row('new', { since: third })])).toEqual([
    'breaking behavior-begun getAlert: New behavior: new.',
    'breaking behavior-ended getAlert: Removed behavior: old.',
  ])
})

test('ignores repeated rows, rows shown by the documents, and rows of both versions', () => {
  const repeating = row('new', { since: third, repeats: ['old'] })
  expect(changesFor([old, repeating])).toEqual([])
  expect(changesFor([row('shown', { until: second, shownBy: 'the roles of the operation' })])).toEqual([])
  expect(changesFor([row('both', {}), row('neither', { until: first })])).toEqual([])
})

test('ignores rows of operations that are in one document only', () => {
  expect(
    changesFor([old], [second, third], documentOf('getOther')).filter((each) => each.includes('behavior')),
  ).toEqual([])
})

test('reports a row without operations for all operations', () => {
  const { operations: _, ...general } = old
  expect(changesFor([general])).toEqual(['breaking behavior-ended : Removed behavior: old.'])
})

test('uses the version of the operation within a document', () => {
  const dated = {
    info: { version: 'any' },
    paths: {
      '/getAlert': {
        get: {
          operationId: 'getAlert',
          responses: { 200: { content: { [`application/vnd.svc.${second}+json`]: {} } } },
        },
      },
    },
  }
  const behavior = { requirements: [old], versions, from: second, to: third }
  expect(classify(dated, dated, { behavior })).toEqual([])
})

const changesOf = (before: string, after: string) =>
  loadChangelog().find((each) => each.before === before && each.after === after)?.changes ?? []

test('rows refer to existing rows', () => {
  const ids = all.map(({ id }) => id)
  const named = all.flatMap(({ replaces = [], repeats = [] }) => [...replaces, ...repeats])
  expect(named.filter((id) => !ids.includes(id))).toEqual([])
  expect(named.length).toBeGreaterThan(0)
})

test('reports the changed way to unacknowledge alerts in 2024-05-30 as breaking', () => {
  const behaviors = loadChangelog().flatMap(({ before, after, changes }) =>
    changes.flatMap(({ class: kind, rule, operations }) =>
      rule.startsWith('behavior') ? [`${before} ${after} ${kind} ${operations}`] : [],
    ),
  )
  // v1.0 is older than all dates, although its name sorts after them.
  const isBefore = (id: string) => id === first || id < '2024-05-30'
  const ids = versions.map(({ id }) => id)
  const [older, newer] = [ids.filter(isBefore), ids.filter((id) => !isBefore(id))]
  expect(behaviors).toEqual(
    older.flatMap((before) => newer.map((after) => `${before} ${after} breaking acknowledgeAlert`)),
  )
  expect(changesOf('v1.0', '2025-03-12').map(({ text }) => text)).toContain(
    'If the body contains neither `acknowledgedUntil` nor `unacknowledgeAlert`, only the comment changes. ' +
      'Before: If the body omits `acknowledgedUntil`, the request unacknowledges the alert.',
  )
})

test('fields in shownBy were added between the documents', () => {
  const field = /^the field (\w+)$/
  for (const { id, shownBy = '', operations = [], generation } of all) {
    const [, name] = field.exec(shownBy) ?? []
    if (!name) continue
    const [before, after] = generation ? [first, second] : [second, third]
    const added = changesOf(before, after).filter(({ text }) => text === `The property ${name} was added.`)
    expect([id, added.flatMap((change) => change.operations)]).toEqual([
      id,
      expect.arrayContaining(operations),
    ])
  }
})
