import { expect, test } from 'vitest'
import type { Result } from '../model/result.ts'
import { createProgress } from './progress.ts'

const result = (id: string, verdict: Result['verdict'] = 'PASS'): Result => ({
  id,
  requirement: 'auth.digest-accepted',
  operation: 'getAlert',
  version: 'v1.0',
  variant: '',
  verdict,
  strength: 'stated',
  exchanges: 1,
})

const writing = (terminal: { isTTY?: boolean; columns?: number }) => {
  const written: string[] = []
  return { written, output: { ...terminal, write: (text: string) => written.push(text) } }
}

test('shows one line that fits the terminal', () => {
  const { written, output } = writing({ isTTY: true, columns: 60 })
  const progress = createProgress(4, output)
  progress.note(result(`long-${'x'.repeat(200)}`, 'FAIL'))
  const [line = ''] = written
  expect(line.startsWith('\r')).toBe(true)
  expect(line.replace('\r\u001b[2K', '').length).toBeLessThan(60)
  expect(line).toContain('1/4  1 failed')
})

test('writes a plain line for every 10 % and for every violation', () => {
  const { written, output } = writing({})
  const progress = createProgress(20, output)
  for (let count = 0; count < 20; count += 1)
    progress.note(result(`case-${count}`, count === 3 ? 'FAIL' : 'PASS'))
  expect(written).toHaveLength(11)
  expect(written[1]).toBe('FAIL case-3\n')
  expect(written.at(-1)).toBe('20 of 20 checks, 1 failed\n')
})

test('shows that the run waits for the target', () => {
  const log = writing({})
  createProgress(20, log.output).wait(57)
  expect(log.written).toEqual(['waiting 57 s, as requested by the target\n'])
  const terminal = writing({ isTTY: true, columns: 0 })
  createProgress(20, terminal.output).wait(57)
  expect(terminal.written.join('')).toContain('waiting 57 s, as requested by the target')
})
