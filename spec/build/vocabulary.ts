import type { Facts, OpenApiDocument } from '../src/model.ts'
import { rewrite } from './walk.ts'

/** Adds the known values from `facts/` to open enumerations. Also adds the token endpoint's error codes. */
export function attachVocabularies(document: OpenApiDocument, facts: Facts): OpenApiDocument {
  const vocabularies: Record<string, () => string[]> = {
    'x-event-types': () => Object.values(facts.eventTypes.families).flatMap(({ values }) => values),
    'x-error-codes': () => Object.keys(facts.errorCodes),
  }
  return rewrite(document, (node) => {
    const marker = Object.keys(vocabularies).find((name) => node[name] === true)
    const values = marker ? vocabularies[marker]?.() : openStates(node, facts)
    if (node['x-token-errors'] === true) return { ...node, enum: Object.keys(facts.tokenErrors) }
    return values ? { ...node, 'x-known-values': values } : node
  }) as OpenApiDocument
}

function openStates(node: Record<string, unknown>, facts: Facts): string[] | undefined {
  const machine = facts.states[String(node['x-state-machine'] ?? '')]
  return machine?.open ? machine.values : undefined
}
