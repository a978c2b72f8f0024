import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { tokenEndpoint } from '@svc-admin/types'

/** A complete response from the server behind the proxy. */
export interface Passed {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A fault for a single request. `pass` forwards the request, optionally with other headers. */
export type WireFault = (
  response: ServerResponse,
  pass: (headers?: IncomingHttpHeaders) => Promise<Passed>,
) => void | Promise<void>

export interface FaultProxy {
  readonly url: string
  /**
   * A queue of faults. Every request except token requests consumes the first fault in the queue. When the queue is
   * empty, requests are forwarded without faults.
   */
  readonly faults: WireFault[]
  /** Every request so far, in the format `POST /path`. */
  readonly seen: string[]
  stop(): Promise<void>
}

/** Starts a proxy that injects faults into real connections. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const faults: WireFault[] = []
  const seen: string[] = []
  const server = createServer(async (request, response) => {
    seen.push(`${request.method} ${request.url}`)
    const fault = (request.url !== tokenEndpoint.path && faults.shift()) || passOn
    const body = await buffer(request)
    await fault(response, (headers) => forward(target, request, body, headers))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    faults,
    seen,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function forward(
  target: string,
  request: IncomingMessage,
  body: Buffer,
  changed: IncomingHttpHeaders = {},
): Promise<Passed> {
  const headers = { ...request.headers, ...changed, host: new URL(target).host }
  const sent = send(new URL(request.url ?? '', target), { method: request.method, headers })
  sent.end(body)
  const [answer]: IncomingMessage[] = (await once(sent, 'response')) as IncomingMessage[]
  if (!answer) throw new Error('no response')
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) }
}

const passOn: WireFault = async (response, pass) => {
  const { status, headers, body } = await pass()
  response.writeHead(status, headers).end(body)
}

/** A 429 from an intermediary, with the given `Retry-After` value. */
export const limited =
  (retryAfter: string): WireFault =>
  (response) => {
    const body = { error: 429, errorCode: 'RATE_LIMITED', reason: 'Too Many Requests', detail: 'injected' }
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': retryAfter })
    response.end(JSON.stringify(body))
  }

/** A 503 from a load balancer, without JSON, although the server has processed the request. */
export const lostBehindGateway: WireFault = async (response, pass) => {
  await pass()
  response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>503 Service Unavailable</h1>')
}

/** The connection is reset before the request reaches the server. */
export const resetBefore: WireFault = (response) => {
  response.socket?.resetAndDestroy()
}

/** The connection is reset after the server has processed the request. */
export const resetAfter: WireFault = async (response, pass) => {
  await pass()
  response.socket?.resetAndDestroy()
}

/** Forwards the request with the given credentials instead of the correct ones. */
export const withAuthorization =
  (authorization: string): WireFault =>
  async (response, pass) => {
    const { status, headers, body } = await pass({ authorization })
    response.writeHead(status, headers).end(body)
  }

/** A complete response with truncated JSON. */
export const truncatedJson: WireFault = async (response, pass) => {
  const { status, headers, body } = await pass()
  const half = body.subarray(0, body.length / 2)
  response.writeHead(status, { ...headers, 'content-length': String(half.length) }).end(half)
}

/** Sends half of the body, then closes the connection. */
export const cutConnection: WireFault = async (response, pass) => {
  const { status, headers, body } = await pass()
  response.writeHead(status, headers).write(body.subarray(0, body.length / 2), () => response.destroy())
}

/** Sends half of the body and then stalls. `halfway` is called after the first half has been sent. */
export const slowBody =
  (halfway: () => void): WireFault =>
  async (response, pass) => {
    const { status, headers, body } = await pass()
    response.writeHead(status, headers).write(body.subarray(0, body.length / 2), halfway)
  }
