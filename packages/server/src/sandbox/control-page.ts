import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { World } from '../world/world.ts'
import { shownRequest } from './control-faults.ts'

/** The folder that contains the page. It is found by package name, both in the source and in the build. */
const folder = new URL(
  'page/',
  pathToFileURL(createRequire(import.meta.url).resolve('@svc-admin/server/package.json')),
)

/**
 * A content security policy that allows only the page's own files. `form-action` and `frame-ancestors` must be set
 * explicitly, because `default-src` doesn't apply to them.
 */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const files = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/page.css': ['page.css', 'text/css; charset=utf-8'],
  '/page.js': ['page.js', 'text/javascript; charset=utf-8'],
} as const

/**
 * The number of milliseconds between heartbeats in an event stream. Heartbeats prevent proxies from closing the
 * connection.
 */
const heartbeat = 15_000

/**
 * Adds the endpoints that don't return JSON (a page that shows the world, its event stream, and the metrics).
 *
 * @param worldOf Returns the world for a request, or throws an error if the request is invalid.
 */
export function addPage(
  app: FastifyInstance,
  worldOf: (route: string, request: FastifyRequest) => World,
): void {
  for (const [url, [name, type]] of Object.entries(files)) {
    app.get(url, async (_, reply) =>
      reply
        .header('content-type', type)
        .header('content-security-policy', policy)
        .header('x-content-type-options', 'nosniff')
        .header('referrer-policy', 'no-referrer')
        .header('cache-control', 'no-cache')
        .send(await readFile(new URL(name, folder))),
    )
  }
  app.get('/metrics', async (request, reply) =>
    reply
      .header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
      .send((await worldOf('GET /metrics', request).metrics?.text()) ?? ''),
  )
  const streams = new Set<PassThrough>()
  app.get('/stream', async (request, reply) => stream(worldOf('GET /stream', request), reply, streams))
  // Streams stay open until their world is removed.
  // End all streams here, because open streams would prevent the application from closing.
  app.addHook('preClose', async () => {
    for (const open of streams) open.end()
  })
}

function stream(world: World, reply: FastifyReply, streams: Set<PassThrough>): FastifyReply {
  const events = new PassThrough()
  streams.add(events)
  events.write(': here\n\n')
  const tell = (event: string, data: unknown) =>
    events.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  const unfollow = world.sandbox?.requests.follow({
    onEntry: (entry) => tell('request', shownRequest(entry)),
    onClear: () => tell('clear', {}),
    onEnd: () => events.end(),
  })
  const beat = setInterval(() => events.write(': still here\n\n'), heartbeat)
  events.once('close', () => {
    clearInterval(beat)
    unfollow?.()
    streams.delete(events)
  })
  return reply.header('content-type', 'text/event-stream').header('cache-control', 'no-store').send(events)
}
