import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { validateHeaderValue } from 'node:http'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import { settings } from '../persistence/settings.ts'
import { createRequestMetrics, type RequestMetrics } from '../world/metrics.ts'
import type { World } from '../world/world.ts'
import { compressFiles, createTextSender } from './compress.ts'
import type { OutageLog } from './outage-log.ts'

/** The documentation loads nothing from other hosts and has no inline code. */
const strictPolicy = "default-src 'self'; frame-ancestors 'none'; base-uri 'self'; form-action 'self'"

/** Content security policies by path prefix. */
type Policies = Readonly<Record<string, string>>

/**
 * Reads additional policies from the folder's `headers.json`, because some third-party pages need inline styles.
 *
 * @throws {Error} for an invalid header value. Otherwise it would fail only when a page is requested.
 */
async function policiesOf(folder: string): Promise<Policies> {
  const text = await readFile(join(folder, 'headers.json'), 'utf8').catch(() => '{}')
  const configured: { 'content-security-policy'?: Policies } = JSON.parse(text)
  const policies = { '/': strictPolicy, ...configured['content-security-policy'] }
  for (const policy of Object.values(policies)) validateHeaderValue('content-security-policy', policy)
  return policies
}

/** Returns the policy of the longest matching path prefix. */
function policyFor(policies: Policies, path: string): string {
  const prefixes = Object.keys(policies).filter((prefix) => path.startsWith(prefix))
  const longest = prefixes.sort((a, b) => b.length - a.length)[0] ?? '/'
  return policies[longest] ?? strictPolicy
}

/** Security headers for every page. */
const headersUnder = (policy: string): Readonly<Record<string, string>> => ({
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  vary: 'Accept-Encoding',
})

/**
 * Serves a folder of static documentation at `/`, except files whose name starts with a dot, and symbolic links to
 * files outside the folder.
 */
export async function addDocumentation(app: FastifyInstance, docs: string): Promise<void> {
  const folder = resolve(docs)
  const root = realpathSync(folder)
  const policies = await policiesOf(folder)
  const html = await readFile(join(folder, '404.html'), 'utf8').catch(() => undefined)
  if (html !== undefined) app.missingPage = missingPageOf(html, policyFor(policies, '/404.html'))
  // Loaded on first use. Most servers have no documentation.
  const { default: fastifyStatic } = await import('@fastify/static')
  await app.register(async (site) => {
    // Files that can't be served, such as paths outside the folder, are 404.
    site.setErrorHandler((_error, _request, reply) => reply.callNotFound())
    compressFiles(site)
    await site.register(fastifyStatic, {
      root: folder,
      dotfiles: 'ignore',
      allowedPath: (path) => isInside(root, join(folder, path.endsWith('/') ? `${path}index.html` : path)),
      setHeaders: (response, file) => {
        const path = `/${relative(folder, file).split(sep).join('/')}`
        const headers = headersUnder(policyFor(policies, path))
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      },
    })
  })
}

/** @param root a path without symbolic links. */
function isInside(root: string, file: string): boolean {
  try {
    const path = relative(root, realpathSync(file))
    return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
  } catch {
    // The file doesn't exist.
    return false
  }
}

function missingPageOf(html: string, policy: string): FastifyInstance['missingPage'] {
  const [send, headers] = [createTextSender(html), headersUnder(policy)]
  return (request, reply) => send(request, reply.type('text/html; charset=utf-8').headers({ ...headers }))
}

/**
 * Adds `/healthz` (liveness) and `/readyz` (readiness). A server whose database is readable but not writable, for
 * example on a full disk, stays ready: otherwise reads would stop, too. A server that is stopping isn't ready.
 */
export function addHealth(app: FastifyInstance, world: World, outages: OutageLog): void {
  const isReady = atMostOnceASecond(() => canRead(world, outages))
  addReadOnly(app, '/healthz', async () => ({ status: 'ok' }))
  addReadOnly(app, '/readyz', async (_, reply) => {
    if (!app.stopping && (await isReady())) return { status: 'ok' }
    return reply.code(503).header('retry-after', '1').send({ status: 'unavailable' })
  })
}

/** Milliseconds until a database that doesn't respond counts as not ready. */
const readinessTimeout = 2000

async function canRead(world: World, outages: OutageLog): Promise<boolean> {
  const timeout = new AbortController()
  const read = async (): Promise<boolean> => {
    try {
      await settings.get(world.database, 'clock')
      world.database.requireFile()
      return true
    } catch (error) {
      outages.report(error)
      return false
    }
  }
  const late = setTimeout(readinessTimeout, false, { signal: timeout.signal, ref: false })
  const ready = await Promise.race([read(), late.catch(() => false)])
  timeout.abort()
  return ready
}

const second = 1000

/** Shares one result among all requests within a second, so that probes and scrapers can't overload the server. */
function atMostOnceASecond<T>(compute: () => Promise<T>): () => Promise<T> {
  let latest: { readonly at: number; readonly result: Promise<T> } | undefined
  return () => {
    const now = performance.now()
    if (!latest || now - latest.at >= second) latest = { at: now, result: compute() }
    return latest.result
  }
}

/** Adds `/metrics` with process and request metrics. */
export function addMetrics(app: FastifyInstance, { metrics }: World): void {
  const text = atMostOnceASecond(async () => (await metrics?.text()) ?? '')
  addReadOnly(app, '/metrics', async (_, reply) =>
    reply.header('content-type', textFormat).send(await text()),
  )
}

/** Adds a route for GET and HEAD. The application rejects other methods (`readOnly`). */
function addReadOnly(app: FastifyInstance, url: string, handler: RouteHandlerMethod): void {
  app.route({ method: ['GET', 'HEAD'], url, handler })
  app.readOnly.add(url)
}

const textFormat = 'text/plain; version=0.0.4; charset=utf-8'

/** Returns request metrics combined with process metrics. */
export async function processMetrics(): Promise<RequestMetrics> {
  // Loaded on first use. Most servers have no metrics.
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return createRequestMetrics(() => registry.metrics())
}
