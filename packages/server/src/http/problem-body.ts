import { STATUS_CODES } from 'node:http'
import { errorCodes } from '@svc-admin/types'
import { Problem, problem } from '../domain/problem.ts'
import { OversizedError, UnavailableError } from '../persistence/database.ts'
import { formatJson } from './render.ts'

/** The value of `Retry-After` while the server is unavailable, in seconds. */
const retryAfter = '5'

/** A rendered error response. */
export interface RenderedProblem {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Converts any thrown value to a problem. The problem doesn't contain the details of unexpected errors. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof UnavailableError) {
    return problem('UNAVAILABLE', {
      detail: `The server is temporarily unavailable. Try again after ${retryAfter} seconds.`,
      headers: { 'retry-after': retryAfter },
    })
  }
  if (error instanceof OversizedError) {
    return problem('VALIDATION_ERROR', { detail: 'A name in the request is too long.' })
  }
  return problem('UNEXPECTED_ERROR', { detail: 'The server failed to process the request.' })
}

/** Renders a problem in the requested format. */
export function renderProblem(
  failure: Problem,
  format: { readonly envelope: boolean; readonly pretty: boolean },
): RenderedProblem {
  const { status } = errorCodes[failure.code]
  const content = {
    error: status,
    errorCode: failure.code,
    reason: STATUS_CODES[status] ?? 'Error',
    detail: failure.message,
    ...(failure.parameters.length > 0 ? { parameters: failure.parameters } : {}),
  }
  const body = JSON.stringify(format.envelope ? { status, content } : content)
  return { status, headers: failure.headers, body: formatJson(body, format.pretty) }
}
