import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { problem } from '../domain/problem.ts'
import type { Log } from './log.ts'
import { renderProblem } from './problem-body.ts'
import { defaultFormat } from './query-string.ts'

/** A failure that Node's parser reports before it creates a request. */
export interface ClientError {
  readonly requestId: string
  readonly status: number
  /** The error code from Node's parser. */
  readonly code: string
  readonly address: string
}

/**
 * Responds to input that isn't HTTP, is too long, or arrives too slowly. Node creates no request object for such input,
 * so the response is written directly to the socket. Returns undefined if the connection is already closed.
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
  // Read the address now, because it isn't available after the connection closes.
  const address = socket.remoteAddress ?? ''
  socket.end(responseTo(status, code, requestId))
  return { requestId, status, code, address }
}

/** Logs a client error without the received bytes, because they may contain a secret. */
export function logClientError(log: Log, clientError: ClientError): void {
  log.info('no request', { ...clientError })
}

/**
 * The status codes for Node's errors that aren't in the error catalog. Responses with these status codes have no body.
 */
const statuses: ReadonlyMap<string, number> = new Map([
  // Status 408 means that the request arrived too slowly (RFC 9110 §15.5.9).
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  // Status 431 means that the headers are too large (RFC 6585 §5).
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
  // Node's parser doesn't distinguish unknown methods from data that isn't HTTP.
  HPE_INVALID_METHOD: 'The request method is unknown, or the request is not HTTP.',
}
