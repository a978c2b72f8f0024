import type { Requirement } from '../src/model.ts'
import type { FactTable, IndexEntry, Ledger } from './model.ts'

/** Returns a small ledger for tests, with one entry, one fact and one requirement. Tests can replace any part of it. */
export function ledgerWith(changes: Partial<Ledger> = {}): Ledger {
  return {
    index: [entry()],
    requirements: [requirement()],
    documents: new Map([
      ['v1.0', alertFacts()],
      ['2024-05-30', alertFacts()],
    ]),
    shared: new Map(),
    ids: { current: ['alert.comment-at-most-200'], retired: new Map() },
    ...changes,
  }
}

const alertFacts = (): FactTable =>
  new Map([
    ['schema:Alert', { type: 'object' }],
    ['schema:Alert.comment', { type: 'string', maxLength: 200, required: false }],
  ])

export function entry(changes: Partial<IndexEntry> = {}): IndexEntry {
  return {
    key: '2.4/comment',
    says: 'At most 200 characters',
    strength: 'stated',
    facts: ['schema:Alert.comment'],
    ...changes,
  }
}

export function requirement(changes: Partial<Requirement> = {}): Requirement {
  return {
    id: 'alert.comment-at-most-200',
    area: 'Alerts',
    strength: 'stated',
    text: 'A comment has at most 200 characters.',
    source: ['2.4'],
    covers: ['schema:Alert'],
    ...changes,
  }
}
