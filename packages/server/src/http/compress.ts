import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Text, and what is written in text; pictures are compressed already. */
const compressible = /^text\/|[/+](?:json|javascript|xml|yaml)\b/

/** What is shorter fits a packet as it is. */
const leastBytes = 1024

/**
 * Sends what its routes answer from files as gzip to who takes it. Only what says nothing of the caller: compressed
 * beside what an attacker chooses, a secret could be told from the length. The validators of files are weak, so they
 * hold for both representations (RFC 9110 §8.8.1).
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

/** Whether an `Accept-Encoding` takes gzip (RFC 9110 §12.5.3). */
function takesGzip(accepted: string): boolean {
  const qualities = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((each): [string, number] => {
        const [coding = '', ...parameters] = each.split(';').map((part) => part.trim())
        const quality = parameters.find((part) => part.startsWith('q='))?.slice(2)
        return [coding, quality === undefined ? 1 : Number(quality)]
      }),
  )
  return (qualities.get('gzip') ?? qualities.get('x-gzip') ?? qualities.get('*') ?? 0) > 0
}
