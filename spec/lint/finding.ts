import type { JsonPath } from '../rules/read/json.ts'

/** A finding of a linter in one document. */
export interface LintFinding {
  linter: 'redocly' | 'spectral' | 'ours'
  rule: string
  /** The name of the document. */
  document: string
  path: JsonPath
  /** The problem, as a sentence. */
  message: string
  /** The expectation, as a sentence. */
  expected?: string
  /** File and position of the source, if the sources are known. */
  source?: string
}

/** The rules to apply: all, or those with the scope `any`. */
export type RuleSet = 'all' | 'any'

export type Documents = ReadonlyMap<string, unknown>
