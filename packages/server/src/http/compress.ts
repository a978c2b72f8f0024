import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { parseCodings } from './media-type.ts'

/** Text, and what is written in text; pictures are compressed already. */
const compressible = /^text\/|[/+](?:json|javascript|xml|yaml)\b/

/** What is shorter fits a packet as it is. */
const leastBytes = 1024

/**
 * Sends what its routes answer from files as gzip to who takes it. Only what says nothing of the caller: compressed
 * beside what an attacker chooses, a secret could be told from the length. The validators of files are weak, so they
 * hold for both representations (RFC 9110 §8.8.1).
 *
 * Not by `@fastify/compress`, which codes parts of files too (206), whose range is of the file as it is, and sends gzip to
 * who refuses it (`gzip;q=0, *`).
 */
export function compressFiles(app: FastifyInstance): void {
  app.addHook('onSend', async ({ method, headers }, reply, payload) => {
    const asked = [headers['accept-encoding'] ?? ''].flat().join()
    if (!isWorthIt(reply) || !takesGzip(asked) || !(payload instanceof Readable)) return payload
    reply.removeHeader('content-length').header('content-encoding', 'gzip')
    // An answer to HEAD has the headers alone.
    if (method === 'HEAD') return payload
    const zipped = createGzip()
    payload.once('error', (error) => zipped.destroy(error))
    zipped.once('close', () => payload.destroy())
    return payload.pipe(zipped)
  })
}

/** A part of a file is a part of what is in the file. */
const isWorthIt = (reply: FastifyReply): boolean =>
  reply.statusCode === 200 &&
  compressible.test(String(reply.getHeader('content-type'))) &&
  Number(reply.getHeader('content-length')) >= leastBytes

/** Whether an `Accept-Encoding` takes gzip, by one of its names (RFC 9110 §8.4.1.3) or by any. */
function takesGzip(accepted: string): boolean {
  const qualities = parseCodings(accepted)
  return (qualities.get('gzip') ?? qualities.get('x-gzip') ?? qualities.get('*') ?? 0) > 0
}
