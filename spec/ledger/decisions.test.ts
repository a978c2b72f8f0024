import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { decisionsPage } from './decisions.ts'
import { decisionsFile, readIndex } from './read.ts'

test('docs/decisions.md is up to date', () => {
  expect(readFileSync(decisionsFile, 'utf8')).toBe(decisionsPage(readIndex()))
})

test('every heading has at least one reason', () => {
  const decisions = readIndex().filter(({ key }) => key.startsWith('decided: '))
  const headings = (entries: typeof decisions) => new Set(entries.map(({ key }) => key.split('/')[0]))
  expect(headings(decisions.filter(({ because }) => because))).toEqual(headings(decisions))
})

test('decisions, required fields and operations are tables', () => {
  const page = decisionsPage([
    {
      key: 'decided: Bounds/reference-hour/utc',
      says: 'Hours are 0 to 23',
      because: 'A day has 24 hours.',
      strength: 'decided',
    },
    { key: 'decided: Bounds/list', says: 'itemsPerPage is at most 500.', strength: 'open' },
    {
      key: 'decided: Responses/Alert',
      says: 'Alert always contains id and links',
      strength: 'decided',
      holds: { requires: ['id', 'links'] },
    },
    { key: 'decided: Operations/getAlert', says: 'GET /a', because: 'It is common.', strength: 'decided' },
    {
      key: 'decided: Operations/getAlert/success',
      says: 'Returns 200 on success',
      strength: 'decided',
      holds: { status: 200 },
    },
    {
      key: 'decided: Operations/getAlert/2023-01-01',
      says: 'Has version 2023-01-01',
      strength: 'decided',
    },
    {
      key: 'decided: Operations/getAlert/2023-01-01/deprecated',
      says: 'Version 2023-01-01 is deprecated',
      strength: 'decided',
    },
    { key: '2.1/source', says: 'An entry of the source', strength: 'stated' },
  ])
  expect(page.split('\n').filter((line) => /^(#|\||Reason)/.test(line))).toEqual([
    '# Decisions',
    '## Bounds',
    '| Decision | Reason |',
    '| --- | --- |',
    '| Hours are 0 to 23. | A day has 24 hours. |',
    '| `itemsPerPage` is at most 500. *(unspecified)* |  |',
    '## Operations',
    'Reason: It is common.',
    '| Operation | Method and path | Success | Versions in v2 |',
    '| --- | --- | --- | --- |',
    '| `getAlert` | `GET /a` | 200 | 2023-01-01 (deprecated) |',
    '## Responses',
    '| Schema | Fields that responses always contain |',
    '| --- | --- |',
    '| `Alert` | `id`, `links` |',
  ])
})
