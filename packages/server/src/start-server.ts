import { setTimeout as timer } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { createDeliverer, type Deliverer } from './alerting/webhooks/deliverer.ts'
import { type Loop, startLoop } from './alerting/webhooks/delivery-loop.ts'
import type { FindAddresses } from './alerting/webhooks/send.ts'
import { withoutSecrets } from './domain/mask-address.ts'
import { createApp } from './http/app.ts'
import type { Wait } from './http/apply-fault.ts'
import { addDemoCredentials } from './http/demo-credentials.ts'
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
import type { RealTime } from './world/clock.ts'
import type { RandomBytes } from './world/ids.ts'
import { createWorld, type World } from './world/world.ts'

/** Options of a server in a test or a program: the defaults are a free port, memory, the demo organisation. */
export interface StartOptions extends Partial<ServerOptions> {
  /** Wall clock; the machine's if absent. */
  readonly realTime?: RealTime
  /** Random bytes; the machine's if absent. */
  readonly random?: RandomBytes
  /** Waits where a fault says so; the machine's timer if absent. */
  readonly wait?: Wait
  /** Where lines of the log go; standard output if absent. */
  readonly writeLog?: (text: string) => void
  /** Finds the addresses of receivers of webhooks; the machine's resolver if absent. */
  readonly findAddresses?: FindAddresses
  /** Shown every answer of the API on its way out, for tests that check it against the documents. */
  readonly inspect?: (response: SentResponse) => void
}

/** A server that answers. */
export interface RunningServer {
  /** Address of the API, without a final slash. */
  readonly url: string
  /** Address of the control interface, or undefined if there is none. */
  readonly controlUrl: string | undefined
  readonly options: ServerOptions
  readonly world: World
  /**
   * Credentials and ids of the demo organisation.
   *
   * @throws {Error} if the server was started without it (`seedDemo: false`), or its database was not empty.
   */
  demo(): Demo
  /**
   * Makes a world beside the first, with state, clock and chance of its own. Only a sandbox has them.
   *
   * @throws {Error} without a sandbox, and for what `POST /worlds` of the control interface refuses.
   */
  createWorld(wanted?: NewWorld): Promise<RunningWorld>
  /**
   * Finishes what is in flight, then ends.
   *
   * @throws {Error} if the database was not closed in time: what is left of it ends with the process.
   */
  stop(): Promise<void>
}

/** A world of a sandbox, and where it is. */
export interface RunningWorld {
  readonly id: string
  /** What stands in for the server's own `url` and `controlUrl`. */
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
 * Starts a server and answers once it listens.
 *
 * @example
 * ```ts
 * const server = await startServer({ sandbox: true })
 * await fetch(`${server.url}/healthz`)
 * await server.stop()
 * ```
 * @throws {Error} for an option that there is not or whose value does not fit, if a port or the database is taken, or
 * operations and specification differ.
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
    if (options.seedDemo && !hasDemo) log.warn('demo organisation left out', { reason: demoSkipped })
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
    // What cannot be used may not even be closed.
    await database.close().catch(() => {})
    throw describeDatabaseFailure(error, options.database)
  }
}

/** The API, and what a server has besides it. */
async function appOf(parts: AppDependencies, world: World, hasDemo: boolean): Promise<FastifyInstance> {
  const { options, outages } = parts
  const app = createApp(parts)
  addHealth(app, world, outages)
  if (options.metrics) addMetrics(app, world)
  if (options.sandbox && hasDemo) addDemoCredentials(app, ownerOf(demoOf()), options)
  if (options.docs !== '') await addDocumentation(app, options.docs)
  return app
}

/** Why there is no demo although it was asked for. */
const demoSkipped = 'The database was not empty: it had an organisation before the demo was asked for'

const realWait: Wait = (milliseconds, signal) => timer(milliseconds, undefined, { signal })

/** Who serves a file in earnest that a sandbox had seldom means to keep the sandbox's time. */
async function warnAboutClock({ clock }: World, realTime: RealTime, log: Log): Promise<void> {
  const { now, rate } = await clock.read()
  const aheadSeconds = Math.round((now - realTime()) / 1000)
  if (rate === 1 && aheadSeconds === 0) return
  const message =
    rate === 0 ? 'the clock of the world stands still' : "the clock of the world is not the wall's"
  log.warn(message, { now: new Date(now).toISOString(), aheadSeconds, rate })
}

const idleCheckInterval = 50

/** Milliseconds for the database to close, once nothing is in flight: one that does not answer would take long. */
const closingTime = 1000

/** @throws {Error} if the work takes longer. */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  const over = new AbortController()
  const late = timer(milliseconds, true, { signal: over.signal }).catch(() => false)
  try {
    if (await Promise.race([work, late])) throw new Error('The database was not closed in time')
  } finally {
    over.abort()
  }
}

/** How soon a notification goes out that nobody's request has brought about. */
const deliveryInterval = 1000
const noLoop: Loop = { wake: () => {}, stop: () => {} }

/** What the documentation's forms are filled with. */
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
    for (const one of worlds?.all() ?? []) one.world.sandbox?.faults.end()
    const each = (close: (server: FastifyInstance['server']) => void) => {
      for (const { server } of control ? [app, control] : [app]) close(server)
    }
    const cut = () => {
      each((server) => server.closeAllConnections())
      deliverer.abort()
    }
    const patience = setTimeout(cut, options.stopTimeout)
    // A connection that was busy when stopping began would be kept open once it is idle.
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
      // A database that cannot even be closed is what the log is read for.
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
      if (!options.seedDemo) throw new Error("'seedDemo' is false: the server was started without the demo")
      if (!hasDemo) throw new Error(demoSkipped)
      return demoOf()
    },
    createWorld: async (wanted = {}) => {
      if (!worlds) throw new Error('Only a sandbox has worlds')
      const made = await worlds.create(wanted)
      const prefix = worldPrefix(made.id)
      const remove = () => worlds.remove(made.id)
      return { id: made.id, url: url + prefix, controlUrl: controlUrl + prefix, world: made.world, remove }
    },
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}
