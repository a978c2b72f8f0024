import type { LedgerEntry as IndexEntry, JsonObject, Requirement } from '../src/model.ts'

export type { LedgerEntry as IndexEntry } from '../src/model.ts'

/** The facts in one document or in `facts/`, by name. */
export type FactTable = Map<string, JsonObject>

export interface Ledger {
  index: IndexEntry[]
  requirements: Requirement[]
  /** The facts in each document. */
  documents: Map<string, FactTable>
  /** The facts that belong to all documents. */
  shared: FactTable
  ids: RecordedIds
}

export interface RecordedIds {
  current: string[]
  /** The reason for retiring each retired ID. */
  retired: Map<string, string>
}

/** The result of one of the ledger's checks. */
export interface ProblemList {
  id: string
  title: string
  checked: number
  problems: Problem[]
}

export interface Problem {
  /** The key of an entry, the ID of a requirement, or a fact. */
  at: string
  says: string
  /** The incorrect fact. */
  fact?: string
  /** The first document that contains the wrong fact. Omitted if the fact is in `facts/`. */
  document?: string
  /** The source file and the position in it, if they are known. */
  source?: string
}
