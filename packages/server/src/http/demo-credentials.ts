import type { FastifyInstance } from 'fastify'
import { problem } from '../domain/problem.ts'
import type { ServerOptions } from '../options.ts'
import { hostnameOf, isLoopback } from './host.ts'

/**
 * Serves the credentials of the demo organization's owner, so that the forms in the documentation work immediately.
 * These credentials are public, and this route exists only if the sandbox contains the demo. The `Host` check stops web
 * pages from reaching the server on a developer's machine through DNS rebinding.
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
 * Returns the host names under which the server accepts requests. If the server listens on more than the loopback
 * interface, it can't know all of its names, so it accepts every name.
 */
function ownNames({ host, publicUrl }: Pick<ServerOptions, 'host' | 'publicUrl'>) {
  const own = host.includes(':') ? `[${host}]` : host.toLowerCase()
  const isLocal = isLoopback(own) || own.startsWith('127.')
  const known = publicUrl === '' ? own : new URL(publicUrl).hostname
  return (name: string): boolean => !isLocal || isLoopback(name) || name === own || name === known
}
