import { type ErrorCode, errorCodes } from '@svc-admin/types'

/** The details of a particular error. The error catalog provides all other information about the error. */
export interface ProblemDetails {
  /** A human-readable message. Defaults to the message in the catalog. */
  readonly detail?: string
  /** JSON Pointers to the invalid parts of the body, or the names of invalid parameters. */
  readonly parameters?: readonly string[]
  /** Additional response headers, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** An error from the catalog. The HTTP layer converts the error to a response. */
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
 * Creates an error with the given code from the catalog.
 *
 * @example
 * ```ts
 * throw problem('RESOURCE_NOT_FOUND', { detail: 'No alert with this ID exists in the project.' })
 * ```
 */
export function problem(code: ErrorCode, details: ProblemDetails = {}): Problem {
  return new Problem(code, details)
}
