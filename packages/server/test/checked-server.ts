import { onTestFinished, vi } from 'vitest'
import { type RunningServer, type StartOptions, startServer } from '../src/index.ts'
import type { World } from '../src/world/world.ts'
import { controlViolationsOf } from './control-check.ts'
import { lendDatabase } from './databases.ts'
import { demoSecrets, newest, noon } from './demo.ts'
import { digestHeader } from './digest-client.ts'
import { violationsOf } from './response-check.ts'
import { readResponse, type TestResponse } from './test-response.ts'

/**
 * Increases the timeouts, because loading documents and compiling schemas before the first response takes a long time
 * on a busy machine.
 */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

export { demoSecrets, newest, noon, orgId, projectId } from './demo.ts'
export type { TestResponse } from './test-response.ts'

/** Options for a request in a test. */
export interface RequestOptions {
  readonly method?: string
  /** The public key of the demo credentials to use. If `null`, the request has no credentials. */
  readonly as?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** The `Accept` header. If `undefined`, the request has no `Accept` header. */
  readonly accept?: string | undefined
  readonly json?: unknown
  readonly body?: string
  readonly contentType?: string
  /** The path prefix of the world to use. Each world has its own nonces. */
  readonly at?: string
  readonly nonceOf?: World
}

export interface CheckedServer extends RunningServer {
  /** Sends a request to the newest version of v2, with the Organization Owner role by default. */
  ask(path: string, ask?: RequestOptions): Promise<TestResponse>
  /** Sends the same request to v1.0. */
  askV1(path: string, ask?: RequestOptions): Promise<TestResponse>
  control(method: string, path: string, body?: unknown): Promise<TestResponse>
  /** Descriptions of OpenAPI violations in all responses so far. */
  readonly violations: readonly string[]
}

/**
 * Starts a server whose clock is stopped at noon, and stops the server after the test. Checks each response against the
 * OpenAPI documents, regardless of the client.
 */
export async function startChecked(options: StartOptions = {}): Promise<CheckedServer> {
  const checked = await startUntilStopped(options)
  onTestFinished(() => checked.stop())
  return checked
}

/**
 * Starts a server for several tests. The caller must stop the server. Stopping the server throws an error if any
 * response has violated the OpenAPI documents.
 */
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
        throw new Error(`Responses that don't match their OpenAPI documents:\n${violations.join('\n')}`)
    },
  }
}

/** The timeouts are long, because clients are slow while other tests are running. */
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
  return readResponse(
    await fetch(server.url + at, { method, headers, ...(body === undefined ? {} : { body }) }),
  )
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
  return readResponse(await fetch(`${server.controlUrl}${path}`, init))
}
