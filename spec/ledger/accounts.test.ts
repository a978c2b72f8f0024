import { describe, expect, test } from 'vitest'
import { citation, unaccountedEntries, undecidedRequirements, unsourcedRequirements } from './accounts.ts'
import { entry, ledgerWith, requirement } from './fixture.ts'

describe('citation', () => {
  test.each([
    ['4.4/getAlert', '4.4/getAlert', 'exact'],
    ['4.4', '4.4/getAlert', 'section'],
    ['4.4/getAlert', '4.4/getAlert/role', 'section'],
    ['4', '4.4/getAlert', 'section'],
    ['4.1', '4.11/issueToken', undefined],
    ['4.4/get', '4.4/getAlert', undefined],
    ['decided: Errors', 'decided: Errors/order-of-checks', 'section'],
    ['decided: Err', 'decided: Errors/order-of-checks', undefined],
  ])('of %s compared with %s is %s', (source, key, expected) => {
    expect(citation(source, key)).toBe(expected)
  })
})

describe('unaccountedEntries', () => {
  const unaccounted = (row: Parameters<typeof requirement>[0], one = entry()) =>
    unaccountedEntries(ledgerWith({ index: [one], requirements: [requirement(row)] }))

  test('accepts an entry if a requirement cites its section and covers its fact', () => {
    expect(unaccounted({})).toEqual([])
  })

  test('accepts an entry if a requirement cites its key', () => {
    expect(unaccounted({ source: ['2.4/comment'], covers: [] })).toEqual([])
  })

  test('accepts an entry if it names a requirement that cites its section', () => {
    const naming = entry({ facts: ['requirement:alert.comment-at-most-200'] })
    expect(unaccounted({ covers: [] }, naming)).toEqual([])
  })

  test('reports an entry if a requirement only cites its section', () => {
    expect(unaccounted({ covers: [] })).toEqual([{ at: '2.4/comment', says: 'At most 200 characters' }])
  })

  test('reports an entry if a requirement only covers its fact', () => {
    expect(unaccounted({ source: ['8'] })).toHaveLength(1)
  })

  test('reports a requirement that the entry names but that does not cite it', () => {
    const naming = entry({ facts: ['requirement:alert.comment-at-most-200'] })
    expect(unaccounted({ source: ['8'] }, naming)).toEqual([
      { at: '2.4/comment', says: 'alert.comment-at-most-200 must cite this entry' },
    ])
  })

  test('ignores entries that are excluded with a reason', () => {
    expect(unaccounted({ source: ['8'] }, entry({ excluded: 'It defines no behavior.' }))).toEqual([])
  })
})

describe('unsourcedRequirements', () => {
  const unsourced = (source: string[]) =>
    unsourcedRequirements(ledgerWith({ requirements: [requirement({ source })] }))

  test.each([['2.4'], ['2'], ['2.4/comment'], ['RFC 9745 §2'], ['RFC 7616 §3.4.2'], ['RFC 5829']])(
    'accepts the source %s',
    (source) => expect(unsourced([source, '2.4'])).toEqual([]),
  )

  test.each([['2.5'], ['2.4/other'], ['decided: Taste'], ['RFC seven']])(
    'rejects the source %s',
    (source) => {
      expect(unsourced([source, '2.4'])).toEqual([
        { at: 'alert.comment-at-most-200', says: `cites the unknown source ${source}` },
      ])
    },
  )

  test('reports a requirement without a source', () => {
    expect(unsourced([])).toEqual([{ at: 'alert.comment-at-most-200', says: 'has no source' }])
  })

  test.each([
    ['stated', ['RFC 9745 §2'], 'no section of the specification source'],
    ['decided', ['2.4'], 'no decision or RFC'],
  ] as const)('reports a %s requirement that cites only %s', (strength, source, missing) => {
    const row = requirement({ strength, source: [...source] })
    expect(unsourcedRequirements(ledgerWith({ requirements: [row] }))).toEqual([
      { at: row.id, says: `is ${strength}, but cites ${missing}` },
    ])
  })
})

describe('undecidedRequirements', () => {
  const row = { id: 'alert.order', strength: 'decided', source: ['decided: Lifecycles'], covers: [] } as const
  const undecided = (one: Parameters<typeof entry>[0], differs: Parameters<typeof requirement>[0] = {}) =>
    undecidedRequirements(
      ledgerWith({
        index: [entry({ key: 'decided: Lifecycles/alert', facts: [], ...one })],
        requirements: [requirement({ ...row, source: [...row.source], covers: [], ...differs })],
      }),
    )

  test('accepts a decision that names the requirement, that it cites exactly, or whose fact it covers', () => {
    expect(undecided({ facts: ['requirement:alert.order'] })).toEqual([])
    expect(undecided({}, { source: ['decided: Lifecycles/alert'] })).toEqual([])
    expect(undecided({ facts: ['state:alert.OPEN'] }, { covers: ['state:alert.OPEN'] })).toEqual([])
  })

  test('reports a requirement that cites only a heading', () => {
    expect(undecided({})).toEqual([
      { at: 'alert.order', says: 'no decision under decided: Lifecycles covers it' },
    ])
  })

  test('accepts a requirement that cites an RFC', () => {
    expect(undecided({}, { source: ['RFC 9110 §12.5.1'] })).toEqual([])
  })
})
