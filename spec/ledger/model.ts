import type { JsonObject, Requirement, Strength } from '../src/model.ts'

/** One thing that the source or a decision says, in our own words. */
export interface IndexEntry {
  /** The section, or the heading of the decision, and what it is about: `4.3/toggleAlertConfig/role`. */
  key: string
  says: string
  strength: Strength
  /** What in the documents carries it: `schema:Alert.status`, `limit:nLogs`, `requirement:<id>` … */
  facts?: string[]
  /**
   * What the facts of the first one's kind must say there: keywords of a schema, roles, method and path. After
   * `includes` comes a list that must have the values among others.
   */
  holds?: JsonObject
  /** The documents that must have the facts; `2024-05-30+` is that date and every later one. */
  in?: string[]
  /** No other document may have them. */
  only?: boolean
  /** Why no requirement is needed: the entry says nothing that an implementation could get wrong. */
  excluded?: string
}

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
