import type { Facts, VersionFact } from '../../src/model.ts'
import type { JsonPath } from './json.ts'

export interface Finding {
  /** The problem. The rule's `message` describes what was expected. */
  message: string
  /** The location of the problem. Defaults to the location of the node that the rule checked. */
  path?: JsonPath
}

export interface RuleContext {
  path: JsonPath
  /** The whole document, in which references aren't resolved. */
  document: unknown
  facts: Facts
  /** The version of the document, if it is known. */
  version: VersionFact | undefined
  /** The documents of all versions. Some rules compare versions. */
  documents: ReadonlyMap<string, unknown>
}

/** A lint rule. The name of a rule's file matches the rule's ID. */
export interface Rule {
  id: string
  /** What the rule expects, as a sentence. */
  message: string
  /** A JSON Path expression that selects the nodes to check, as in Spectral. */
  given: string
  /** The problem that the rule prevents. */
  why: string
  /**
   * The documents that the rule applies to. `any`: any OpenAPI 3.1 document, because the rule finds actual defects.
   * `style`: the rule is a convention that other APIs may also follow. `ours`: the rule needs our extensions and facts.
   */
  scope: 'any' | 'style' | 'ours'
  /**
   * Whether the rule also works for a file that contains only a part of a document. This is true for rules that don't
   * follow references.
   */
  readsSingleNodes?: true
  /** Checks a node and returns the problems. Must never throw, not even for invalid documents. */
  function(input: unknown, context: RuleContext): Finding[]
}

export const wholeDocument = '$'
export const everyOperation = '$.paths[*][get,put,post,delete,patch,options,head,trace]'
