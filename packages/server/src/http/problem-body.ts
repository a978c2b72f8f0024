import { STATUS_CODES } from 'node:http'
import { errorCodes } from '@svc-admin/types'
import { Problem, problem } from '../domain/problem.ts'
import { OversizedError, UnavailableError } from '../persistence/database.ts'
import { formatJson } from './render.ts'

/** Seconds after which somebody who was told that the server cannot answer may try again. */
const retryAfter = '5'

/** A failure as it goes out. */
export interface RenderedProblem {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The failure that any throw amounts to; what is not expected tells nothing about itself. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof UnavailableError) {
    return problem('UNAVAILABLE', {
      detail: `The server cannot answer for now. Try again after ${retryAfter} seconds.`,
      headers: { 'retry-after': retryAfter },
    })
  }
  if (error instanceof OversizedError) {
    return problem('VALIDATION_ERROR', { detail: 'A name in the request is too long to be found by.' })
  }
  return problem('UNEXPECTED_ERROR', { detail: 'The server failed to answer the request.' })
}

/** The body of a failure, in the shape that was asked for. */
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
