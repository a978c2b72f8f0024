import type { Facts, VersionFact } from '../../src/model.ts'
import type { JsonPath } from './json.ts'

export interface Finding {
  /** A description of the problem. The rule's `message` describes the expectation. */
  message: string
  /** The problem's location. Defaults to the node that was passed to the rule. */
  path?: JsonPath
}

export interface RuleContext {
  path: JsonPath
  /** The whole document, with unresolved references. */
  document: unknown
  facts: Facts
  /** The document's version, if it is known. */
  version: VersionFact | undefined
  /** The documents of all versions, for rules that compare them. */
  documents: ReadonlyMap<string, unknown>
}

/** A lint rule. The file is named after its ID. */
export interface Rule {
  id: string
  /** The expectation, as a sentence. */
  message: string
  /** A JSON Path expression that selects the nodes to pass to the function, as in Spectral. */
  given: string
  /** The problem that the rule prevents. */
  why: string
  /**
   * `any`: the rule finds defects in any OpenAPI 3.1 document. `style`: the rule is a convention that another API may
   * share. `ours`: the rule depends on our extensions and facts.
   */
  scope: 'any' | 'style' | 'ours'
  /**
   * Whether the rule has the same findings in a file that contains only a part of the document. Rules that
   * don't follow references have the same findings.
   */
  readsSingleNodes?: true
  /** Returns the findings for a node. Must not throw for any input. */
  function(input: unknown, context: RuleContext): Finding[]
}

export const wholeDocument = '$'
export const everyOperation = '$.paths[*][get,put,post,delete,patch,options,head,trace]'
