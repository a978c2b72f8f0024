import { errorCodes, tokenErrors } from '@svc-admin/types'
import type { Problem } from '../domain/problem.ts'
import { TokenProblem, tokenProblem } from '../domain/token-problem.ts'
import type { RenderedProblem } from './problem-body.ts'
import { formatJson } from './render.ts'

/** Converts any thrown value to a token endpoint error. */
export function toTokenProblem(error: unknown, otherwise: Problem): TokenProblem {
  if (error instanceof TokenProblem) return error
  const { status } = errorCodes[otherwise.code]
  const { headers, message } = otherwise
  if (otherwise.code === 'RATE_LIMITED') return tokenProblem('rate_limited', { headers })
  if (status < 500) return tokenProblem('invalid_request', { description: message })
  const { alsoStatus } = tokenErrors.server_error
  return tokenProblem('server_error', { headers, status: status === alsoStatus ? status : undefined })
}

/** Renders a token endpoint error (RFC 6749 §5.2), with an envelope if the client requested it. */
export function renderTokenProblem(
  failure: TokenProblem,
  format: { readonly envelope: boolean; readonly pretty: boolean },
): RenderedProblem {
  const { status } = failure
  const content = { error: failure.code, error_description: failure.message }
  const body = JSON.stringify(format.envelope ? { status, content } : content)
  return { status, headers: failure.headers, body: formatJson(body, format.pretty) }
}
