import type { OperationId } from '@svc-admin/types'

/** The changes in a version, as functions that convert bodies between this version and the previous one. */
export interface VersionChange {
  /** Converts a request body from the previous version to this one. */
  readonly requests?: { readonly [K in OperationId]?: (body: unknown) => unknown }
  /** Converts a response body from this version to the previous one. */
  readonly responses?: { readonly [K in OperationId]?: (body: unknown) => unknown }
}

/** Returns a validated body as an object. */
export function asObject(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? Object.fromEntries(Object.entries(body)) : {}
}
