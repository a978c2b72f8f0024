import type { JsonPath } from '../rules/read/json.ts'

/** What a linter found in one document. */
export interface LintFinding {
  linter: 'redocly' | 'spectral' | 'ours'
  rule: string
  /** The name that the document was given. */
  document: string
  path: JsonPath
  /** What is wrong. */
  message: string
  /** What is expected. */
  expected?: string
}

/** Which rules apply: all of them, or those that are true of any good OpenAPI 3.1 document. */
export type RuleSet = 'all' | 'structural'

export type Documents = ReadonlyMap<string, unknown>
