import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ClosedError, UnavailableError } from '../persistence/database.ts'
import { createLog } from './log.ts'
import { createOutageLog } from './outage-log.ts'

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
})

const failureOf = (code: string, message: string) =>
  new UnavailableError('unavailable', { cause: Object.assign(new Error(message), { code }) })
const full = failureOf('SQLITE_FULL', 'database or disk is full')

function watched() {
  let written = ''
  const log = createLog('warn', (text) => {
    written += text
  })
  const outages = createOutageLog(log, { interval: 1000, mask: (text) => text.replace('hidden', '***') })
  const lines = (): object[] => {
    log.flush()
    const found = written.split('\n').filter((line) => line !== '')
    written = ''
    return found.map((line) => ({ ...JSON.parse(line), time: undefined }))
  }
  return { outages, lines }
}

describe('the outage log', () => {
  it('logs the cause once, the number of failures at intervals, and the end', () => {
    const { outages, lines } = watched()
    for (let count = 0; count < 320; count += 1) expect(outages.report(full)).toBe(true)
    const cause = { code: 'SQLITE_FULL', failure: 'database or disk is full' }
    expect(lines()).toEqual([{ level: 'error', message: 'database unavailable', ...cause }])
    vi.advanceTimersByTime(1000)
    const goesOn = { level: 'error', message: 'database still unavailable', ...cause }
    expect(lines()).toEqual([{ ...goesOn, failures: 319 }])
    vi.advanceTimersByTime(500)
    outages.report(full)
    vi.advanceTimersByTime(500)
    expect(lines()).toEqual([{ ...goesOn, failures: 1 }])
    vi.advanceTimersByTime(1000)
    const over = { level: 'warn', message: 'database available again', code: 'SQLITE_FULL' }
    expect(lines()).toEqual([{ ...over, failures: 321, seconds: 2, quietSeconds: 1 }])
    vi.advanceTimersByTime(10_000)
    expect([lines(), vi.getTimerCount()]).toEqual([[], 0])
    outages.report(full)
    expect(lines()).toEqual([{ level: 'error', message: 'database unavailable', ...cause }])
  })

  it('logs each kind of failure once', () => {
    const { outages, lines } = watched()
    const refused = new AggregateError([Object.assign(new Error('connect ECONNREFUSED ::1:1'))])
    const kinds = [
      failureOf('57P01', 'terminating connection'),
      new UnavailableError('unavailable', { cause: Object.assign(refused, { code: 'ECONNREFUSED' }) }),
      new UnavailableError('unavailable', { cause: new Error('Connection terminated') }),
    ]
    for (const error of [...kinds, ...kinds]) outages.report(error)
    expect(lines()).toMatchObject([
      { code: '57P01', failure: 'terminating connection' },
      { code: 'ECONNREFUSED', failure: 'connect ECONNREFUSED ::1:1' },
      { code: 'Connection terminated', failure: 'Connection terminated' },
    ])
    outages.stop()
    expect(lines()).toMatchObject([{ failures: 1 }, { failures: 1 }, { failures: 1 }])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('logs nothing about a database that the server closed', () => {
    const { outages, lines } = watched()
    expect(outages.report(new ClosedError())).toBe(true)
    expect([lines(), vi.getTimerCount()]).toEqual([[], 0])
  })

  it('logs no secrets of an address, and no other failures', () => {
    const { outages, lines } = watched()
    outages.report(new UnavailableError('unavailable', { cause: new Error('no user with hidden') }))
    expect(outages.report(new Error('another'))).toBe(false)
    expect(JSON.stringify(lines())).toMatch(/^(?!.*(?:hidden|another)).*no user with \*{3}/)
  })
})
