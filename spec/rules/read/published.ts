import type { VersionFact } from '../../src/model.ts'
import { asNode } from './json.ts'
import { nodesIn } from './nodes.ts'

/**
 * Returns whether a document is a published document, which contains no provenance. The provenance is in a separate
 * overlay.
 */
export function isPublished(document: unknown, version: VersionFact | undefined): boolean {
  const isComplete = version !== undefined && 'openapi' in asNode(document)
  return isComplete && !nodesIn(document).some(({ value }) => 'x-strength' in value)
}
