import type { IncomingMessage } from 'node:http'
import { problem } from '../domain/problem.ts'
import type { Eventually } from '../persistence/dialects/dialect.ts'

/**
 * Thrown if the client closed the connection before sending the whole request. In this case, the server can't send a
 * response.
 */
export class ClientGone extends Error {}

/** Returns whether a request has a body (RFC 9112 §6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Returns whether a request uses another transfer coding before the final `chunked`. Node's parser can't decode other
 * transfer codings. If `chunked` isn't the final coding, the parser rejects the request because the length of its body
 * is unknown (RFC 9112 §6.3).
 */
export const hasUnsupportedTransferCoding = ({ headers }: IncomingMessage): boolean =>
  /,\s*chunked\s*$/i.test(headers['transfer-encoding'] ?? '')

/**
 * Reads a body of at most `limit` bytes. Node discards the rest of a larger body, because many clients couldn't read
 * the response if the server closed the connection immediately. Returns the body synchronously if it has already
 * arrived.
 *
 * @throws {Problem} `PAYLOAD_TOO_LARGE` once the body exceeds the limit.
 * @throws {ClientGone} if the client disconnects.
 */
export function readBody(raw: IncomingMessage, limit: number): Eventually<Buffer> {
  if (Number(raw.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  // Don't wait for the `close` event if Node has already emitted it.
  if (raw.destroyed) throw new ClientGone('The client closed the connection')
  return raw.complete ? readComplete(raw, limit) : readArriving(raw, limit)
}

function readComplete(raw: IncomingMessage, limit: number): Buffer {
  const body: Buffer = raw.read() ?? Buffer.alloc(0)
  if (body.length > limit) throw tooLarge(limit)
  return body
}

function readArriving(raw: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) return void chunks.push(chunk)
      raw.off('data', take)
      reject(tooLarge(limit))
    }
    const end = () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
    const gone = () => {
      if (!raw.readableEnded) reject(new ClientGone('The client closed the connection'))
    }
    raw.on('data', take).on('end', end).on('error', gone).on('close', gone)
  })
}

function tooLarge(limit: number) {
  return problem('PAYLOAD_TOO_LARGE', {
    detail: `The request body is larger than ${limit} bytes.`,
  })
}
