import type { FastifyInstance } from 'fastify'
import { createApp } from './http/app.ts'
import { addDemoCredentials } from './http/demo-credentials.ts'
import { createLog, type Log } from './http/log.ts'
import type { SentAnswer } from './http/responder.ts'
import { addDocumentation, addHealth } from './http/site.ts'
import { loadOperations } from './operations/registry.ts'
import { resolveOptions, type ServerOptions } from './options.ts'
import { openDatabase } from './persistence/database.ts'
import { migrate } from './persistence/migrate.ts'
import { seedDemoOnce } from './sandbox/control.ts'
import { createControlServer } from './sandbox/control-server.ts'
import type { RealTime } from './world/clock.ts'
import type { RandomBytes } from './world/ids.ts'
import { createWorld, type World } from './world/world.ts'

/** Options of a server in a test or a program: the defaults are a free port, memory, the demo organisation. */
export interface StartOptions extends Partial<ServerOptions> {
  /** Wall clock; the machine's if absent. */
  readonly realTime?: RealTime
  /** Random bytes; the machine's if absent. */
  readonly random?: RandomBytes
  /** Where lines of the log go; standard output if absent. */
  readonly writeLog?: (text: string) => void
  /** Shown every answer of the API on its way out, for tests that check it against the documents. */
  readonly inspect?: (answer: SentAnswer) => void
}

/** A server that answers. */
export interface RunningServer {
  /** Address of the API, without a final slash. */
  readonly url: string
  /** Address of the control interface, or undefined if there is none. */
  readonly controlUrl: string | undefined
  readonly options: ServerOptions
  readonly world: World
  /** Finishes what is in flight, then ends. */
  stop(): Promise<void>
}

const testDefaults: Partial<ServerOptions> = {
  port: 0,
  controlPort: 0,
  database: ':memory:',
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
 * @throws {Error} if a port or the database is taken, or operations and specification differ.
 */
export async function startServer(given: StartOptions = {}): Promise<RunningServer> {
  const { realTime, random, writeLog, inspect, ...values } = given
  const options = resolveOptions({ values: { ...testDefaults, ...values } })
  const log = createLog(options.logLevel, writeLog ?? ((text) => process.stdout.write(text)))
  const operations = await loadOperations()
  const database = await openDatabase(options.database)
  try {
    await migrate(database)
    const world = await createWorld(database, {
      nonceLifetime: options.nonceLifetime,
      ...(realTime ? { realTime } : {}),
      ...(random ? { random } : {}),
    })
    if (options.seedDemo) await seedDemoOnce(world)
    const app = createApp({
      options,
      operations,
      log,
      worldOf: () => world,
      ...(inspect ? { inspect } : {}),
    })
    addHealth(app, world)
    if (options.sandbox && options.seedDemo) addDemoCredentials(app)
    if (options.docs !== '') await addDocumentation(app, options.docs)
    const control = options.sandbox ? createControlServer({ world, log }) : undefined
    return await listen({ app, control, options, world, log })
  } catch (error) {
    await database.close()
    throw error
  }
}

const idleCheckInterval = 50

interface Parts {
  readonly app: FastifyInstance
  readonly control: FastifyInstance | undefined
  readonly options: ServerOptions
  readonly world: World
  readonly log: Log
}

async function listen({ app, control, options, world, log }: Parts): Promise<RunningServer> {
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
    const patience = setTimeout(() => app.server.closeAllConnections(), options.stopTimeout)
    // A connection that was busy when stopping began would be kept open once it is idle.
    const idle = setInterval(() => app.server.closeIdleConnections(), idleCheckInterval)
    await Promise.all([app.close(), control?.close()])
    clearTimeout(patience)
    clearInterval(idle)
    await world.database.close()
    log.flush()
  }
  return {
    url,
    controlUrl,
    options,
    world,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}
