import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { decisionsPage } from './decisions.ts'
import { decisionsFile, readIndex } from './read.ts'

test('readers see every decision that the ledger knows', () => {
  expect(readFileSync(decisionsFile, 'utf8')).toBe(decisionsPage(readIndex()))
})

test('every heading has a reason that readers see', () => {
  const decisions = readIndex().filter(({ key }) => key.startsWith('decided: '))
  const headings = (entries: typeof decisions) => new Set(entries.map(({ key }) => key.split('/')[0]))
  expect(headings(decisions.filter(({ because }) => because))).toEqual(headings(decisions))
})

test('an open decision says so, and those of an operation share a line', () => {
  const page = decisionsPage([
    {
      key: 'decided: Bounds/reference-hour/utc',
      says: 'Hours are 0 to 23',
      because: 'A day has 24',
      strength: 'decided',
    },
    { key: 'decided: Bounds/list', says: 'A list has at most 1000 items.', strength: 'open' },
    { key: 'decided: Operations/getAlert/path', says: 'GET /a', strength: 'decided' },
    { key: 'decided: Operations/getAlert/envelope', says: 'It takes envelope', strength: 'decided' },
    { key: '2.1/source', says: 'The source says this', strength: 'stated' },
  ])
  expect(page.split('\n').filter((each) => /^[-#]/.test(each))).toEqual([
    '# What the source leaves open, and what was decided',
    '## Bounds',
    '- **reference hour, utc:** Hours are 0 to 23. Why: A day has 24.',
    '- **list:** A list has at most 1000 items. *(open)*',
    '## Operations',
    '- `getAlert`: GET /a; It takes envelope.',
  ])
})
