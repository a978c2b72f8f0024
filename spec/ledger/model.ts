import type { LedgerEntry as IndexEntry, JsonObject, Requirement } from '../src/model.ts'

export type { LedgerEntry as IndexEntry } from '../src/model.ts'

/** The facts of one document, or of `facts/`, with their values. */
export type FactTable = Map<string, JsonObject>

export interface Ledger {
  index: IndexEntry[]
  requirements: Requirement[]
  /** By document. */
  documents: Map<string, FactTable>
  /** Facts that all documents share. */
  shared: FactTable
  ids: RecordedIds
}

export interface RecordedIds {
  current: string[]
  /** The reason for retiring each id. */
  retired: Map<string, string>
}

/** The result of one check of the ledger. */
export interface ProblemList {
  id: string
  title: string
  checked: number
  problems: Problem[]
}

export interface Problem {
  /** The key of the entry, the id of the requirement, or the fact. */
  at: string
  says: string
}
