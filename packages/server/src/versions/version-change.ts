import type { OperationId } from '@svc-admin/types'

/** What a version changed: how the shapes of the version before it and its own turn into each other. */
export interface VersionChange {
  /** A body of the version before, as this version writes it. */
  readonly requests?: { readonly [K in OperationId]?: (body: unknown) => unknown }
  /** A resource of this version, as the version before writes it. */
  readonly responses?: { readonly [K in OperationId]?: (body: unknown) => unknown }
}

/** The object that a checked body is. */
export function asObject(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? Object.fromEntries(Object.entries(body)) : {}
}
