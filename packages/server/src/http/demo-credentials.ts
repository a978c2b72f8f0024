import type { FastifyInstance } from 'fastify'

/**
 * Hands out the credentials of the demo organisation's owner, so that the documentation's forms can be tried at once.
 * They are public anyway; only a sandbox that was seeded with them has this address.
 */
export function addDemoCredentials(app: FastifyInstance, credentials: object): void {
  app.get('/sandbox/credentials.json', (request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .header('cross-origin-resource-policy', 'same-origin')
      .send({ baseUrl: `${request.protocol}://${request.host}`, ...credentials }),
  )
}
