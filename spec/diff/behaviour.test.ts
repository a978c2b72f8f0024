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

/** What is told of rows by whoever moves from the first date of v2 to the next, or back. */
function told(
  requirements: readonly Requirement[],
  [from, to] = [second, third],
  newer = documentOf('getAlert'),
) {
  const behaviour = { requirements, versions, from, to }
  return classify(documentOf('getAlert'), newer, { behaviour }).map(
    ({ class: kind, rule, text, operations }) => `${kind} ${rule} ${operations}: ${text}`,
  )
}

const old = row('old', { until: second })
const replacing = row('new', { since: third, replaces: ['old'] })

test('a row that another one replaces is a break, whichever way one goes', () => {
  expect(told([old, replacing])).toEqual(['breaking behaviour-changed getAlert: new. Before: old.'])
  expect(told([old, replacing], [third, second])).toEqual([
    'breaking behaviour-changed getAlert: old. Before: new.',
  ])
})

test('a row that begins or ends, and of which nothing more is written, is a break', () => {
  expect(told([old, row('new', { since: third })])).toEqual([
    'breaking behaviour-begun getAlert: Not so before: new.',
    'breaking behaviour-ended getAlert: No longer so: old.',
  ])
})

test('what another row repeats, what the documents show, and what holds in both is no change', () => {
  const repeating = row('new', { since: third, repeats: ['old'] })
  expect(told([old, repeating])).toEqual([])
  expect(told([row('shown', { until: second, shownBy: 'the roles of the operation' })])).toEqual([])
  expect(told([row('both', {}), row('neither', { until: first })])).toEqual([])
})

test('an operation that one of the documents lacks comes or goes, and no behaviour of it', () => {
  expect(
    told([old], [second, third], documentOf('getOther')).filter((each) => each.includes('behaviour')),
  ).toEqual([])
})

test('a row of no operation in particular concerns all', () => {
  const { operations: _, ...general } = old
  expect(told([general])).toEqual(['breaking behaviour-ended : No longer so: old.'])
})

test('an operation has its own date in a document, and rows go by that', () => {
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
  const behaviour = { requirements: [old], versions, from: second, to: third }
  expect(classify(dated, dated, { behaviour })).toEqual([])
})

const changesOf = (before: string, after: string) =>
  loadChangelog().find((each) => each.before === before && each.after === after)?.changes ?? []

test('every row that a row names is there', () => {
  const ids = all.map(({ id }) => id)
  const named = all.flatMap(({ replaces = [], repeats = [] }) => [...replaces, ...repeats])
  expect(named.filter((id) => !ids.includes(id))).toEqual([])
  expect(named.length).toBeGreaterThan(0)
})

test('to unacknowledge by leaving out the member works until 2024-05-30, and the changelog tells it as a break', () => {
  const behaviours = loadChangelog().flatMap(({ before, after, changes }) =>
    changes.flatMap(({ class: kind, rule, operations }) =>
      rule.startsWith('behaviour') ? [`${before} ${after} ${kind} ${operations}`] : [],
    ),
  )
  // v1.0 is before all dates, though not as text.
  const isBefore = (id: string) => id === first || id < '2024-05-30'
  const ids = versions.map(({ id }) => id)
  const [older, newer] = [ids.filter(isBefore), ids.filter((id) => !isBefore(id))]
  expect(behaviours).toEqual(
    older.flatMap((before) => newer.map((after) => `${before} ${after} breaking acknowledgeAlert`)),
  )
  expect(changesOf('v1.0', '2025-03-12').map(({ text }) => text)).toContain(
    "A body with neither `acknowledgedUntil` nor `unacknowledgeAlert` doesn't change the acknowledgement. " +
      'Before: A body without `acknowledgedUntil` unacknowledges the alert.',
  )
})

test('a member that a row says it is shown by is new between the documents', () => {
  const field = /^the field (\w+)$/
  for (const { id, shownBy = '', operations = [], generation } of all) {
    const [, name] = field.exec(shownBy) ?? []
    if (!name) continue
    const [before, after] = generation ? [first, second] : [second, third]
    const added = changesOf(before, after).filter(({ text }) => text === `The property ${name} is new.`)
    expect([id, added.flatMap((change) => change.operations)]).toEqual([
      id,
      expect.arrayContaining(operations),
    ])
  }
})
