import type { OperationId } from '@svc-admin/types'

/**
 * The changes to request and response bodies in a version. Each change is a function that converts a body between this
 * version and the previous one.
 */
export interface VersionChange {
  /** Converts a request body from the previous version to this one. */
  readonly requests?: { readonly [K in OperationId]?: (body: unknown) => unknown }
  /** Converts a response body from this version to the previous one. */
  readonly responses?: { readonly [K in OperationId]?: (body: unknown) => unknown }
}

/** Returns a body as an object. The caller must validate the body first. */
export function asObject(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? Object.fromEntries(Object.entries(body)) : {}
}
