import type { SchemaLocation } from './schema-place.ts'
import type { Strength } from './strength.ts'

export const methods = ['get', 'put', 'post', 'delete', 'patch'] as const

export interface NewOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  /** The name of a tag, such as `Alerts`. */
  readonly area: string
  /** A sentence in the imperative, which becomes the title of the operation's page. */
  readonly summary: string
  /**
   * The name of the schema for the response body. The schema for the request body has the same name plus `Request`.
   * Existing schemas are reused. If this field is omitted, the operation has no request or response body.
   */
  readonly schema?: string
  readonly role: string
  readonly strength: Strength
  readonly source: string
  /** The first version that contains the operation. Defaults to the newest version. */
  readonly since?: string
}

export interface Layout extends NewOperation {
  readonly method: (typeof methods)[number]
  readonly folder: string
  readonly since: string
  readonly responseSchema?: SchemaLocation
  readonly requestSchema?: SchemaLocation
}
