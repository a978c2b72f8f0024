import type { Requirement } from '@svc-admin/spec'
import { expect, test } from 'vitest'
import { casesBlock, verdictGrid } from '../pages/verdict-grid.ts'
import { readLedger } from './conformance-report.ts'

const result = (requirement: string, version: string, verdict: string, operation = 'getAlert') => ({
  requirement,
  version,
  operation,
  verdict,
})

const report = {
  format: 'svc-admin-contract-report/3',
  target: 'http://x',
  kit: '1.0.0',
  startedAt: 'now',
  summary: { PASS: 2, FAIL: 1 },
  results: [result('a.b', '2024-05-30', 'FAIL', 'listAlerts'), result('a.c', '2025-03-12', 'NOT APPLICABLE')],
  passed: { 'a.b': { 'getAlert@2024-05-30': [''], 'getAlert@v1.0': [''] } },
}

test('counts verdicts by requirement', () => {
  const counts = readLedger(report).byRequirement.get('a.b')
  expect([...(counts ?? [])]).toEqual([
    ['FAIL', 1],
    ['PASS', 2],
  ])
})

test('finds the worst verdict by version and the number of cases by operation', () => {
  const { tested, versions } = readLedger(report)
  expect(versions).toEqual(['v1.0', '2024-05-30'])
  expect([...tested.keys()]).toEqual(['a.b'])
  expect(tested.get('a.b')?.byVersion.get('2024-05-30')).toEqual({ verdict: 'FAIL', count: 2 })
  expect([...(tested.get('a.b')?.byOperation ?? [])]).toEqual([
    ['listAlerts', 1],
    ['getAlert', 2],
  ])
})

test('shows the worst verdict of all requirements of a row, in words', () => {
  const requirement: Requirement = { id: 'a.b', area: 'A', text: '', strength: 'stated', source: [] }
  const lines = [{ label: 'A', href: '/a/', inCode: false, requirements: [requirement] }]
  const block = verdictGrid(readLedger(report), 'Area', lines)
  expect(block).toMatchObject({
    html: expect.stringContaining('<span class="badge verdict-fail">FAIL 2</span>'),
    markdown: expect.stringContaining('| [A](/a/) | PASS 1 | FAIL 2 |'),
  })
  expect(casesBlock(readLedger(report), [requirement])).toMatchObject({
    markdown: '- `a.b`: `listAlerts` 1, `getAlert` 2',
  })
})

test('rejects files that are not reports', () => {
  for (const wrong of [
    null,
    [],
    {},
    { format: 'svc-admin-contract-report/3' },
    { ...report, format: 'junit' },
  ])
    expect(() => readLedger(wrong)).toThrow('not a JSON report')
})
