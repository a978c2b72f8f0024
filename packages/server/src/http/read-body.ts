import type { IncomingMessage } from 'node:http'
import { problem } from '../domain/problem.ts'

/** The connection ended before the body did: there is nobody to answer. */
export class ClientGone extends Error {}

/** Whether a request announces a body (RFC 9112 §6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Whether a body comes in a transfer coding besides the `chunked` at its end, which Node's parser passes on as it is.
 * Without that end it has no length (RFC 9112 §6.3), and the parser refuses it.
 */
export const hasUnsupportedTransferCoding = ({ headers }: IncomingMessage): boolean =>
  /,\s*chunked\s*$/i.test(headers['transfer-encoding'] ?? '')

/**
 * Reads a body of at most `limit` bytes. Node throws away the rest of one that is too large: to close at once
 * would keep many clients from reading the refusal.
 *
 * @throws {Problem} `PAYLOAD_TOO_LARGE`, without having read what is too much.
 * @throws {ClientGone} if the client goes away.
 */
export function readBody(raw: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(raw.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge(limit))
  // Its end has been told already.
  if (raw.destroyed) return Promise.reject(new ClientGone('The client went away'))
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
      if (!raw.readableEnded) reject(new ClientGone('The client went away'))
    }
    raw.on('data', take).on('end', end).on('error', gone).on('close', gone)
  })
}

function tooLarge(limit: number) {
  return problem('PAYLOAD_TOO_LARGE', {
    detail: `The request body is larger than ${limit} bytes.`,
  })
}
