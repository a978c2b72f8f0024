import { expect, test } from 'vitest'
import { withoutExcepted } from './exceptions.ts'
import type { LintFinding } from './finding.ts'

const reason = 'The source uses this name.'
const finding = (rule: string, path: LintFinding['path']): LintFinding => ({
  linter: 'ours',
  rule,
  document: 'a',
  path,
  message: 'wrong',
})
const documentsWith = (exceptions: unknown) =>
  new Map([['a', { paths: { '/a': { get: { summary: 'x', 'x-lint-exceptions': exceptions } } } }]])
const path = ['paths', '/a', 'get', 'summary']

test('an exception applies to its node and all descendants', () => {
  const documents = documentsWith({ 'summary-form': reason })
  expect(withoutExcepted([finding('summary-form', path)], documents)).toEqual([])
})

test('an exception applies to its rule only', () => {
  const documents = documentsWith({ 'summary-form': reason })
  const rules = withoutExcepted([finding('summary-form', path), finding('other', path)], documents)
  expect(rules.map(({ rule }) => rule)).toEqual(['other'])
})

test('an exception without a reason has no effect', () => {
  const documents = documentsWith({ 'summary-form': ' ' })
  expect(withoutExcepted([finding('summary-form', path)], documents)).toContainEqual(
    finding('summary-form', path),
  )
})

test('an unused exception is a finding', () => {
  const [stale] = withoutExcepted([], documentsWith({ 'summary-form': reason }))
  expect(stale?.rule).toBe('exception-stale')
})

test('the rules about exceptions have no exceptions', () => {
  const documents = documentsWith({ 'exception-reasons': reason })
  const kept = withoutExcepted([finding('exception-reasons', path)], documents)
  expect(kept.map(({ rule }) => rule)).toContain('exception-reasons')
})
