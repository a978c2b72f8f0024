import { setTimeout as timer } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { createDeliverer, type Deliverer } from './alerting/webhooks/deliverer.ts'
import { type Loop, startLoop } from './alerting/webhooks/delivery-loop.ts'
import type { FindAddresses } from './alerting/webhooks/send.ts'
import type { RandomBytes, RealTime } from './domain/injected.ts'
import { withoutSecrets } from './domain/mask-address.ts'
import { createApp } from './http/app.ts'
import type { Wait } from './http/apply-fault.ts'
import { addDemoCredentials } from './http/demo-credentials.ts'
import { drainConnections } from './http/drain.ts'
import { createLog, type Log } from './http/log.ts'
import { createOutageLog, describeDatabaseFailure, type OutageLog, rootCauseOf } from './http/outage-log.ts'
import type { AppDependencies } from './http/responder.ts'
import type { SentResponse } from './http/sender.ts'
import { addDocumentation, addHealth, addMetrics, processMetrics } from './http/site.ts'
import { createTracing } from './http/tracing.ts'
import { worldPrefix } from './http/world-path.ts'
import { loadOperations } from './operations/registry.ts'
import { resolveOptions, type ServerOptions } from './options.ts'
import { openDatabase } from './persistence/database.ts'
import { memory } from './persistence/database-address.ts'
import { deliveries } from './persistence/deliveries.ts'
import { migrate } from './persistence/migrate.ts'
import { seedDemoOnce } from './sandbox/control.ts'
import { createControlServer } from './sandbox/control-server.ts'
import { type Demo, demoOf } from './sandbox/demo.ts'
import type { NewWorld } from './sandbox/new-world.ts'
import { createWorlds, type Worlds } from './sandbox/worlds.ts'
import { createWorld, type World } from './world/world.ts'

/**
 * Options for a server in a test or a program. The defaults are free ports, an in-memory database, and the demo
 * organization.
 */
export interface StartOptions extends Partial<ServerOptions> {
  /** Wall clock. The default is the system clock. */
  readonly realTime?: RealTime
  /** Source of random bytes. The default is the system's. */
  readonly random?: RandomBytes
  /** Waits for a latency fault. The default is a timer. */
  readonly wait?: Wait
  /** Writes log lines. The default is standard output. */
  readonly writeLog?: (text: string) => void
  /** Resolves hostnames of webhook receivers. The default is the system resolver. */
  readonly findAddresses?: FindAddresses
  /** Called with each response of the API, for tests that validate responses against the documents. */
  readonly inspect?: (response: SentResponse) => void
}

/** A running server. */
export interface RunningServer {
  /** Base URL of the API, without a trailing slash. */
  readonly url: string
  /** Base URL of the control interface, or undefined without a sandbox. */
  readonly controlUrl: string | undefined
  readonly options: ServerOptions
  readonly world: World
  /**
   * Returns the credentials and ids of the demo organization.
   *
   * @throws {Error} if the server was started with `seedDemo: false`, or its database wasn't empty.
   */
  demo(): Demo
  /**
   * Creates another world with its own state, clock and random source. Requires a sandbox.
   *
   * @throws {Error} without a sandbox, or if `POST /worlds` of the control interface would reject the input.
   */
  createWorld(wanted?: NewWorld): Promise<RunningWorld>
  /**
   * Call before `stop` if clients are still sending requests. Continues to serve, but is no longer ready, and closes
   * each connection with the response to its next request. Resolves when there are no connections, or when the time
   * is over. Without it, `stop` closes idle connections immediately.
   */
  drain(milliseconds: number): Promise<void>
  /**
   * Finishes in-flight requests and webhooks, then stops.
   *
   * @throws {Error} if the database doesn't close in time. Its connections end with the process.
   */
  stop(): Promise<void>
}

/** A world of a sandbox and its addresses. */
export interface RunningWorld {
  readonly id: string
  /** Use instead of the server's `url` and `controlUrl`. */
  readonly url: string
  readonly controlUrl: string
  readonly world: World
  remove(): Promise<void>
}

const testDefaults: Partial<ServerOptions> = {
  port: 0,
  controlPort: 0,
  database: memory,
  seedDemo: true,
  logLevel: 'silent',
}

/**
 * Starts a server and resolves when it listens.
 *
 * @example
 * ```ts
 * const server = await startServer({ sandbox: true })
 * await fetch(`${server.url}/healthz`)
 * await server.stop()
 * ```
 *
 * @throws {Error} for an unknown option or an invalid value, if a port or the database is in use, or if the operation
 * files don't match the specification.
 */
export async function startServer(given: StartOptions = {}): Promise<RunningServer> {
  const { realTime, random, wait = realWait, writeLog, inspect, findAddresses, ...values } = given
  const wanted = Object.entries(values).filter(([, value]) => value !== undefined)
  const options = resolveOptions({ values: { ...testDefaults, ...Object.fromEntries(wanted) } })
  const log = createLog(options.logLevel, writeLog ?? ((text) => process.stdout.write(text)))
  const outages = createOutageLog(log, { mask: (text) => withoutSecrets(text, options.database) })
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
    const world = await createWorld(database, {
      ...worldOptions,
      ...(options.metrics ? { metrics: await processMetrics() } : {}),
    })
    const hasDemo = options.seedDemo && (await seedDemoOnce(world))
    if (options.seedDemo && !hasDemo) log.warn('demo organization skipped', { reason: demoSkipped })
    const worlds = options.sandbox ? createWorlds(world, worldOptions) : undefined
    let addresses = { url: '', controlUrl: '' }
    const traceRequest = await createTracing()
    const worldOf: AppDependencies['worldOf'] = (id) => (id === undefined ? world : worlds?.get(id)?.world)
    const parts = { options, operations, log, outages, traceRequest, wait, worldOf }
    const app = await appOf(inspect ? { ...parts, inspect } : parts, world, hasDemo)
    const deliverer = createDeliverer({
      onError: failedIn(log, outages),
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
    // Closing can fail as well. That must not hide the cause.
    await database.close().catch(() => {})
    throw describeDatabaseFailure(error, options.database)
  }
}

/** Adds health checks, metrics and documentation to the API. */
async function appOf(parts: AppDependencies, world: World, hasDemo: boolean): Promise<FastifyInstance> {
  const { options, outages } = parts
  const app = createApp(parts)
  addHealth(app, world, outages)
  if (options.metrics) addMetrics(app, world)
  if (options.sandbox && hasDemo) addDemoCredentials(app, ownerOf(demoOf()), options)
  if (options.docs !== '') await addDocumentation(app, options.docs)
  return app
}

/** Reason for a missing demo although `seedDemo` is set. */
const demoSkipped = 'The database is not empty. The demo is only added to a database without organizations'

const realWait: Wait = (milliseconds, signal) => timer(milliseconds, undefined, { signal })

/** A production server rarely wants the clock that a sandbox left in the database. */
async function warnAboutClock({ clock }: World, realTime: RealTime, log: Log): Promise<void> {
  const { now, rate } = await clock.read()
  const aheadSeconds = Math.round((now - realTime()) / 1000)
  if (rate === 1 && aheadSeconds === 0) return
  const message =
    rate === 0 ? "the world's clock is stopped" : "the world's clock differs from the system clock"
  log.warn(message, { now: new Date(now).toISOString(), aheadSeconds, rate })
}

const idleCheckInterval = 50

/**
 * Milliseconds for the database to close after in-flight work has finished. An unreachable database could take long.
 */
const closingTime = 1000

/** @throws {Error} if the work takes longer. */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  const over = new AbortController()
  const late = timer(milliseconds, true, { signal: over.signal }).catch(() => false)
  try {
    if (await Promise.race([work, late])) throw new Error('The database did not close in time')
  } finally {
    over.abort()
  }
}

/** Milliseconds between checks for due notifications that no request triggered. */
const deliveryInterval = 1000
const noLoop: Loop = { wake: () => {}, stop: () => {} }

/** Values for the forms of the documentation. */
function ownerOf({ orgId, groupId, credentialsOf }: Demo): object {
  return { ...credentialsOf('ORGANIZATION_OWNER'), groupId, orgId }
}

function failedIn(log: Log, outages: OutageLog): (error: unknown) => void {
  return (error) => {
    if (!outages.report(error)) log.error('delivery failure', { failure: String(error) })
  }
}

interface ServerParts {
  readonly app: FastifyInstance
  readonly control: FastifyInstance | undefined
  readonly options: ServerOptions
  readonly world: World
  readonly worlds: Worlds | undefined
  readonly log: Log
  readonly outages: OutageLog
  readonly loop: Loop
  readonly deliverer: Deliverer
  readonly hasDemo: boolean
}

async function listen(parts: ServerParts): Promise<RunningServer> {
  const { app, control, options, world, worlds, log, outages, loop, deliverer, hasDemo } = parts
  let url = ''
  let controlUrl: string | undefined
  try {
    url = await app.listen({ host: options.host, port: options.port })
    controlUrl = await control?.listen({ host: '127.0.0.1', port: options.controlPort })
  } catch (error) {
    await Promise.all([app.close(), control?.close()])
    throw error
  }
  let stopping: Promise<void> | undefined
  const stop = async () => {
    app.stopping = true
    for (const one of worlds?.all() ?? []) one.world.sandbox?.faults.end()
    const each = (close: (server: FastifyInstance['server']) => void) => {
      for (const { server } of control ? [app, control] : [app]) close(server)
    }
    const cut = () => {
      each((server) => server.closeAllConnections())
      deliverer.abort()
    }
    const patience = setTimeout(cut, options.stopTimeout)
    // Close connections that become idle while stopping. Otherwise keep-alive would hold them open.
    const idle = setInterval(() => each((server) => server.closeIdleConnections()), idleCheckInterval)
    loop.stop()
    const finish = async () => {
      await Promise.all([app.close(), control?.close(), deliverer.stop()])
      await worlds?.close()
      await world.database.close()
    }
    try {
      await within(options.stopTimeout + closingTime, finish())
    } catch (error) {
      log.error('stopping failure', {
        failure: error instanceof Error ? rootCauseOf(error).message : String(error),
      })
      throw error
    } finally {
      clearTimeout(patience)
      clearInterval(idle)
      // Write the log last, so that it contains errors from closing the database.
      outages.stop()
      log.flush()
    }
  }
  return {
    url,
    controlUrl,
    options,
    world,
    demo: () => {
      if (!options.seedDemo) throw new Error("The server was started without the demo ('seedDemo' is false)")
      if (!hasDemo) throw new Error(demoSkipped)
      return demoOf()
    },
    createWorld: async (wanted = {}) => {
      if (!worlds) throw new Error("Worlds require a sandbox. Set 'sandbox' to true")
      const created = await worlds.create(wanted)
      const prefix = worldPrefix(created.id)
      const remove = () => worlds.remove(created.id)
      return {
        id: created.id,
        url: url + prefix,
        controlUrl: controlUrl + prefix,
        world: created.world,
        remove,
      }
    },
    drain: async (milliseconds) => {
      app.stopping = true
      await drainConnections(app.server, milliseconds)
    },
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}
