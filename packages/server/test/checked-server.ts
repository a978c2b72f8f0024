import { onTestFinished, vi } from 'vitest'
import { type RunningServer, type StartOptions, startServer } from '../src/index.ts'
import type { World } from '../src/world/world.ts'
import { controlViolationsOf } from './control-check.ts'
import { lendDatabase } from './databases.ts'
import { demoSecrets, newest, noon } from './demo.ts'
import { digestHeader } from './digest-client.ts'
import { violationsOf } from './response-check.ts'

// The first answer of a process loads documents and compiles schemas, on whatever else the machine is doing.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

export { demoSecrets, newest, noon, orgId, projectId } from './demo.ts'

/** What a test asks. */
export interface RequestOptions {
  readonly method?: string
  /** Public key of the demo credentials to use; `null` for none. */
  readonly as?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** `undefined` leaves the header out. */
  readonly accept?: string | undefined
  readonly json?: unknown
  readonly body?: string
  readonly contentType?: string
  /** What stands before the path, and the world of it whose nonces are right. */
  readonly at?: string
  readonly nonceOf?: World
}

/** An answer, its body read. */
export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
  /** A value within the body; undefined where there is none. */
  at(...path: (string | number)[]): unknown
  /** A text within the body. */
  textAt(...path: (string | number)[]): string
}

export interface CheckedServer extends RunningServer {
  /** Asks the newest version of v2, as Organization Owner, unless said otherwise. */
  ask(path: string, ask?: RequestOptions): Promise<TestResponse>
  /** The same of v1.0. */
  askV1(path: string, ask?: RequestOptions): Promise<TestResponse>
  control(method: string, path: string, body?: unknown): Promise<TestResponse>
  /** What was wrong with any answer so far, by the documents. */
  readonly violations: readonly string[]
}

/**
 * Starts a server whose clock stands at noon, and every answer of which is checked against the documents, however
 * it was asked for. It ends with the test.
 */
export async function startChecked(options: StartOptions = {}): Promise<CheckedServer> {
  const checked = await startUntilStopped(options)
  onTestFinished(() => checked.stop())
  return checked
}

/** The same for several tests; whoever starts it stops it, and is told then what was wrong. */
export async function startUntilStopped(options: StartOptions = {}): Promise<CheckedServer> {
  const violations: string[] = []
  const { address: database, giveBack } = await lendDatabase()
  const server = await startServer({
    realTime: () => noon,
    sandbox: true,
    database,
    ...patience,
    ...options,
    inspect: (response) => {
      const found = violationsOf(response).map((fault) => `${response.method} ${response.target}: ${fault}`)
      violations.push(...found)
    },
  })
  return {
    ...server,
    violations: violations,
    ask: (path, ask) => send(server, `/api/svc/v2${path}`, { accept: newest, contentType: newest, ...ask }),
    askV1: (path, ask) => send(server, `/api/svc/v1.0${path}`, { contentType: 'application/json', ...ask }),
    control: async (method, path, body) => {
      const response = await control(server, method, path, body)
      violations.push(...controlViolationsOf(method, path, response))
      return response
    },
    stop: async () => {
      await server.stop()
      await giveBack()
      if (violations.length > 0)
        throw new Error(`Answers that break their documents:\n${violations.join('\n')}`)
    },
  }
}

/** A machine that is busy with other tests is no slow client. */
export const patience = { headersTimeout: 60_000, requestTimeout: 60_000 }

let count = 0

async function send(server: RunningServer, target: string, ask: RequestOptions): Promise<TestResponse> {
  const { method = 'GET', as = 'orgowner', accept, json, contentType, nonceOf = server.world } = ask
  const at = `${ask.at ?? ''}${target}`
  const body = json === undefined ? ask.body : JSON.stringify(json)
  const headers: Record<string, string> = {
    ...(as === null ? {} : { authorization: await credentialsOf(nonceOf, as, method, at) }),
    ...(accept === undefined ? {} : { accept }),
    ...(body === undefined || contentType === undefined ? {} : { 'content-type': contentType }),
    ...ask.headers,
  }
  return got(await fetch(server.url + at, { method, headers, ...(body === undefined ? {} : { body }) }))
}

async function credentialsOf(world: World, username: string, method: string, uri: string) {
  const nonce = world.nonces.issue(await world.clock.now())
  count += 1
  return digestHeader({ username, secret: demoSecrets.get(username) ?? '', nonce, method, uri, count })
}

async function control(
  server: RunningServer,
  method: string,
  path: string,
  body: unknown,
): Promise<TestResponse> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) }
  return got(await fetch(`${server.controlUrl}${path}`, init))
}

async function got(response: Response): Promise<TestResponse> {
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== ''
  const body: unknown = isJson ? JSON.parse(text) : text
  const at = (...path: (string | number)[]) => path.reduce(field, body)
  return {
    status: response.status,
    headers: response.headers,
    text,
    body,
    at,
    textAt: (...path) => String(at(...path)),
  }
}

function field(value: unknown, name: string | number): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
