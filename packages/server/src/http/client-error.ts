import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type Problem, problem } from '../domain/problem.ts'
import { renderProblem } from './problem-body.ts'
import { plain } from './query-string.ts'

/**
 * Answers what Node's parser refused: the bytes were not HTTP, or too slow or too long to be a request. There is
 * no request to answer, so the response is written by hand.
 */
export function answerClientError(error: Error & { code?: string }, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  socket.end(responseTo(error.code ?? '', requestId))
}

function responseTo(code: string, requestId: string): string {
  const { status, body } = renderProblem(refusalOf(code), plain)
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    'Connection: close',
    `X-Request-Id: ${requestId}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}

function refusalOf(code: string): Problem {
  // RFC 9110 §15.5.9: the client took too long.
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problem('REQUEST_TIMEOUT')
  return problem('VALIDATION_ERROR', { detail: reasons[code] ?? 'The request is not well-formed HTTP.' })
}

const reasons: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers of the request are too large.',
  // The parser knows the methods that there are, and tells another one from bytes that are no HTTP as little.
  HPE_INVALID_METHOD: 'The method of the request is not known, or what came is not HTTP.',
}
