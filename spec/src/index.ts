import { readFileSync } from 'node:fs'
import type {
  Demo,
  Facts,
  LedgerEntry,
  OpenApiDocument,
  Requirement,
  VersionChanges,
  WorkflowDocument,
} from './model.ts'

export { boundsSentence, counted, numberBounds, rangeText } from './bounds.ts'
export { deprecationHeaders, deprecationNotice, ownDescription, type SuccessorPlace } from './deprecation.ts'
export type * from './model.ts'
export { methods, namedFields, schemaMaps } from './model.ts'
export { outsideOfScope } from './scope.ts'
export { findUnlistedKinds, type UnlistedKinds } from './unlisted-kinds.ts'

const dist = new URL('../dist/', import.meta.url)

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(name, dist), 'utf8'))
}

/**
 * Returns the bundled OpenAPI 3.1 document of a version; every `$ref` in it is local.
 *
 * @example
 * const document = loadDocument('2025-03-12')
 * console.log(Object.keys(document.paths).length)
 * @throws Error when there is no such version.
 */
export function loadDocument(version: string): OpenApiDocument {
  return read(`${version}.json`)
}

/** Returns the OpenAPI 3.1 document of the sandbox's control interface; every `$ref` in it is local. */
export function loadControlDocument(): OpenApiDocument {
  return read('control.json')
}

/** Returns the error codes, limits, roles, states, versions and event types. */
export function loadFacts(): Facts {
  return read('facts.json')
}

/**
 * Returns the index of all that the source and the decisions say, in our own words. The requirements account for each
 * entry; `npm run ledger` checks that they do.
 */
export function loadLedger(): LedgerEntry[] {
  return read('ledger.json')
}

/** Returns what an implementation must do, a row for each promise. */
export function loadRequirements(): Requirement[] {
  return read('requirements.json')
}

/** Returns what changes between any version and any later one, classified by what it means to a program. */
export function loadChangelog(): VersionChanges[] {
  return read('changelog.json')
}

/** Returns the Arazzo documents, sequences of calls that take a lifecycle to its end, by their names. */
export function loadWorkflows(): Record<string, WorkflowDocument> {
  return read('workflows.json')
}

/** Returns the demo organisation, which the examples of the documents tell of too. */
export function loadDemo(): Demo {
  return read('demo.json')
}
