import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { settings } from '../persistence/settings.ts'
import type { World } from '../world/world.ts'

/** The documentation needs nothing from any other host, and nothing inline. */
const contentSecurityPolicy =
  "default-src 'self'; frame-ancestors 'none'; base-uri 'self'; form-action 'self'"

/** Serves a folder of static documentation at `/`. */
export async function addDocumentation(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(async (site) => {
    // What cannot be served (a path that leads out of the folder) is not there.
    site.setErrorHandler((_error, _request, reply) => reply.callNotFound())
    await site.register(fastifyStatic, {
      root: folder,
      setHeaders: (response) => {
        response.setHeader('content-security-policy', contentSecurityPolicy)
        response.setHeader('x-content-type-options', 'nosniff')
        response.setHeader('referrer-policy', 'no-referrer')
      },
    })
  })
}

/** Adds what a supervisor asks: does it live (`/healthz`), can it work (`/readyz`). */
export function addHealth(app: FastifyInstance, world: World): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_, reply) => {
    try {
      await settings.get(world.database, 'clock')
      return { status: 'ok' }
    } catch {
      return reply.code(503).header('retry-after', '1').send({ status: 'unavailable' })
    }
  })
}
