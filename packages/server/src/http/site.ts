import { readFile } from 'node:fs/promises'
import { validateHeaderValue } from 'node:http'
import { join, relative, resolve, sep } from 'node:path'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import { settings } from '../persistence/settings.ts'
import { createRequestMetrics, type RequestMetrics } from '../world/metrics.ts'
import type { World } from '../world/world.ts'
import { compressFiles, createTextSender } from './compress.ts'
import type { OutageLog } from './outage-log.ts'

/** The documentation needs nothing from any other host, and nothing inline. */
const strictPolicy = "default-src 'self'; frame-ancestors 'none'; base-uri 'self'; form-action 'self'"

/** Content security policies by the start of a path. */
type Policies = Readonly<Record<string, string>>

/**
 * What the folder's `headers.json` asks for: pages of other makers cannot do without inline styles.
 *
 * @throws {Error} for what no header can hold, which would be seen only when a page is asked for.
 */
async function policiesOf(folder: string): Promise<Policies> {
  const text = await readFile(join(folder, 'headers.json'), 'utf8').catch(() => '{}')
  const asked: { 'content-security-policy'?: Policies } = JSON.parse(text)
  const policies = { '/': strictPolicy, ...asked['content-security-policy'] }
  for (const policy of Object.values(policies)) validateHeaderValue('content-security-policy', policy)
  return policies
}

/** The policy of the longest start that a path has. */
function policyFor(policies: Policies, path: string): string {
  const starts = Object.keys(policies).filter((start) => path.startsWith(start))
  const longest = starts.sort((a, b) => b.length - a.length)[0] ?? '/'
  return policies[longest] ?? strictPolicy
}

/** What every page is sent with, so that a browser does with it what it is for. */
const headersUnder = (policy: string): Readonly<Record<string, string>> => ({
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  vary: 'Accept-Encoding',
})

/** Serves a folder of static documentation at `/`. */
export async function addDocumentation(app: FastifyInstance, given: string): Promise<void> {
  const folder = resolve(given)
  const policies = await policiesOf(folder)
  const html = await readFile(join(folder, '404.html'), 'utf8').catch(() => undefined)
  if (html !== undefined) app.missingPage = missingPageOf(html, policyFor(policies, '/404.html'))
  // On first use: most servers have no documentation.
  const { default: fastifyStatic } = await import('@fastify/static')
  await app.register(async (site) => {
    // What cannot be served (a path that leads out of the folder) is not there.
    site.setErrorHandler((_error, _request, reply) => reply.callNotFound())
    compressFiles(site)
    await site.register(fastifyStatic, {
      root: folder,
      setHeaders: (response, file) => {
        const path = `/${relative(folder, file).split(sep).join('/')}`
        const headers = headersUnder(policyFor(policies, path))
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      },
    })
  })
}

function missingPageOf(html: string, policy: string): FastifyInstance['missingPage'] {
  const [send, headers] = [createTextSender(html), headersUnder(policy)]
  return (request, reply) => send(request, reply.type('text/html; charset=utf-8').headers({ ...headers }))
}

/**
 * Adds what a supervisor asks: does it live (`/healthz`), can it work (`/readyz`). A server whose database can be read
 * but not written, because its disk is full, can work: taken away, nobody could even read.
 */
export function addHealth(app: FastifyInstance, world: World, outages: OutageLog): void {
  addReadOnly(app, '/healthz', async () => ({ status: 'ok' }))
  addReadOnly(app, '/readyz', async (_, reply) => {
    try {
      await settings.get(world.database, 'clock')
      return { status: 'ok' }
    } catch (error) {
      outages.report(error)
      return reply.code(503).header('retry-after', '1').send({ status: 'unavailable' })
    }
  })
}

/** Adds `/metrics`: those of the process and of the requests. */
export function addMetrics(app: FastifyInstance, { metrics }: World): void {
  addReadOnly(app, '/metrics', async (_, reply) =>
    reply.header('content-type', textFormat).send((await metrics?.text()) ?? ''),
  )
}

/** Answers GET and HEAD; the application refuses what else there may be (`readOnly`). */
function addReadOnly(app: FastifyInstance, url: string, handler: RouteHandlerMethod): void {
  app.route({ method: ['GET', 'HEAD'], url, handler })
  app.readOnly.add(url)
}

const textFormat = 'text/plain; version=0.0.4; charset=utf-8'

/** Metrics of requests beside those of the process. */
export async function processMetrics(): Promise<RequestMetrics> {
  // On first use: most servers are asked for none.
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return createRequestMetrics(() => registry.metrics())
}
