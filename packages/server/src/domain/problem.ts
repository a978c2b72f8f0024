import { type ErrorCode, errorCodes } from '@svc-admin/types'

/** What an operation knows about its failure; the rest is in the catalogue. */
export interface ProblemDetails {
  /** A sentence for a person; the catalogue's own when absent. */
  readonly detail?: string
  /** JSON Pointers into the body, or names of parameters. */
  readonly parameters?: readonly string[]
  /** Headers that the answer carries, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A failure that the catalogue knows. Thrown anywhere, turned into HTTP in one place. */
export class Problem extends Error {
  readonly code: ErrorCode
  readonly parameters: readonly string[]
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, details: ProblemDetails) {
    super(details.detail ?? errorCodes[code].detail)
    this.code = code
    this.parameters = details.parameters ?? []
    this.headers = details.headers ?? {}
  }
}

/**
 * Builds a failure of the catalogue.
 *
 * @example
 * ```ts
 * throw problem('RESOURCE_NOT_FOUND', { detail: 'No alert with this id exists in the project.' })
 * ```
 */
export function problem(code: ErrorCode, details: ProblemDetails = {}): Problem {
  return new Problem(code, details)
}
