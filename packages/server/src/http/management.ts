import { setTimeout } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { UnavailableError } from '../persistence/database.ts'
import { deliveries } from '../persistence/deliveries.ts'
import { settings } from '../persistence/settings.ts'
import { createRequestMetrics, type RequestMetrics } from '../world/metrics.ts'
import type { World } from '../world/world.ts'
import { createNodeServer } from './node-server.ts'
import type { OutageLog } from './outage-log.ts'
import type { ClientTimeouts } from './slow-clients.ts'
import { withoutSchemas } from './without-schemas.ts'

/** A response from an operational endpoint, such as `/healthz`. */
interface ManagementResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** The operational endpoints, keyed by path. All operational endpoints support GET and HEAD. */
export type ManagementPages = Readonly<Record<string, () => Promise<ManagementResponse>>>

export interface ManagementParts {
  readonly world: World
  readonly outages: OutageLog
  readonly metrics: boolean
  readonly stopping: () => boolean
  /** Returns the number of webhook attempts by outcome. */
  readonly webhookAttempts: () => Readonly<Record<string, number>>
}

/**
 * Creates `/healthz` (liveness), `/readyz` (readiness) and `/metrics`. If the server can read from its database but not
 * write to it, for example because the disk is full, the server stays ready to serve reads. A server that is stopping
 * isn't ready.
 */
export function managementPages(parts: ManagementParts): ManagementPages {
  const { world, outages, metrics, stopping } = parts
  const isReady = atMostOnceASecond(() => canRead(world, outages))
  const text = atMostOnceASecond(async () =>
    Buffer.from(((await world.metrics?.text()) ?? '') + (await webhookMetrics(parts))),
  )
  return {
    '/healthz': async () => json(200, { status: 'ok' }),
    '/readyz': async () =>
      !stopping() && (await isReady())
        ? json(200, { status: 'ok' })
        : json(503, { status: 'unavailable' }, { 'retry-after': '1' }),
    ...(metrics
      ? { '/metrics': async () => ({ status: 200, headers: textFormat, body: await text() }) }
      : {}),
  }
}

/** Returns the metrics for webhooks. If the database fails, the metrics don't include the size of the queue. */
async function webhookMetrics({ world, webhookAttempts }: ManagementParts): Promise<string> {
  const attempts = Object.entries(webhookAttempts()).map(
    ([outcome, count]) => `svc_admin_webhook_attempts_total{outcome="${outcome}"} ${count}`,
  )
  const lines = [
    ...metricHead('svc_admin_webhook_attempts_total', 'counter', 'Webhook delivery attempts'),
    ...attempts,
  ]
  try {
    const { length, oldest } = await deliveries.queue(world.database)
    const age = oldest === undefined ? 0 : Math.max(0, ((await world.clock.now()) - oldest) / 1000)
    lines.push(
      ...metricHead(
        'svc_admin_webhook_queue_length',
        'gauge',
        'Number of webhooks that are waiting to be delivered',
      ),
      `svc_admin_webhook_queue_length ${length}`,
      ...metricHead('svc_admin_webhook_queue_oldest_seconds', 'gauge', 'Age of the oldest waiting webhook'),
      `svc_admin_webhook_queue_oldest_seconds ${age}`,
    )
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
  }
  return `${lines.join('\n')}\n`
}

const metricHead = (name: string, type: string, help: string): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
]

const textFormat = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }

const json = (status: number, body: object, headers: object = {}): ManagementResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
})

/** Adds the operational endpoints to an application. The application must reject methods other than GET and HEAD. */
export function addManagementPages(app: FastifyInstance, pages: ManagementPages): void {
  for (const [url, page] of Object.entries(pages)) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (_, reply) => {
        const { status, headers, body } = await page()
        return reply.code(status).headers(headers).send(body)
      },
    })
  }
}

/**
 * Creates an application for a separate port that only serves the operational endpoints. Requests to these endpoints
 * aren't logged.
 */
export function createManagementApp(pages: ManagementPages, timeouts: ClientTimeouts): FastifyInstance {
  const app = Fastify({
    logger: false,
    schemaController: withoutSchemas,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    serverFactory: (listener) => createNodeServer(timeouts, listener),
  })
  addManagementPages(app, pages)
  return app
}

/** The maximum time for the database to respond to a readiness check, in milliseconds. */
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

/** Computes a result at most once per second, because frequent probes and scrapes could overload the server. */
function atMostOnceASecond<T>(compute: () => Promise<T>): () => Promise<T> {
  let latest: { readonly at: number; readonly result: Promise<T> } | undefined
  return () => {
    const now = performance.now()
    if (!latest || now - latest.at >= second) latest = { at: now, result: compute() }
    return latest.result
  }
}

export async function processMetrics(): Promise<RequestMetrics> {
  // Load this module on first use, because most servers don't enable metrics.
  const { collectDefaultMetrics, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return createRequestMetrics(() => registry.metrics())
}
