import type { OperationId } from '@svc-admin/types'

/** The changes of a version: how to translate bodies between it and the previous version. */
export interface VersionChange {
  /** Translates a request body of the previous version to this version. */
  readonly requests?: { readonly [K in OperationId]?: (body: unknown) => unknown }
  /** Translates a response body of this version to the previous version. */
  readonly responses?: { readonly [K in OperationId]?: (body: unknown) => unknown }
}

/** Returns a validated body as an object. */
export function asObject(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? Object.fromEntries(Object.entries(body)) : {}
}
