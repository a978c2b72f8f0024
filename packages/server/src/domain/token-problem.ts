import { limits, type TokenErrorCode, tokenErrors } from '@svc-admin/types'

/** Details of an error of the token endpoint. The catalog of token errors supplies the rest. */
export interface TokenProblemDetails {
  /** Message for people. Defaults to the message in the catalog. */
  readonly description?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Alternative status, for errors that allow one. */
  readonly status?: number | undefined
}

/** An error of the token endpoint, which has its own catalog (RFC 6749 §5.2). */
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
 * Creates an error of the token endpoint.
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
 * Descriptions may only contain ASCII without quotes and backslashes (RFC 6749 §5.2), but request values may
 * contain anything.
 */
const undescribable = /[^\x20\x21\x23-\x5b\x5d-\x7e]/gu

/** Percent-encodes all other characters and limits the length to the maximum in the error schema. */
function describable(text: string): string {
  const encoded = (character: string) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
  return text.replace(undescribable, encoded).slice(0, limits.text.maxLength)
}
