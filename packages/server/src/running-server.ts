import { setTimeout as timer } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Deliverer } from './alerting/webhooks/deliverer.ts'
import type { Loop } from './alerting/webhooks/delivery-loop.ts'
import { drainConnections } from './http/drain.ts'
import type { Log } from './http/log.ts'
import { type OutageLog, rootCauseOf } from './http/outage-log.ts'
import { worldPrefix } from './http/world-path.ts'
import type { ServerOptions } from './options.ts'
import { type Demo, demoOf } from './sandbox/demo.ts'
import type { NewWorld } from './sandbox/new-world.ts'
import type { Worlds } from './sandbox/worlds.ts'
import type { World } from './world/world.ts'

/** A running server. */
export interface RunningServer {
  /** The API's base URL, without a trailing slash. */
  readonly url: string
  /** The control interface's base URL, or undefined if sandbox mode is off. */
  readonly controlUrl: string | undefined
  /** The base URL for health checks and metrics. */
  readonly managementUrl: string
  readonly options: ServerOptions
  readonly world: World
  /**
   * Returns the demo organization's credentials and IDs.
   *
   * @throws {Error} if the server was started with `seedDemo: false`, or if its database wasn't empty.
   */
  demo(): Demo
  /**
   * Creates a world with its own state, clock and random source. The server must have a sandbox.
   *
   * @throws {Error} if there is no sandbox, or if the input is invalid for `POST /worlds` in the control interface.
   */
  createWorld(wanted?: NewWorld): Promise<RunningWorld>
  /**
   * Waits for one more response on each connection, then closes the connection. While connections are draining, the
   * server reports that it isn't ready. Call this method before `stop` if clients are still sending requests, because
   * `stop` closes idle connections immediately. The promise resolves when all connections are closed or the time has
   * elapsed.
   */
  drain(milliseconds: number): Promise<void>
  /**
   * Waits for running requests and webhooks to finish, then stops the server.
   *
   * @throws {Error} if the database doesn't close in time. In this case, its connections close when the process ends.
   */
  stop(): Promise<void>
}

/** A world in a sandbox. Use the world's URLs instead of the server's `url` and `controlUrl`. */
export interface RunningWorld {
  readonly id: string
  readonly url: string
  readonly controlUrl: string
  readonly world: World
  remove(): Promise<void>
}

export interface ServerParts {
  readonly app: FastifyInstance
  readonly control: FastifyInstance | undefined
  /** The application that serves health checks and metrics, or undefined if they share the API's port. */
  readonly management: FastifyInstance | undefined
  readonly options: ServerOptions
  readonly world: World
  readonly worlds: Worlds | undefined
  readonly log: Log
  readonly outages: OutageLog
  readonly loop: Loop
  readonly deliverer: Deliverer
  readonly hasDemo: boolean
}

/**
 * Starts listening on all ports.
 *
 * @throws {Error} if a port is already in use.
 */
export async function listen(parts: ServerParts): Promise<RunningServer> {
  const { app, control, management, options, world, worlds, hasDemo } = parts
  let url = ''
  let controlUrl: string | undefined
  let managementUrl: string | undefined
  try {
    const address = await app.listen({ host: options.host, port: options.port })
    url = options.tlsCertificate === '' ? address : address.replace(/^http:/, 'https:')
    controlUrl = await control?.listen({ host: '127.0.0.1', port: options.controlPort })
    managementUrl = await management?.listen({ host: options.host, port: options.managementPort })
  } catch (error) {
    await Promise.all([app.close(), control?.close(), management?.close()])
    throw error
  }
  let stopping: Promise<void> | undefined
  return {
    url,
    controlUrl,
    managementUrl: managementUrl ?? url,
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
      stopping ??= stop(parts)
      return stopping
    },
  }
}

async function stop(parts: ServerParts): Promise<void> {
  const { app, control, management, options, world, worlds, log, outages, loop, deliverer } = parts
  app.stopping = true
  for (const one of worlds?.all() ?? []) one.world.sandbox?.faults.end()
  const apps = [app, control, management].filter((one) => one !== undefined)
  const cut = () => {
    for (const { server } of apps) server.closeAllConnections()
    deliverer.abort()
  }
  const patience = setTimeout(cut, options.stopTimeout)
  // Keep-alive leaves idle connections open, so close each connection that becomes idle while the server is stopping.
  const closeIdle = () => {
    for (const { server } of apps) server.closeIdleConnections()
  }
  const idle = setInterval(closeIdle, idleCheckInterval)
  loop.stop()
  const finish = async () => {
    await Promise.all([...apps.map((one) => one.close()), deliverer.stop()])
    await worlds?.close()
    await world.database.close()
  }
  try {
    await within(options.stopTimeout + closingTime, finish())
  } catch (error) {
    log.error('failed to stop cleanly', {
      failure: error instanceof Error ? rootCauseOf(error).message : String(error),
    })
    throw error
  } finally {
    clearTimeout(patience)
    clearInterval(idle)
    // Flush the log last to include errors from closing the database.
    outages.stop()
    log.flush()
  }
}

const idleCheckInterval = 50

/**
 * How long the database may take to close after all work has finished, in milliseconds. Without this limit, closing
 * could take much longer if the database is unreachable.
 */
const closingTime = 1000

/**
 * Waits for work to finish.
 *
 * @throws {Error} if the work takes too long.
 */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  const over = new AbortController()
  const late = timer(milliseconds, true, { signal: over.signal }).catch(() => false)
  try {
    if (await Promise.race([work, late])) throw new Error('The database did not close in time')
  } finally {
    over.abort()
  }
}

/** The log message if `seedDemo` is set but the demo couldn't be added. */
export const demoSkipped =
  'The database is not empty. The demo organization can only be added to a database without organizations'
