import type { LedgerEntry as IndexEntry, JsonObject, Requirement } from '../src/model.ts'

export type { LedgerEntry as IndexEntry } from '../src/model.ts'

/** The facts in one document or in `facts/`, with their values. */
export type FactTable = Map<string, JsonObject>

export interface Ledger {
  index: IndexEntry[]
  requirements: Requirement[]
  /** The facts in each document. */
  documents: Map<string, FactTable>
  /** The facts that all documents share. */
  shared: FactTable
  ids: RecordedIds
}

export interface RecordedIds {
  current: string[]
  /** The reason for retiring each ID. */
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
  /** The entry's key, the requirement's ID, or the fact. */
  at: string
  says: string
  /** The fact that is wrong. */
  fact?: string
  /** The first document with the wrong fact. If omitted, the fact is in `facts/`. */
  document?: string
  /** The source's file and position, if they are known. */
  source?: string
}
