import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Edit, edited } from './edit.ts'
import { expand, goodDocument } from './good-document.ts'
import { lint } from './lint.ts'

interface Defect extends Edit {
  defect: string
  rule: string
  also?: string[]
  alone?: boolean
}

const defects: Defect[] = parse(readFileSync(new URL('fixtures/defects.yaml', import.meta.url), 'utf8'))

const rulesOf = ({ rule, also = [] }: Defect): string[] => [rule, ...also]
const pointersOf = ({ set, push, drop = [], rename }: Defect): string[] =>
  [...drop, ...[set, push, rename].flatMap((edits) => Object.keys(edits ?? {}))].map(
    (pointer) => `${expand(pointer)}/`,
  )

/**
 * Returns whether two defects can be in the same document. The defects must violate different rules in
 * different locations.
 */
function mayShare(one: Defect, other: Defect): boolean {
  const rules = rulesOf(other)
  const places = pointersOf(other)
  return (
    !one.alone &&
    !other.alone &&
    !rulesOf(one).some((rule) => rules.includes(rule)) &&
    !pointersOf(one).some((place) => places.some((each) => each.startsWith(place) || place.startsWith(each)))
  )
}

/** Defects that can share a document. Running the linter separately for each defect would take ten times as long. */
const groups: Defect[][] = []
for (const defect of defects) {
  const group = groups.find((fields) => fields.every((field) => mayShare(field, defect)))
  if (group) group.push(defect)
  else groups.push([defect])
}

const found = new Map<string, string[]>()

beforeAll(async () => {
  const good = goodDocument()
  const documents = new Map<string, unknown>([['good', good]])
  for (const [index, group] of groups.entries())
    documents.set(
      `${index}`,
      group.reduce<unknown>((document, defect) => edited(document, defect, expand), good),
    )
  const findings = await lint(documents)
  for (const name of documents.keys())
    found.set(
      name,
      findings.flatMap(({ document, rule }) => (document === name ? [rule] : [])),
    )
}, 120_000)

test('has no findings in the document without defects', () => {
  expect(found.get('good')).toEqual([])
})

test('has at least sixty distinct defects', () => {
  expect(new Set(defects.map(({ defect }) => defect)).size).toBeGreaterThanOrEqual(60)
})

describe.each([...groups.entries()])('the document %i', (index, group) => {
  test.each(group)('detects: $defect', (defect) => {
    expect(found.get(`${index}`)).toEqual(expect.arrayContaining(rulesOf(defect)))
  })

  test('has no other findings', () => {
    expect(new Set(found.get(`${index}`))).toEqual(new Set(group.flatMap(rulesOf)))
  })
})
