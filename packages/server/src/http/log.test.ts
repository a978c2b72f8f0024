import { describe, expect, it } from 'vitest'
import { createLog } from './log.ts'

describe('a log', () => {
  it.each([
    ['debug', ['info', 'warn', 'error']],
    ['info', ['info', 'warn', 'error']],
    ['warn', ['warn', 'error']],
    ['error', ['error']],
    ['silent', []],
  ] as const)('of level %s has lines of %j', (level, expected) => {
    let written = ''
    const log = createLog(level, (text) => {
      written += text
    })
    log.info('one', { status: 200 })
    log.warn('two')
    log.error('three')
    log.flush()
    const levels = written.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).level]))
    expect(levels).toEqual(expected)
    expect(log.informs).toBe(levels.includes('info'))
  })
})
