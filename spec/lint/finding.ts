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
}

/** The rules to apply: all, or those for any OpenAPI 3.1 document. */
export type RuleSet = 'all' | 'structural'

export type Documents = ReadonlyMap<string, unknown>
