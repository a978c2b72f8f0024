import { limits, type TokenErrorCode, tokenErrors } from '@svc-admin/types'

/** What is known of a failure of the token endpoint; the rest is in its catalogue. */
export interface TokenProblemDetails {
  /** A sentence for a person; the catalogue's own when absent. */
  readonly description?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The other status that an error may have. */
  readonly status?: number | undefined
}

/** A failure of the token endpoint, which has a catalogue of its own (RFC 6749 §5.2). */
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
 * Builds a failure of the token endpoint.
 *
 * @example
 * ```ts
 * throw tokenProblem('rate_limited', { headers: { 'retry-after': '12' } })
 * ```
 */
export function tokenProblem(code: TokenErrorCode, details: TokenProblemDetails = {}): TokenProblem {
  return new TokenProblem(code, details)
}

/** What was sent may hold anything, and a description not: RFC 6749 §5.2 has ASCII without quote and backslash. */
const undescribable = /[^\x20\x21\x23-\x5b\x5d-\x7e]/gu

/** The same text with all other characters percent-encoded, and not longer than the schema of errors lets it be. */
function describable(text: string): string {
  const encoded = (character: string) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
  return text.replace(undescribable, encoded).slice(0, limits.text.maxLength)
}
