import type { LedgerEntry as IndexEntry, JsonObject, Requirement } from '../src/model.ts'

export type { LedgerEntry as IndexEntry } from '../src/model.ts'

/** What one document, or `facts/`, says about each fact. */
export type FactTable = Map<string, JsonObject>

export interface Ledger {
  index: IndexEntry[]
  requirements: Requirement[]
  /** By document. */
  documents: Map<string, FactTable>
  /** Facts that belong to no one document. */
  shared: FactTable
  ids: RecordedIds
}

export interface RecordedIds {
  current: string[]
  /** By id, why it was retired. */
  retired: Map<string, string>
}

/** One list of the ledger; it is empty when nothing is lost. */
export interface ProblemList {
  id: string
  title: string
  checked: number
  problems: Problem[]
}

export interface Problem {
  /** The entry, requirement or fact. */
  at: string
  says: string
}
