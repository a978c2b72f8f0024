import { describe, expect, test } from 'vitest'
import { disagreements, missingFacts, scopeOf } from './agreement.ts'
import { entry, ledgerWith, requirement } from './fixture.ts'

const says = (one: Parameters<typeof entry>[0]) =>
  disagreements(ledgerWith({ index: [entry(one)] })).map((problem) => problem.says)

describe('what an entry holds', () => {
  test('is compared with every document that has the fact', () => {
    expect(says({ holds: { maxLength: 200, required: false } })).toEqual([])
    expect(says({ holds: { maxLength: 100 } })).toEqual(['schema:Alert.comment: maxLength is 200, not 100'])
  })

  test('is compared only in the documents that the entry is about', () => {
    expect(says({ holds: { maxLength: 100 }, in: ['v1.0'] })).toEqual([
      'schema:Alert.comment: maxLength is 200, not 100 (v1.0)',
    ])
  })

  test('may be a list that must be there among others, in any order', () => {
    const shared = new Map([['limit:tiers', { values: ['M0', 'M2', 'M5'] }]])
    const of = (holds: Record<string, string[]>) =>
      disagreements(ledgerWith({ shared, index: [entry({ facts: ['limit:tiers'], holds })] }))
    expect(of({ values: ['M5', 'M2', 'M0'] })).toEqual([])
    expect(of({ values: ['M0', 'M2'] })).toHaveLength(1)
    expect(of({ 'includes values': ['M0', 'M2'] })).toEqual([])
    expect(of({ 'includes values': ['M0', 'M9'] })).toEqual([
      { at: '2.4/comment', says: 'limit:tiers: values lacks M9' },
    ])
  })

  test('is not asked of facts of another kind than the first', () => {
    const shared = new Map([['limit:comment', { maxLength: 7 }]])
    const index = [entry({ facts: ['schema:Alert.comment', 'limit:comment'], holds: { maxLength: 200 } })]
    expect(disagreements(ledgerWith({ shared, index }))).toEqual([])
  })
})

describe('a fact', () => {
  test('must be in the documents that its entry names, and with `only` in no other', () => {
    expect(says({ in: ['2025-03-12', '2024-05-30'], only: true })).toEqual([
      'schema:Alert.comment: must not be there (v1.0)',
    ])
    expect(says({ facts: ['schema:Alert.gone'], in: ['v1.0'] })).toEqual([
      'schema:Alert.gone: must be there (v1.0)',
    ])
  })

  test('that nothing has is told, whether an entry, a requirement or its operations name it', () => {
    const ledger = ledgerWith({
      index: [entry({ facts: ['schema:Nothing', 'requirement:no.such'] })],
      requirements: [requirement({ covers: ['limit:none', 'schema:*.comment'], operations: ['fly'] })],
    })
    expect(missingFacts(ledger).map((problem) => problem.says)).toEqual([
      'schema:Nothing does not exist',
      'requirement no.such does not exist',
      'limit:none does not exist',
      'operation:fly does not exist',
    ])
  })
})

test('a scope names one document, every date, or a date and the later ones', () => {
  const documents = ['v1.0', '2023-01-01', '2024-05-30', '2025-03-12']
  expect([...scopeOf(['v1.0', '2024-05-30+'], documents)]).toEqual(['v1.0', '2024-05-30', '2025-03-12'])
  expect([...scopeOf(['v2'], documents)]).toEqual(['2023-01-01', '2024-05-30', '2025-03-12'])
  expect([...scopeOf(['2023-01-01'], documents)]).toEqual(['2023-01-01'])
})
