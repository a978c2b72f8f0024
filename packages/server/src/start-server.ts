import { setTimeout as timer } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { createDeliverer } from './alerting/webhooks/deliverer.ts'
import { type Loop, startLoop } from './alerting/webhooks/delivery-loop.ts'
import { createDeliveryMonitor, type DeliveryMonitor } from './alerting/webhooks/delivery-monitor.ts'
import type { FindAddresses } from './alerting/webhooks/send.ts'
import type { RandomBytes, RealTime } from './domain/injected.ts'
import { withoutSecrets } from './domain/mask-address.ts'
import { createApp } from './http/app.ts'
import type { Wait } from './http/apply-fault.ts'
import { addDemoCredentials } from './http/demo-credentials.ts'
import { createLog, type Log } from './http/log.ts'
import {
  addManagementPages,
  createManagementApp,
  managementPages,
  processMetrics,
} from './http/management.ts'
import { createOutageLog, describeDatabaseFailure, type OutageLog } from './http/outage-log.ts'
import type { AppDependencies } from './http/responder.ts'
import type { SentResponse } from './http/sender.ts'
import { addDocumentation } from './http/site.ts'
import { readTls, reloadTls } from './http/tls.ts'
import { createTracing } from './http/tracing.ts'
import { loadOperations } from './operations/registry.ts'
import { resolveOptions, type ServerOptions } from './options.ts'
import { openDatabase } from './persistence/database.ts'
import { memory } from './persistence/database-address.ts'
import { deliveries } from './persistence/deliveries.ts'
import { migrate } from './persistence/migrate.ts'
import { demoSkipped, listen, type RunningServer } from './running-server.ts'
import { seedDemoOnce } from './sandbox/control.ts'
import { createControlServer } from './sandbox/control-server.ts'
import { type Demo, demoOf } from './sandbox/demo.ts'
import { createWorlds } from './sandbox/worlds.ts'
import { createWorld, type World } from './world/world.ts'

/**
 * Options for starting a server in a test or a program. By default, the server uses free ports, an in-memory database
 * and the demo organization.
 */
export interface StartOptions extends Partial<ServerOptions> {
  /** Returns the current time. Defaults to the system clock. */
  readonly realTime?: RealTime
  /** Returns random bytes. Defaults to the system's random source. */
  readonly random?: RandomBytes
  /** Waits for the delay of a latency fault. Defaults to a timer. */
  readonly wait?: Wait
  /** Writes log lines. Defaults to writing to standard output. */
  readonly writeLog?: (text: string) => void
  /** Resolves the hostnames of webhook receivers. Defaults to the system's resolver. */
  readonly findAddresses?: FindAddresses
  /** Called with each API response. Tests use this function to validate responses against the OpenAPI documents. */
  readonly inspect?: (response: SentResponse) => void
}

const testDefaults: Partial<ServerOptions> = {
  port: 0,
  controlPort: 0,
  database: memory,
  seedDemo: true,
  logLevel: 'silent',
}

/**
 * Starts a server. The promise resolves when the server is listening.
 *
 * @example
 * ```ts
 * const server = await startServer({ sandbox: true })
 * await fetch(`${server.url}/healthz`)
 * await server.stop()
 * ```
 *
 * @throws {Error} if an option is unknown or invalid, if a port or the database is in use, or if the
 * operation files don't match the specification.
 */
export async function startServer(given: StartOptions = {}): Promise<RunningServer> {
  const { realTime, random, wait = realWait, writeLog, inspect, findAddresses, ...values } = given
  const wanted = Object.entries(values).filter(([, value]) => value !== undefined)
  const options = resolveOptions({ values: { ...testDefaults, ...Object.fromEntries(wanted) } })
  const log = createLog(options.logLevel, writeLog ?? ((text) => process.stdout.write(text)))
  const outages = createOutageLog(log, { mask: (text) => withoutSecrets(text, options.database) })
  const tls = readTls(options)
  const operations = await loadOperations()
  const database = await openDatabase(options.database, { connections: options.databaseConnections })
  try {
    await migrate(database)
    const worldOptions = {
      nonceLifetime: options.nonceLifetime,
      tokenLifetime: options.tokenLifetime,
      sandbox: options.sandbox,
      ...(realTime ? { realTime } : {}),
      ...(random ? { random } : {}),
    }
    const metrics = options.metrics ? { metrics: await processMetrics() } : {}
    const world = await createWorld(database, { ...worldOptions, ...metrics })
    const hasDemo = options.seedDemo && (await seedDemoOnce(world))
    if (options.seedDemo && !hasDemo) log.warn('demo organization skipped', { reason: demoSkipped })
    const worlds = options.sandbox ? createWorlds(world, worldOptions) : undefined
    let addresses = { url: '', controlUrl: '' }
    const traceRequest = await createTracing()
    const worldOf: AppDependencies['worldOf'] = (id) => (id === undefined ? world : worlds?.get(id)?.world)
    const parts = { options, operations, log, outages, traceRequest, wait, worldOf, tls }
    const app = await appOf(inspect ? { ...parts, inspect } : parts, hasDemo)
    const monitor = createDeliveryMonitor(log)
    const management = addManagement(app, parts, world, monitor)
    const deliverer = createDeliverer({
      onError: failedIn(log, outages),
      monitor,
      realTime: realTime ?? Date.now,
      timeout: options.webhookTimeout,
      loopback: options.webhookLoopback,
      ...(findAddresses ? { find: findAddresses } : {}),
    })
    if (!database.dialect.shared) await deliveries.giveBack(database)
    const beginAll = () => {
      for (const one of worlds?.all() ?? [{ world }]) deliverer.start(one.world)
    }
    const loop = options.webhooks ? startLoop(deliveryInterval, beginAll) : noLoop
    const control = worlds
      ? createControlServer({
          worlds,
          log,
          outages,
          deliver: deliverer.deliver,
          patience: options,
          addresses: () => addresses,
          changed: loop.wake,
        })
      : undefined
    const running = await listen({
      app,
      control,
      management,
      options,
      world,
      worlds,
      log,
      outages,
      loop,
      deliverer,
      hasDemo,
    }).catch(async (error: unknown) => {
      loop.stop()
      await deliverer.stop()
      throw error
    })
    addresses = { url: running.url, controlUrl: running.controlUrl ?? '' }
    if (!options.sandbox) await warnAboutClock(world, realTime ?? Date.now, log)
    return running
  } catch (error) {
    // Ignore errors that occur when the database is closed, because they would hide the original error.
    await database.close().catch(() => {})
    throw describeDatabaseFailure(error, options.database)
  }
}

/** Creates the API's application, including the documentation if it is configured. */
async function appOf(parts: AppDependencies, hasDemo: boolean): Promise<FastifyInstance> {
  const { options } = parts
  const app = createApp(parts)
  if (parts.tls) reloadTls(app.server, options, parts.log)
  if (options.sandbox && hasDemo) addDemoCredentials(app, ownerOf(demoOf()), options)
  if (options.docs !== '') await addDocumentation(app, options.docs)
  return app
}

/**
 * Adds health checks and metrics to the API. If health checks and metrics have their own port, returns a separate
 * application instead.
 */
function addManagement(
  app: FastifyInstance,
  { options, outages }: AppDependencies,
  world: World,
  monitor: DeliveryMonitor,
): FastifyInstance | undefined {
  const { metrics, managementPort } = options
  const pages = managementPages({
    world,
    outages,
    metrics,
    stopping: () => app.stopping,
    webhookAttempts: monitor.counts,
  })
  if (managementPort !== 0) return createManagementApp(pages, options)
  addManagementPages(app, pages)
  for (const path of Object.keys(pages)) app.readOnly.add(path)
  return undefined
}

const realWait: Wait = (milliseconds, signal) => timer(milliseconds, undefined, { signal })

/**
 * Logs a warning if a sandbox has changed the clock in the database, which is rarely intended on a production server.
 */
async function warnAboutClock({ clock }: World, realTime: RealTime, log: Log): Promise<void> {
  const { now, rate } = await clock.read()
  const aheadSeconds = Math.round((now - realTime()) / 1000)
  if (rate === 1 && aheadSeconds === 0) return
  const message =
    rate === 0 ? "the world's clock is stopped" : "the world's clock differs from the system clock"
  log.warn(message, { now: new Date(now).toISOString(), aheadSeconds, rate })
}

/** The number of milliseconds between checks for due notifications. The checks run even if there are no requests. */
const deliveryInterval = 1000
const noLoop: Loop = { wake: () => {}, stop: () => {} }

/** Returns the demo credentials and IDs for the forms in the documentation. */
function ownerOf({ orgId, groupId, credentialsOf }: Demo): object {
  return { ...credentialsOf('ORGANIZATION_OWNER'), groupId, orgId }
}

function failedIn(log: Log, outages: OutageLog): (error: unknown) => void {
  return (error) => {
    if (!outages.report(error)) log.error('webhook delivery failed', { failure: String(error) })
  }
}
