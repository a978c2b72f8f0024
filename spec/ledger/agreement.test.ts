import { describe, expect, test } from 'vitest'
import { disagreements, missingFacts, scopeOf } from './agreement.ts'
import { entry, ledgerWith, requirement } from './fixture.ts'

const says = (one: Parameters<typeof entry>[0]) =>
  disagreements(ledgerWith({ index: [entry(one)] })).map((problem) => problem.says)

describe('disagreements, for the expected values of an entry', () => {
  test('compares them with every document that has the fact', () => {
    expect(says({ holds: { maxLength: 200, required: false } })).toEqual([])
    expect(says({ holds: { maxLength: 100 } })).toEqual([
      'schema:Alert.comment: maxLength must be 100, but is 200',
    ])
  })

  test('compares them only with the documents in the scope of the entry', () => {
    expect(says({ holds: { maxLength: 100 }, in: ['v1.0'] })).toEqual([
      'schema:Alert.comment: maxLength must be 100, but is 200 (v1.0)',
    ])
  })

  test('compares lists in any order, completely or with `includes`', () => {
    const shared = new Map([['limit:tiers', { values: ['M0', 'M2', 'M5'] }]])
    const of = (holds: Record<string, string[]>) =>
      disagreements(ledgerWith({ shared, index: [entry({ facts: ['limit:tiers'], holds })] }))
    expect(of({ values: ['M5', 'M2', 'M0'] })).toEqual([])
    expect(of({ values: ['M0', 'M2'] })).toHaveLength(1)
    expect(of({ 'includes values': ['M0', 'M2'] })).toEqual([])
    expect(of({ 'includes values': ['M0', 'M9'] })).toEqual([
      { at: '2.4/comment', says: 'limit:tiers: values lacks M9', fact: 'limit:tiers' },
    ])
  })

  test('compares them even if a requirement precedes the fact', () => {
    const facts = ['requirement:alert.comment-at-most-200', 'schema:Alert.comment']
    expect(says({ facts, holds: { maxLength: 100 } })).toEqual([
      'schema:Alert.comment: maxLength must be 100, but is 200',
    ])
  })

  test('name the fact and its first document', () => {
    const index = [entry({ holds: { maxLength: 100 }, in: ['2024-05-30'] })]
    expect(disagreements(ledgerWith({ index }))).toEqual([
      expect.objectContaining({ fact: 'schema:Alert.comment', document: '2024-05-30' }),
    ])
  })

  test('ignores facts of a different kind than the first one', () => {
    const shared = new Map([['limit:comment', { maxLength: 7 }]])
    const index = [entry({ facts: ['schema:Alert.comment', 'limit:comment'], holds: { maxLength: 200 } })]
    expect(disagreements(ledgerWith({ shared, index }))).toEqual([])
  })
})

describe('disagreements and missingFacts', () => {
  test('require a fact in the documents of its entry and, with `only`, in no other document', () => {
    expect(says({ in: ['2025-03-12', '2024-05-30'], only: true })).toEqual([
      'schema:Alert.comment: must be absent (v1.0)',
    ])
    expect(says({ facts: ['schema:Alert.gone'], in: ['v1.0'] })).toEqual([
      'schema:Alert.gone: is missing (v1.0)',
    ])
  })

  test('report unknown facts that an entry, a requirement or its operations name', () => {
    const ledger = ledgerWith({
      index: [entry({ facts: ['schema:Nothing', 'requirement:no.such'] })],
      requirements: [requirement({ covers: ['limit:none', 'schema:*.comment'], operations: ['fly'] })],
    })
    expect(missingFacts(ledger).map((problem) => problem.says)).toEqual([
      "schema:Nothing doesn't exist",
      "requirement no.such doesn't exist",
      "limit:none doesn't exist",
      "operation:fly doesn't exist",
    ])
  })
})

test('a scope contains one document, all dates, or a date and later ones', () => {
  const documents = ['v1.0', '2023-01-01', '2024-05-30', '2025-03-12']
  expect([...scopeOf(['v1.0', '2024-05-30+'], documents)]).toEqual(['v1.0', '2024-05-30', '2025-03-12'])
  expect([...scopeOf(['v2'], documents)]).toEqual(['2023-01-01', '2024-05-30', '2025-03-12'])
  expect([...scopeOf(['2023-01-01'], documents)]).toEqual(['2023-01-01'])
})
