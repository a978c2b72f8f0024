import { Readable } from 'node:stream'
import { createGzip, gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseCodings } from './media-type.ts'

/** Matches media types of text formats. Most images don't match, because their formats are already compressed. */
const compressible = /^text\/|[/+](?:json|javascript|xml|yaml)\b/

/** The minimum size of a body to compress. Smaller bodies usually fit into one packet even without compression. */
const minBytes = 1024

/**
 * Compresses files with gzip if the client accepts it. Only static files are safe to compress. The compressed length of
 * a response that contains both a secret and an attacker's input can reveal the secret (BREACH). The files have weak
 * validators, which are valid for both the compressed and the uncompressed file (RFC 9110 §8.8.1).
 *
 * The server doesn't use `@fastify/compress`, because that plugin ignores `gzip;q=0, *`. The plugin also compresses
 * partial responses (206), although their range applies to the uncompressed file.
 */
export function compressFiles(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!shouldCompress(reply) || !acceptsGzip(request) || !(payload instanceof Readable)) return payload
    reply.removeHeader('content-length').header('content-encoding', 'gzip')
    // Responses to HEAD requests have no body.
    if (request.method === 'HEAD') return payload
    const zipped = createGzip()
    payload.once('error', (error) => zipped.destroy(error))
    zipped.once('close', () => payload.destroy())
    return payload.pipe(zipped)
  })
}

/**
 * Returns a function that sends a text, compressed if the client accepts gzip. The text is compressed only once, when
 * the function is created.
 */
export function createTextSender(
  text: string,
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  const whole = Buffer.from(text)
  const zipped = whole.length >= minBytes ? gzipSync(whole) : undefined
  return (request, reply) =>
    zipped && acceptsGzip(request) ? reply.header('content-encoding', 'gzip').send(zipped) : reply.send(whole)
}

/** Partial responses (206) aren't compressed, because their range applies to the uncompressed file. */
const shouldCompress = (reply: FastifyReply): boolean =>
  reply.statusCode === 200 &&
  compressible.test(String(reply.getHeader('content-type'))) &&
  Number(reply.getHeader('content-length')) >= minBytes

/** Returns whether the client accepts gzip, by one of its names (RFC 9110 §8.4.1.3) or with `*`. */
function acceptsGzip({ headers }: FastifyRequest): boolean {
  const qualities = parseCodings([headers['accept-encoding'] ?? ''].flat().join())
  return (qualities.get('gzip') ?? qualities.get('x-gzip') ?? qualities.get('*') ?? 0) > 0
}
