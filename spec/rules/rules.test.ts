import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readFacts } from '../build/sources.ts'
import { loadRules, ruleIds } from '../lint/rules.ts'
import { runRule } from '../lint/spectral.ts'
import { contextOf } from '../ruleset/ruleset.ts'
import { asTexts, isNode, pointerOf } from './read/json.ts'
import { operationsIn } from './read/operations.ts'
import { type Rule, wholeDocument } from './read/rule.ts'

const folder = new URL('fixtures/', import.meta.url)
const facts = readFacts()
const rules = await loadRules()

/**
 * Reads a fixture, which is a document with the parts that its rule reads. A failing fixture also lists the
 * locations of the findings.
 */
function fixture(
  id: string,
  kind: 'pass' | 'fail',
): { findings: string[]; document: Record<string, unknown> } {
  const { findings, ...document } = parse(readFileSync(new URL(`${id}.${kind}.yaml`, folder), 'utf8'))
  return { findings: asTexts(findings), document }
}

describe.each(rules)('$id', (rule) => {
  test('has the name of its file and a message that is a sentence', () => {
    expect(existsSync(new URL(`${rule.id}.ts`, import.meta.url))).toBe(true)
    expect(rule.message).toMatch(/^\S.*\.$/s)
  })

  test('has no findings in its passing fixture', async () => {
    const { document } = fixture(rule.id, 'pass')
    expect(await runRule(rule, document, facts)).toEqual([])
  })

  test('has exactly the findings listed in its failing fixture', async () => {
    const { document, findings } = fixture(rule.id, 'fail')
    const found = await runRule(rule, document, facts)
    expect(findings).not.toEqual([])
    expect(new Set(found.map(({ path }) => pointerOf(path)))).toEqual(new Set(findings))
  })

  test('never throws, even if nodes are replaced by invalid values', () => {
    for (const kind of ['pass', 'fail'] as const)
      for (const document of damagedCopies(fixture(rule.id, kind).document)) call(rule, document)
    for (const document of garbage) call(rule, document)
  }, 60_000)
})

test('every rule has two fixtures, and every fixture has a rule', () => {
  const expected = ruleIds().flatMap((id) => [`${id}.fail.yaml`, `${id}.pass.yaml`])
  expect(readdirSync(folder).sort()).toEqual(expected.sort())
})

const garbage: unknown[] = [null, undefined, 7, 'text', true, [], {}, [null], { $ref: '#' }, { paths: 1 }]

/** Calls a rule's function as Spectral does, and also with a node that doesn't match the rule's `given`. */
function call(rule: Rule, document: unknown): void {
  const givens = rule.given === wholeDocument ? [{ value: document, path: [] }] : operationsIn(document)
  for (const { value, path } of givens) rule.function(value, contextOf(document, path, facts))
  for (const value of garbage) rule.function(value, contextOf(document, ['paths', '/a', 'get'], facts))
}

/** Returns copies of a document. In each copy, one node is replaced with an invalid value. */
function* damagedCopies(document: unknown): Generator<unknown> {
  for (const path of pathsIn(document, []))
    for (const replacement of [null, 7, [null], { $ref: '#/components/schemas/Nowhere' }])
      yield replaced(document, path, replacement)
}

function pathsIn(value: unknown, path: (string | number)[]): (string | number)[][] {
  const pairs = Array.isArray(value) ? [...value.entries()] : isNode(value) ? Object.entries(value) : []
  return pairs.flatMap(([key, child]) => [[...path, key], ...pathsIn(child, [...path, key])])
}

function replaced(value: unknown, [key, ...rest]: (string | number)[], replacement: unknown): unknown {
  if (key === undefined) return replacement
  if (Array.isArray(value))
    return value.map((item, index) => (index === key ? replaced(item, rest, replacement) : item))
  return isNode(value) ? { ...value, [key]: replaced(value[String(key)], rest, replacement) } : value
}
