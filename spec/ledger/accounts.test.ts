import { describe, expect, test } from 'vitest'
import { citation, unaccountedEntries, undecidedRequirements, unsourcedRequirements } from './accounts.ts'
import { entry, ledgerWith, requirement } from './fixture.ts'

describe('a citation', () => {
  test.each([
    ['4.4/getAlert', '4.4/getAlert', 'exact'],
    ['4.4', '4.4/getAlert', 'section'],
    ['4.4/getAlert', '4.4/getAlert/role', 'section'],
    ['4', '4.4/getAlert', 'section'],
    ['4.1', '4.11/issueToken', undefined],
    ['4.4/get', '4.4/getAlert', undefined],
    ['decided: Errors', 'decided: Errors/order-of-checks', 'section'],
    ['decided: Err', 'decided: Errors/order-of-checks', undefined],
  ])('of %s is of %s: %s', (source, key, expected) => {
    expect(citation(source, key)).toBe(expected)
  })
})

describe('an entry of the index', () => {
  const unaccounted = (row: Parameters<typeof requirement>[0], one = entry()) =>
    unaccountedEntries(ledgerWith({ index: [one], requirements: [requirement(row)] }))

  test('is accounted for by a requirement that cites its section and covers its fact', () => {
    expect(unaccounted({})).toEqual([])
  })

  test('is accounted for by a requirement that cites its key, whatever it covers', () => {
    expect(unaccounted({ source: ['2.4/comment'], covers: [] })).toEqual([])
  })

  test('is accounted for by a requirement that it names and that cites its section', () => {
    const naming = entry({ facts: ['requirement:alert.comment-at-most-200'] })
    expect(unaccounted({ covers: [] }, naming)).toEqual([])
  })

  test('is not accounted for by a section alone', () => {
    expect(unaccounted({ covers: [] })).toEqual([{ at: '2.4/comment', says: 'At most 200 characters' }])
  })

  test('is not accounted for by a fact alone', () => {
    expect(unaccounted({ source: ['8'] })).toHaveLength(1)
  })

  test('tells of a requirement that it names and that does not cite it', () => {
    const naming = entry({ facts: ['requirement:alert.comment-at-most-200'] })
    expect(unaccounted({ source: ['8'] }, naming)).toEqual([
      { at: '2.4/comment', says: 'alert.comment-at-most-200 does not cite it' },
    ])
  })

  test('that is excluded with a reason needs no requirement', () => {
    expect(unaccounted({ source: ['8'] }, entry({ excluded: 'It promises nothing.' }))).toEqual([])
  })
})

describe('a requirement', () => {
  const unsourced = (source: string[]) =>
    unsourcedRequirements(ledgerWith({ requirements: [requirement({ source })] }))

  test.each([['2.4'], ['2'], ['2.4/comment'], ['RFC 9745 §2'], ['RFC 7616 §3.4.2'], ['RFC 5829']])(
    'may cite %s',
    (source) => expect(unsourced([source, '2.4'])).toEqual([]),
  )

  test.each([['2.5'], ['2.4/other'], ['decided: Taste'], ['RFC seven']])('may not cite %s', (source) => {
    expect(unsourced([source, '2.4'])).toEqual([{ at: 'alert.comment-at-most-200', says: `cites ${source}` }])
  })

  test('must have a source', () => {
    expect(unsourced([])).toEqual([{ at: 'alert.comment-at-most-200', says: 'has no source' }])
  })

  test.each([
    ['stated', ['RFC 9745 §2']],
    ['decided', ['2.4']],
  ] as const)('that is %s may not cite %s alone', (strength, source) => {
    const row = requirement({ strength, source: [...source] })
    expect(unsourcedRequirements(ledgerWith({ requirements: [row] }))).toEqual([
      { at: row.id, says: `is ${strength} and cites nothing that makes it so` },
    ])
  })
})

describe('a decided requirement', () => {
  const row = { id: 'alert.order', strength: 'decided', source: ['decided: Lifecycles'], covers: [] } as const
  const undecided = (one: Parameters<typeof entry>[0], differs: Parameters<typeof requirement>[0] = {}) =>
    undecidedRequirements(
      ledgerWith({
        index: [entry({ key: 'decided: Lifecycles/alert', facts: [], ...one })],
        requirements: [requirement({ ...row, source: [...row.source], covers: [], ...differs })],
      }),
    )

  test('is spoken of by a decision that names it, that it cites exactly, or whose fact it covers', () => {
    expect(undecided({ facts: ['requirement:alert.order'] })).toEqual([])
    expect(undecided({}, { source: ['decided: Lifecycles/alert'] })).toEqual([])
    expect(undecided({ facts: ['state:alert.OPEN'] }, { covers: ['state:alert.OPEN'] })).toEqual([])
  })

  test('is not decided by a heading alone', () => {
    expect(undecided({})).toEqual([
      { at: 'alert.order', says: 'no decision of decided: Lifecycles speaks of it' },
    ])
  })

  test('that follows an RFC needs no decision', () => {
    expect(undecided({}, { source: ['RFC 9110 §12.5.1'] })).toEqual([])
  })
})
