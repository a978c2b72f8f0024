import type { SchemaLocation } from './schema-place.ts'
import type { Strength } from './strength.ts'

export const methods = ['get', 'put', 'post', 'delete', 'patch'] as const

export interface NewOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  /** The name of a tag, such as `Alerts`. */
  readonly area: string
  /** The imperative sentence that is the title of the operation's page. */
  readonly summary: string
  /**
   * The schema of the response body, and with the suffix `Request` of the request body. Existing schemas are
   * reused. If omitted, there are no bodies.
   */
  readonly schema?: string
  readonly role: string
  readonly strength: Strength
  readonly source: string
  /** The first version that has it. Default: the newest. */
  readonly since?: string
}

export interface Layout extends NewOperation {
  readonly method: (typeof methods)[number]
  readonly folder: string
  readonly since: string
  readonly responseSchema?: SchemaLocation
  readonly requestSchema?: SchemaLocation
}
