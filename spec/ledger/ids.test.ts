import { describe, expect, test } from 'vitest'
import { entry, ledgerWith, requirement } from './fixture.ts'
import { formatIds, idProblems, parseIds } from './ids.ts'

const ids = { current: ['alert.comment-at-most-200'], retired: new Map<string, string>() }

describe('ids.txt', () => {
  const text = '# a comment\nalert.one\nalert.two retired: duplicate\n'

  test('contains ids, retired ids with a reason, and comments', () => {
    expect(parseIds(text)).toEqual({
      current: ['alert.one'],
      retired: new Map([['alert.two', 'duplicate']]),
    })
  })

  test('is written sorted, with new ids and all existing ones', () => {
    const written = formatIds([requirement({ id: 'alert.new' })], parseIds(text))
    expect(written.split('\n').slice(1)).toEqual([
      'alert.new',
      'alert.one',
      'alert.two retired: duplicate',
      '',
    ])
  })
})

describe('ids', () => {
  test('are accepted if they are unique, well formed and recorded', () => {
    expect(idProblems(ledgerWith())).toEqual([])
  })

  test.each([
    [
      'duplicate in requirements',
      { requirements: [requirement(), requirement()] },
      'is the ID of several requirements',
    ],
    ['duplicate in the index', { index: [entry(), entry()] }, 'is the key of several entries'],
    [
      'missing',
      { requirements: [] },
      'is missing. If you removed it on purpose, retire it with a reason in ids.txt',
    ],
    ['not recorded', { ids: { ...ids, current: [] } }, 'is not in ids.txt. Add it with --record'],
    [
      'reused after retirement',
      { ids: { current: [], retired: new Map([['alert.comment-at-most-200', 'duplicate']]) } },
      'was retired and must not be reused',
    ],
    [
      'retired without a reason',
      { ids: { ...ids, retired: new Map([['a.b', '']]) } },
      'was retired without a reason',
    ],
  ])('are reported if %s', (_, changes, says) => {
    expect(idProblems(ledgerWith(changes)).map((problem) => problem.says)).toEqual([says])
  })

  test.each([['Alert.one'], ['alert'], ['alert.One'], ['alert.one-'], ['alert.one.two']])(
    'of the form %s are rejected',
    (id) => {
      const ledger = ledgerWith({ requirements: [requirement({ id })], ids: { ...ids, current: [id] } })
      expect(idProblems(ledger)).toEqual([{ at: id, says: 'must have the format <area>.<kebab-case>' }])
    },
  )
})
