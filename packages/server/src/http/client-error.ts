import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { problem } from '../domain/problem.ts'
import type { Log } from './log.ts'
import { renderProblem } from './problem-body.ts'
import { defaultFormat } from './query-string.ts'

/** A failure that Node's parser reports before there is a request. */
export interface ClientError {
  readonly requestId: string
  readonly status: number
  /** The error code of Node's parser. */
  readonly code: string
  readonly address: string
}

/**
 * Responds to input that isn't HTTP, is too long, or arrives too slowly. There is no request object, so the response is
 * written directly to the socket. Returns undefined if the connection is already closed.
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
  const status = statuses.get(code) ?? 400
  // After the connection is closed, the address is no longer available.
  const address = socket.remoteAddress ?? ''
  socket.end(responseTo(status, code, requestId))
  return { requestId, status, code, address }
}

/** Logs a client error without the received bytes, which may contain a secret. */
export function logClientError(log: Log, clientError: ClientError): void {
  log.info('no request', { ...clientError })
}

/** Statuses for Node's error codes that have no counterpart in the error catalog. These responses have no body. */
const statuses: ReadonlyMap<string, number> = new Map([
  // RFC 9110 §15.5.9.
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  // RFC 6585 §5.
  ['HPE_HEADER_OVERFLOW', 431],
])

function responseTo(status: number, code: string, requestId: string): string {
  const start = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nX-Request-Id: ${requestId}\r\n`
  if (statuses.has(code)) return `${start}Content-Length: 0\r\n\r\n`
  const detail = reasons[code] ?? 'The request is not well-formed HTTP.'
  const { body } = renderProblem(problem('VALIDATION_ERROR', { detail }), defaultFormat)
  const length = Buffer.byteLength(body)
  return `${start}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`
}

const reasons: Readonly<Record<string, string>> = {
  // To the parser, an unknown method looks the same as data that isn't HTTP.
  HPE_INVALID_METHOD: 'The request method is unknown, or the request is not HTTP.',
}
