import type { Facts, VersionFact } from '../../src/model.ts'
import type { JsonPath } from './json.ts'

export interface Finding {
  /** The problem. The rule's `message` contains the expectation. */
  message: string
  /** Location. If omitted, the node passed to the rule. */
  path?: JsonPath
}

export interface RuleContext {
  /** The node's location. */
  path: JsonPath
  /** The whole document, with unresolved references. */
  document: unknown
  facts: Facts
  /** The document's version, if it is known. */
  version: VersionFact | undefined
  /** All versions' documents, for rules that compare them. */
  documents: ReadonlyMap<string, unknown>
}

/** A lint rule. The file is named after its ID. */
export interface Rule {
  id: string
  /** The expectation, as a sentence. */
  message: string
  /** A JSON Path expression, as in Spectral, for the nodes to pass to the function. */
  given: string
  /** The reason for the rule: the problem that it prevents. */
  why: string
  /**
   * `any`: the rule finds defects in any OpenAPI 3.1 document. `style`: it is a convention that another API may
   * share. `ours`: it depends on our extensions and facts.
   */
  scope: 'any' | 'style' | 'ours'
  /**
   * Whether the rule has the same findings in a file with a part of the document, because it doesn't follow references.
   */
  readsSingleNodes?: true
  /** Must not throw for any input. */
  function(input: unknown, context: RuleContext): Finding[]
}

export const wholeDocument = '$'
export const everyOperation = '$.paths[*][get,put,post,delete,patch,options,head,trace]'
