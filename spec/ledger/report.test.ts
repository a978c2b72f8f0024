import { expect, test } from 'vitest'
import { ledgerWith } from './fixture.ts'
import { problemLists } from './lists.ts'
import { reportText } from './report.ts'

test('a complete ledger has no problems', () => {
  const lists = problemLists(ledgerWith())
  expect(lists.filter(({ problems }) => problems.length > 0)).toEqual([])
  expect(reportText(lists)).toContain('The ledger is complete.')
})

test('all problems are printed in lines of at most 80 columns', () => {
  const problems = [{ at: '2.4/comment', says: `${'word '.repeat(40)}${'long'.repeat(40)}` }]
  const text = reportText([{ id: 'x', title: 'rows', checked: 3, problems }])
  expect(text).toContain('NOT 1 of 3: rows')
  expect(text.replaceAll(/\s/g, '')).toContain('long'.repeat(40))
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
})

test('the source follows the problem', () => {
  const problems = [{ at: '2.4/comment', says: 'wrong', source: 'v2/a.yaml:7:3' }]
  expect(reportText([{ id: 'x', title: 'rows', checked: 1, problems }])).toContain(
    '    2.4/comment: wrong\n      See v2/a.yaml:7:3\n',
  )
})
