import type { Facts, VersionFact } from '../../src/model.ts'
import type { JsonPath } from './json.ts'

export interface Finding {
  /** What is wrong; the rule's `message` says what is right. */
  message: string
  /** Where; absent, the node that the rule was given. */
  path?: JsonPath
}

export interface RuleContext {
  /** Where the given node stands. */
  path: JsonPath
  /** The whole document, references unresolved. */
  document: unknown
  facts: Facts
  /** The version that the document is of, where it is one of ours. */
  version: VersionFact | undefined
  /** The documents of all versions, for what one promises of another. */
  documents: ReadonlyMap<string, unknown>
}

/** One thing that a document must keep to. The file is named after the id. */
export interface Rule {
  id: string
  /** What is expected, as a sentence. */
  message: string
  /** JSON Path expressions (as Spectral reads them) of the nodes that the function is called with. */
  given: string | string[]
  /** True of any good OpenAPI 3.1 document, not only of ours. */
  structural?: true
  /** Never throws, whatever it is given. */
  function(input: unknown, context: RuleContext): Finding[]
}

export const wholeDocument = '$'
export const everyOperation = '$.paths[*][get,put,post,delete,patch,options,head,trace]'
