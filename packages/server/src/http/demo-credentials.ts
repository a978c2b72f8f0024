import type { FastifyInstance } from 'fastify'
import { problem } from '../domain/problem.ts'
import type { ServerOptions } from '../options.ts'
import { hostnameOf, isLoopback } from './host.ts'

/**
 * Serves the credentials of the demo organization's owner so that the forms in the documentation work immediately. The
 * credentials are public, and this route exists only if the sandbox contains the demo data. The `Host` check prevents
 * DNS rebinding, which would let web pages access a server on a developer's machine.
 */
export function addDemoCredentials(
  app: FastifyInstance,
  credentials: object,
  options: Pick<ServerOptions, 'host' | 'publicUrl'>,
): void {
  const isOwnName = ownNames(options)
  app.get('/sandbox/credentials.json', (request, reply) => {
    if (!isOwnName(hostnameOf(request.headers.host ?? ''))) {
      throw problem('RESOURCE_NOT_FOUND', { detail: 'The resource does not exist.' })
    }
    return reply
      .header('cache-control', 'no-store')
      .header('cross-origin-resource-policy', 'same-origin')
      .send({ baseUrl: `${request.protocol}://${request.host}`, ...credentials })
  })
}

/**
 * Returns a function that checks whether the server accepts requests for a hostname. If the server listens on more than
 * the loopback interface, it accepts every hostname because it doesn't know all of its own hostnames.
 */
function ownNames({ host, publicUrl }: Pick<ServerOptions, 'host' | 'publicUrl'>) {
  const own = host.includes(':') ? `[${host}]` : host.toLowerCase()
  const isLocal = isLoopback(own) || own.startsWith('127.')
  const known = publicUrl === '' ? own : new URL(publicUrl).hostname
  return (name: string): boolean => !isLocal || isLoopback(name) || name === own || name === known
}
