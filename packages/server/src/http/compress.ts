import { Readable } from 'node:stream'
import { createGzip, gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseCodings } from './media-type.ts'

/** Text, and what is written in text; pictures are compressed already. */
const compressible = /^text\/|[/+](?:json|javascript|xml|yaml)\b/

/** What is shorter fits a packet as it is. */
const minBytes = 1024

/**
 * Sends what its routes answer from files as gzip to who takes it. Only what says nothing of the caller: compressed
 * beside what an attacker chooses, a secret could be told from the length. The validators of files are weak, so they
 * hold for both representations (RFC 9110 §8.8.1).
 *
 * Not by `@fastify/compress`, which codes parts of files too (206), whose range is of the file as it is, and sends gzip to
 * who refuses it (`gzip;q=0, *`).
 */
export function compressFiles(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!shouldCompress(reply) || !acceptsGzip(request) || !(payload instanceof Readable)) return payload
    reply.removeHeader('content-length').header('content-encoding', 'gzip')
    // An answer to HEAD has the headers alone.
    if (request.method === 'HEAD') return payload
    const zipped = createGzip()
    payload.once('error', (error) => zipped.destroy(error))
    zipped.once('close', () => payload.destroy())
    return payload.pipe(zipped)
  })
}

/** Sends a text as an answer, as gzip to who takes it: compressed once, and not for each who asks. */
export function createTextSender(
  text: string,
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  const whole = Buffer.from(text)
  const zipped = whole.length >= minBytes ? gzipSync(whole) : undefined
  return (request, reply) =>
    zipped && acceptsGzip(request) ? reply.header('content-encoding', 'gzip').send(zipped) : reply.send(whole)
}

/** A part of a file is a part of what is in the file. */
const shouldCompress = (reply: FastifyReply): boolean =>
  reply.statusCode === 200 &&
  compressible.test(String(reply.getHeader('content-type'))) &&
  Number(reply.getHeader('content-length')) >= minBytes

/** Whether who asks takes gzip, by one of its names (RFC 9110 §8.4.1.3) or by any. */
function acceptsGzip({ headers }: FastifyRequest): boolean {
  const qualities = parseCodings([headers['accept-encoding'] ?? ''].flat().join())
  return (qualities.get('gzip') ?? qualities.get('x-gzip') ?? qualities.get('*') ?? 0) > 0
}
