import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { flagsOf } from '../scripts/flags.ts'

const flags = {
  rounds: { type: 'string', default: '5', takes: '<n>', says: 'Run <n> interleaved rounds' },
  shard: { type: 'string', default: '1/1', takes: '<1/4>', says: 'Run only a part' },
  only: { type: 'string', multiple: true, default: ['a', 'b'], takes: '<name>', says: 'Run only this one' },
  file: { type: 'string', takes: '<file>', says: 'Write the results to this file' },
  record: { type: 'boolean', says: 'Store the results' },
} as const

const [node = '', script = ''] = process.argv
let said = ''
beforeEach(() => {
  said = ''
  const note = (text: unknown): void => {
    said += `${text}\n`
  }
  vi.spyOn(console, 'log').mockImplementation(note)
  vi.spyOn(console, 'error').mockImplementation(note)
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exited with code ${code}`)
  })
})
afterEach(() => vi.restoreAllMocks())

const given = (...args: string[]) => {
  vi.spyOn(process, 'argv', 'get').mockReturnValue([node, script, ...args])
  return flagsOf('npm run some', flags)
}

test('omitted flags get their defaults', () => {
  const usual = { rounds: '5', shard: '1/1', only: ['a', 'b'], file: undefined, record: false }
  expect(given()).toEqual(usual)
  expect(given('--rounds', '7', '--shard=4/4', '--only', 'c', '--record')).toEqual({
    ...usual,
    rounds: '7',
    shard: '4/4',
    only: ['c'],
    record: true,
  })
})

test.each([
  [['--nope'], "Unknown option '--nope'"],
  [['--rounds', 'many'], '--rounds must be a whole number, but was "many"'],
  [['--shard', '5/4'], '--shard must be a fraction such as 1/4, but was "5/4"'],
  [['--shard', '0/4'], '--shard must be a fraction such as 1/4'],
])('rejects %j with the accepted values', (args, complaint) => {
  expect(() => given(...args)).toThrow('exited with code 2')
  expect(said).toContain(complaint)
  expect(said).toContain('  --rounds <n>            Run <n> interleaved rounds (default: 5)')
})

test('the help lists all flags, within 80 columns', () => {
  expect(() => given('--rounds', 'many', '--help')).toThrow('exited with code 0')
  expect(said).toMatch(/^npm run some -- \[flags\]\n\n {2}--rounds <n>/)
  expect(said.split('\n').filter((line) => line.length > 80)).toEqual([])
})
