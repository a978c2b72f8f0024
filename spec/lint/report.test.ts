import { expect, test } from 'vitest'
import type { LintFinding } from './finding.ts'
import { report } from './report.ts'

const finding: LintFinding = {
  linter: 'ours',
  rule: 'string-bounds',
  document: 'dist/2023-01-01.json',
  path: ['paths', '/groups/{groupId}/clusters/{clusterName}/backup/snapshots/shardedClusters', 'get'],
  message: 'string name has no maxLength',
  expected: 'a string must have a maxLength, unless it is an enum or a constant.',
}

test('fits 80 columns and shows file, pointer and expectation', () => {
  const text = report([finding], 1.25, 5)
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  expect(text.replaceAll(/\n\s+/g, '')).toContain(
    '#/paths/~1groups~1{groupId}~1clusters~1{clusterName}~1backup~1snapshots~1shardedClusters/get',
  )
  expect(text).toContain('dist/2023-01-01.json')
  expect(text).toContain('expected  a string must have a maxLength')
})

test('reports a finding in several documents once', () => {
  const text = report([finding, { ...finding, document: 'dist/v1.0.json' }], 1, 5)
  expect(text.match(/string-bounds/g)).toHaveLength(1)
  expect(text).toContain('dist/2023-01-01.json, dist/v1.0.json')
  expect(text).toMatch(/: 1 finding\.$/)
})

test('reports a run without findings and its duration', () => {
  expect(report([], 2.04, 5)).toBe('5 documents linted in 2.0 s: no findings.')
})
