import type { JsonPath } from '../rules/read/json.ts'

/** A linter's finding in one document. */
export interface LintFinding {
  linter: 'redocly' | 'spectral' | 'ours'
  rule: string
  document: string
  path: JsonPath
  /** A sentence that describes the problem. */
  message: string
  /** A sentence that describes what was expected. */
  expected?: string
  /** The source's file and position, if the source files are known. */
  source?: string
}

/** The rules to apply: either all rules, or only those with the scope `any`. */
export type RuleSet = 'all' | 'any'

export type Documents = ReadonlyMap<string, unknown>
