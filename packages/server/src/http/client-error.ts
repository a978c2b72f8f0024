import type { Socket } from 'node:net'
import { problem } from '../domain/problem.ts'
import type { Log } from './log.ts'
import { renderProblem } from './problem-body.ts'
import { defaultFormat } from './query-string.ts'

/** What was refused before it was a request. */
export interface ClientError {
  readonly requestId: string
  readonly status: number
  /** What Node's parser calls it, or we do where it lets that through. */
  readonly code: string
  readonly address: string
}

/**
 * Answers what Node's parser refused: the bytes were not HTTP, or too slow or too long to be a request. There is
 * no request to answer, so the response is written by hand. Undefined if there is nobody to answer.
 */
export function respondToClientError(
  error: Error & { code?: string },
  socket: Socket,
  requestId: string,
): ClientError | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return undefined
  }
  const { code = '' } = error
  const status = code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  // Once the connection is closed, nobody knows of whom it was.
  const address = socket.remoteAddress ?? ''
  socket.end(responseTo(status, code, requestId))
  return { requestId, status, code, address }
}

/** Tells the log of a refusal. What was sent is not told: it may hold a secret. */
export function logClientError(log: Log, refusal: ClientError): void {
  log.info('no request', { ...refusal })
}

function responseTo(status: number, code: string, requestId: string): string {
  const common = `Connection: close\r\nX-Request-Id: ${requestId}`
  // RFC 9110 §15.5.9: the client took too long; nothing in the catalogue is about that.
  if (status === 408) {
    return `HTTP/1.1 408 Request Timeout\r\n${common}\r\nContent-Length: 0\r\n\r\n`
  }
  const detail = reasons[code] ?? 'The request is not well-formed HTTP.'
  const { body } = renderProblem(problem('VALIDATION_ERROR', { detail }), defaultFormat)
  const head = `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\n${common}`
  return `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

const reasons: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers of the request are too large.',
  // The parser knows the methods that there are, and tells another one from bytes that are no HTTP as little.
  HPE_INVALID_METHOD: 'The method of the request is not known, or what came is not HTTP.',
}
