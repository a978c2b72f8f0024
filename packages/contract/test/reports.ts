import type { Result } from '../src/model/result.ts'
import { makeReport, type Report, type Reported } from '../src/report/report.ts'

/** An exchange with content that could break a report format. */
export const exchange = {
  url: 'http://127.0.0.1/a',
  request: { method: 'GET', path: '/a', headers: [['Accept', 'a/b']], body: undefined },
  response: {
    status: 200,
    reason: 'OK',
    headers: [['X', '</script><b>&']],
    body: '<script>alert(1)</script>\u0000',
  },
  milliseconds: 1,
} as const

/** Returns a result for `getAlert`. */
export const result = (verdict: Result['verdict'], requirement: string, variant = ''): Result => ({
  id: `${requirement}@getAlert@v1.0${variant && `#${variant}`}`,
  requirement,
  operation: 'getAlert',
  version: 'v1.0',
  variant,
  verdict,
  strength: 'stated',
  exchanges: 1,
  ...(verdict === 'FAIL' && {
    expected: 'status 401',
    actual: 'status <200>',
    curl: 'curl -i http://127.0.0.1/a',
    exchange,
  }),
  ...(verdict === 'UNTESTABLE' && { reason: 'a service account' }),
})

/** Returns a report with these results. */
export const reportOf = (results: readonly Reported[], changes: Partial<Report> = {}): Report => ({
  ...makeReport({
    kit: '0.1.0',
    target: 'http://127.0.0.1',
    runTag: 'contract-1',
    seed: 1,
    strict: false,
    startedAt: '2026-01-01T00:00:00.000Z',
    seconds: 1.5,
    coverage: [{ operation: 'getAlert', version: 'v1.0', status: 200 }],
    operations: [{ operation: 'getAlert', area: 'Alerts', versions: ['v1.0'], notImplemented: [] }],
    results,
    waiverProblems: [],
    leftovers: [],
  }),
  ...changes,
})
