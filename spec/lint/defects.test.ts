import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readFacts } from '../build/sources.ts'
import { type Edit, edited } from './edit.ts'
import type { LintFinding } from './finding.ts'
import { expand, goodDocument } from './good-document.ts'
import { lint } from './lint.ts'

interface Defect extends Edit {
  defect: string
  rule: string
}

const defects: Defect[] = parse(readFileSync(new URL('fixtures/defects.yaml', import.meta.url), 'utf8'))
const found = new Map<string, LintFinding[]>()

beforeAll(async () => {
  const good = await goodDocument()
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
