import type { FastifyInstance } from 'fastify'
import { problem } from '../domain/problem.ts'
import type { ServerOptions } from '../options.ts'
import { hostnameOf, isLoopback } from './host.ts'

/**
 * Hands out the credentials of the demo organisation's owner, so that the documentation's forms can be tried at once.
 * They are public anyway; only a sandbox that was seeded with them has this address. On a developer's machine no page
 * may ask for them whose name a foreign name server pointed there.
 */
export function addDemoCredentials(
  app: FastifyInstance,
  credentials: object,
  options: Pick<ServerOptions, 'host' | 'publicUrl'>,
): void {
  const isOurs = ownNames(options)
  app.get('/sandbox/credentials.json', (request, reply) => {
    if (!isOurs(hostnameOf(request.headers.host ?? ''))) {
      throw problem('RESOURCE_NOT_FOUND', { detail: 'There is nothing for you here.' })
    }
    return reply
      .header('cache-control', 'no-store')
      .header('cross-origin-resource-policy', 'same-origin')
      .send({ baseUrl: `${request.protocol}://${request.host}`, ...credentials })
  })
}

/** Whoever listens beyond loopback is known by names that it cannot know. */
function ownNames({ host, publicUrl }: Pick<ServerOptions, 'host' | 'publicUrl'>) {
  const own = host.includes(':') ? `[${host}]` : host.toLowerCase()
  const isLocal = isLoopback(own) || own.startsWith('127.')
  const known = publicUrl === '' ? own : new URL(publicUrl).hostname
  return (name: string): boolean => !isLocal || isLoopback(name) || name === own || name === known
}
