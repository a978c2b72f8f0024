import type { IncomingMessage } from 'node:http'
import { limits } from '@svc-admin/types'
import { Problem } from './problem.ts'

const largest = limits.body.bytes

/**
 * @throws Problem 413. The server reads and discards the rest of the body. Otherwise, the client might not receive the
 *   response.
 */
export const readText = async (request: IncomingMessage): Promise<Uint8Array> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= largest) chunks.push(chunk)
  }
  if (size > largest)
    throw new Problem('PAYLOAD_TOO_LARGE', `The request body must be at most ${largest} bytes.`)
  return Buffer.concat(chunks)
}

/** @throws Problem 400 if the body isn't valid UTF-8 encoded JSON. */
export const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const bytes = await readText(request)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Problem('INVALID_JSON', 'The request body must be valid JSON encoded in UTF-8.')
  }
}

/** Returns whether the request headers indicate that the request has a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
