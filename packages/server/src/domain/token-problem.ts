import { type TokenErrorCode, tokenErrors } from '@svc-admin/types'

/** A failure of the token endpoint, which has a catalogue of its own (RFC 6749 §5.2). */
export class TokenProblem extends Error {
  readonly code: TokenErrorCode
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(code: TokenErrorCode, status: number, headers: Readonly<Record<string, string>>) {
    super(tokenErrors[code].description)
    this.code = code
    this.status = status
    this.headers = headers
  }
}

/**
 * Builds a failure of the token endpoint.
 *
 * @example
 * ```ts
 * throw tokenProblem('rate_limited', { 'retry-after': '12' })
 * ```
 */
export function tokenProblem(
  code: TokenErrorCode,
  headers: Readonly<Record<string, string>> = {},
  status: number = tokenErrors[code].status,
): TokenProblem {
  return new TokenProblem(code, status, headers)
}
