import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readFacts } from '../build/sources.ts'
import { type Edit, edited } from './edit.ts'
import type { LintFinding } from './finding.ts'
import { goodDocument } from './good-document.ts'
import { lint } from './lint.ts'

interface Defect extends Edit {
  defect: string
  rule: string
}

/** The long pointers that the table has short names for. */
const shorthands: [RegExp, string][] = [
  [/^ALERTS\b/, '/paths/~1groups~1{groupId}~1alerts'],
  [/^ALERT\b/, '/paths/~1groups~1{groupId}~1alerts~1{alertId}'],
  [/^CONFIGS\b/, '/paths/~1groups~1{groupId}~1alertConfigs'],
  [/^CONFIG\b/, '/paths/~1groups~1{groupId}~1alertConfigs~1{alertConfigId}'],
  [/\/OK\b/, '/responses/200/content/V'],
  [/\/V\b/, '/application~1vnd.svc.2023-01-01+json'],
]
const expand = (pointer: string) =>
  shorthands.reduce((text, [short, long]) => text.replace(short, long), pointer)

const defects: Defect[] = parse(readFileSync(new URL('fixtures/defects.yaml', import.meta.url), 'utf8'))
const found = new Map<string, LintFinding[]>()

beforeAll(async () => {
  const good = goodDocument()
  const documents = new Map<string, unknown>([['good', good]])
  for (const defect of defects) documents.set(defect.defect, edited(good, defect, expand))
  const findings = await lint(documents, readFacts())
  for (const name of documents.keys())
    found.set(
      name,
      findings.filter(({ document }) => document === name),
    )
}, 120_000)

test('the document that the defects are seeded in has none', () => {
  expect(found.get('good')).toEqual([])
})

test('there are at least sixty different defects', () => {
  expect(new Set(defects.map(({ defect }) => defect)).size).toBeGreaterThanOrEqual(60)
})

test.each(defects)('finds: $defect', ({ defect, rule }) => {
  expect(found.get(defect)?.map((finding) => finding.rule)).toContain(rule)
})
