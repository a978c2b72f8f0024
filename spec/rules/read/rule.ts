import type { Facts, VersionFact } from '../../src/model.ts'
import type { JsonPath } from './json.ts'

export interface Finding {
  /** The problem. The rule's `message` contains the expectation. */
  message: string
  /** Location. If omitted, the node passed to the rule. */
  path?: JsonPath
}

export interface RuleContext {
  /** The location of the node. */
  path: JsonPath
  /** The whole document, with unresolved references. */
  document: unknown
  facts: Facts
  /** The version of the document, if it is a known version. */
  version: VersionFact | undefined
  /** The documents of all versions, for rules that compare them. */
  documents: ReadonlyMap<string, unknown>
}

/** A lint rule. The file has the name of its ID. */
export interface Rule {
  id: string
  /** The expectation, as a sentence. */
  message: string
  /** A JSON Path expression, as in Spectral, for the nodes that are passed to the function. */
  given: string
  /** Why the rule exists: what goes wrong without it. */
  why: string
  /**
   * `any`: the rule finds defects in any OpenAPI 3.1 document. `style`: it is a convention that another API may
   * share. `ours`: it depends on our extensions and facts.
   */
  scope: 'any' | 'style' | 'ours'
  /** Finds the same in a file with a part of a document as in the document, because it follows no references. */
  readsSingleNodes?: true
  /** Must not throw for any input. */
  function(input: unknown, context: RuleContext): Finding[]
}

export const wholeDocument = '$'
export const everyOperation = '$.paths[*][get,put,post,delete,patch,options,head,trace]'
