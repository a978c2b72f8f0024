import { readFileSync } from 'node:fs'
import type {
  Demo,
  Facts,
  LedgerEntry,
  LintRule,
  OpenApiDocument,
  Origins,
  Requirement,
  VersionChanges,
  WorkflowDocument,
} from './model.ts'
import { readDocument } from './read-document.ts'

export { type Body, bodyOf } from './body.ts'
export { boundsSentence, counted, numberBounds, rangeText } from './bounds.ts'
export { defaultOf } from './default.ts'
export { deprecationHeaders, deprecationNotice, ownDescription, type SuccessorPlace } from './deprecation.ts'
export { ignoredPartsOf, type RemoveIgnoredParts, readOnlyFields } from './ignored-parts.ts'
export type * from './model.ts'
export { methods, namedFields, schemaMaps } from './model.ts'
export type { Overlay, OverlayAction } from './overlay.ts'
export { outsideOfScope } from './scope.ts'
export { findUnlistedKinds, type UnlistedKinds } from './unlisted-kinds.ts'

const dist = new URL('../dist/', import.meta.url)

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(name, dist), 'utf8'))
}

/**
 * Returns the OpenAPI 3.1 document for a version, including the provenance from its overlay. All references in the
 * document are local.
 *
 * @example
 * const document = loadDocument('2025-03-12')
 * console.log(Object.keys(document.paths).length)
 * @throws Error for an unknown version.
 */
export function loadDocument(version: string): OpenApiDocument {
  return readDocument(dist, version)
}

/** Returns the OpenAPI 3.1 document for the sandbox's control interface. All references in the document are local. */
export function loadControlDocument(): OpenApiDocument {
  return read('control.json')
}

/** Returns all facts: error codes, limits, roles, states, versions and event types. */
export function loadFacts(): Facts {
  return read('facts.json')
}

/**
 * Returns the ledger, which contains every statement in the specification source and each of our decisions, in our own
 * words. `npm run ledger` checks that the requirements cover all entries.
 */
export function loadLedger(): LedgerEntry[] {
  return read('ledger.json')
}

/** Returns the requirements that implementations must meet. */
export function loadRequirements(): Requirement[] {
  return read('requirements.json')
}

/**
 * Returns the changes between each version and each later version. Each change is classified by its effect on programs.
 */
export function loadChangelog(): VersionChanges[] {
  return read('changelog.json')
}

/** Returns the Arazzo documents by name. Each document describes a series of calls that completes a lifecycle. */
export function loadWorkflows(): Record<string, WorkflowDocument> {
  return read('workflows.json')
}

/** Returns our lint rules, each with a good and a bad example. */
export function loadLintRules(): LintRule[] {
  return read('lint-rules.json')
}

/** For each version, returns the version in which each path last changed. */
export function loadOrigins(): Origins {
  return read('origins.json')
}

/** Returns the resources of the demo organization, which the examples in the documents use. */
export function loadDemo(): Demo {
  return read('demo.json')
}
