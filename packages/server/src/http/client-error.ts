import type { Socket } from 'node:net'
import { problem } from '../domain/problem.ts'
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
  const common = `Connection: close\r\nX-Request-Id: ${requestId}`
  // RFC 9110 §15.5.9: the client took too long; nothing in the catalogue is about that.
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return `HTTP/1.1 408 Request Timeout\r\n${common}\r\nContent-Length: 0\r\n\r\n`
  }
  const detail = reasons[code] ?? 'The request is not well-formed HTTP.'
  const { body } = renderProblem(problem('VALIDATION_ERROR', { detail }), plain)
  const head = `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\n${common}`
  return `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

const reasons: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers of the request are too large.',
  // The parser knows the methods that there are, and tells another one from bytes that are no HTTP as little.
  HPE_INVALID_METHOD: 'The method of the request is not known, or what came is not HTTP.',
}
