import { expect, test } from 'vitest'
import { readLedger, verdictText } from './ledger.ts'

const report = {
  format: 'svc-admin-contract-report/1',
  target: 'http://x',
  kit: '1.0.0',
  startedAt: 'now',
  summary: { PASS: 2, FAIL: 1 },
  results: [
    { requirement: 'a.b', verdict: 'PASS' },
    { requirement: 'a.b', verdict: 'PASS' },
    { requirement: 'a.b', verdict: 'FAIL' },
  ],
}

test('verdicts are counted by requirement', () => {
  const ledger = readLedger(report)
  expect(verdictText(ledger, 'a.b')).toBe('`PASS` 2, `FAIL` 1')
  expect(verdictText(ledger, 'other')).toBe('not run')
})

test('what is not a report is refused', () => {
  for (const wrong of [
    null,
    [],
    {},
    { format: 'svc-admin-contract-report/1' },
    { ...report, format: 'junit' },
  ])
    expect(() => readLedger(wrong)).toThrow('not a JSON report')
})
