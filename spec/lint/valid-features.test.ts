import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type Edit, edited } from './edit.ts'
import type { LintFinding } from './finding.ts'
import { lint } from './lint.ts'

interface Feature extends Edit {
  feature: string
}

const read = (name: string) => parse(readFileSync(new URL(`fixtures/${name}.yaml`, import.meta.url), 'utf8'))

const features: Feature[] = read('valid-features')
const expand = (pointer: string) => pointer.replace(/^T$/, '/components/schemas/Ticket')
let findings: LintFinding[] = []

beforeAll(async () => {
  const minimal: unknown = read('minimal')
  const documents = new Map(features.map((feature) => [feature.feature, edited(minimal, feature, expand)]))
  // This isn't one of our documents, so only the rules for any OpenAPI document apply to it.
  findings = await lint(documents, { set: 'any' })
}, 60_000)

test('has at least twenty features', () => {
  expect(new Set(features.map(({ feature }) => feature)).size).toBeGreaterThanOrEqual(20)
})

test.each(features)('accepts: $feature', ({ feature }) => {
  expect(findings.filter(({ document }) => document === feature)).toEqual([])
})
