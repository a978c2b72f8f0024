import { describe, expect, test } from 'vitest'
import { entry, ledgerWith, requirement } from './fixture.ts'
import { formatIds, idProblems, parseIds } from './ids.ts'

const ids = { current: ['alert.comment-at-most-200'], retired: new Map<string, string>() }

describe('ids.txt', () => {
  const text = '# a comment\nalert.one\nalert.two retired: said twice\n'

  test('has ids, retired ids with a reason, and comments', () => {
    expect(parseIds(text)).toEqual({
      current: ['alert.one'],
      retired: new Map([['alert.two', 'said twice']]),
    })
  })

  test('is written back in order, with new ids and without losing one', () => {
    const written = formatIds([requirement({ id: 'alert.new' })], parseIds(text))
    expect(written.split('\n').slice(1)).toEqual([
      'alert.new',
      'alert.one',
      'alert.two retired: said twice',
      '',
    ])
  })
})

describe('ids', () => {
  test('that are used once, formed well and recorded raise nothing', () => {
    expect(idProblems(ledgerWith())).toEqual([])
  })

  test.each([
    [
      'used twice',
      { requirements: [requirement(), requirement()] },
      'is the id of more than one requirement',
    ],
    ['keys used twice', { index: [entry(), entry()] }, 'is the key of more than one entry'],
    ['gone', { requirements: [] }, 'vanished; retire it with a reason in ids.txt'],
    ['not recorded', { ids: { ...ids, current: [] } }, 'is not in ids.txt; record it with --record'],
    [
      'back from retirement',
      { ids: { current: [], retired: new Map([['alert.comment-at-most-200', 'said twice']]) } },
      'was retired and cannot be used again',
    ],
    [
      'retired without a reason',
      { ids: { ...ids, retired: new Map([['a.b', '']]) } },
      'was retired without a reason',
    ],
  ])('that are %s are told', (_, changes, says) => {
    expect(idProblems(ledgerWith(changes)).map((problem) => problem.says)).toEqual([says])
  })

  test.each([['Alert.one'], ['alert'], ['alert.One'], ['alert.one-'], ['alert.one.two']])(
    'of the form %s are refused',
    (id) => {
      const ledger = ledgerWith({ requirements: [requirement({ id })], ids: { ...ids, current: [id] } })
      expect(idProblems(ledger)).toEqual([{ at: id, says: 'is not of the form <area>.<kebab-case>' }])
    },
  )
})
