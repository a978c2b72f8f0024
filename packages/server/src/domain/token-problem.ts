import { limits, type TokenErrorCode, tokenErrors } from '@svc-admin/types'

/** The details of one particular token endpoint error. The catalog of token errors provides everything else. */
export interface TokenProblemDetails {
  /** A human-readable message. Defaults to the catalog's message. */
  readonly description?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The status code, for errors that don't always have the same one. */
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
 * Creates the token endpoint error with the given code.
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
 * The characters that aren't allowed in descriptions. Descriptions are limited to ASCII without quotes and backslashes
 * (RFC 6749 §5.2), although they can quote arbitrary request values.
 */
const undescribable = /[^\x20\x21\x23-\x5b\x5d-\x7e]/gu

/** Percent-encodes characters that aren't allowed, and truncates the text to the error schema's maximum length. */
function describable(text: string): string {
  const encoded = (character: string) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
  return text.replace(undescribable, encoded).slice(0, limits.text.maxLength)
}
