import { limits, type TokenErrorCode, tokenErrors } from '@svc-admin/types'

/**
 * The details of a particular token endpoint error. The token error catalog provides all other information about the
 * error.
 */
export interface TokenProblemDetails {
  /** A human-readable message. Defaults to the message in the catalog. */
  readonly description?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The status code, for errors whose status code varies. */
  readonly status?: number | undefined
}

/** An error from the token endpoint. Token endpoint errors have a separate catalog (RFC 6749 §5.2). */
export class TokenProblem extends Error {
  readonly code: TokenErrorCode
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(code: TokenErrorCode, details: TokenProblemDetails) {
    super(describable(details.description ?? tokenErrors[code].description))
    this.code = code
    this.status = details.status ?? tokenErrors[code].status
    this.headers = details.headers ?? {}
  }
}

/**
 * Creates a token endpoint error with the given code.
 *
 * @example
 * ```ts
 * throw tokenProblem('rate_limited', { headers: { 'retry-after': '12' } })
 * ```
 */
export function tokenProblem(code: TokenErrorCode, details: TokenProblemDetails = {}): TokenProblem {
  return new TokenProblem(code, details)
}

/**
 * Characters that aren't allowed in descriptions. Descriptions can quote arbitrary request values, but must contain
 * only ASCII characters other than quotes and backslashes (RFC 6749 §5.2).
 */
const undescribable = /[^\x20\x21\x23-\x5b\x5d-\x7e]/gu

/** Percent-encodes characters that aren't allowed and truncates the text to the maximum length in the error schema. */
function describable(text: string): string {
  const encoded = (character: string) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
  return text.replace(undescribable, encoded).slice(0, limits.text.maxLength)
}
