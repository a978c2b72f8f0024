import http from 'node:http'
import https from 'node:https'
import { withoutCodings } from './coding.ts'
import type { Exchange, Header, RawRequest, RawResponse } from './exchange.ts'

/** The default number of seconds to wait for a response. */
export const defaultTimeoutSeconds = 30

/** The default maximum size of a body. The maximum is much larger than any API response. */
const defaultMaxBytes = 64 * 1024 * 1024

/** These error codes mean that no server is listening. If a server closes a connection, the error code is different. */
const unreachableCodes: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]

/** Thrown if there is no complete response, because the connection was closed or the request timed out. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse'
  readonly request: RawRequest
  /**
   * The error code from Node.js, such as `ECONNREFUSED`, or one of the kit's codes:
   *
   * - `TIMEOUT`: the timeout was reached.
   * - `TOO_LONG`: the body exceeds the limit.
   * - `CODING`: the body can't be decoded.
   * - `OVERLOAD`: the status is 408 or 503.
   * - `GATEWAY`: the status is 502 or 504.
   */
  readonly code: string
  /** The error code, with details if there are any. */
  readonly why: string
  /** Whether the response had complete headers, but an incomplete body. */
  readonly began: boolean
  /** The response of a gateway, if the target itself didn't respond. */
  readonly exchange: Exchange | undefined

  constructor(request: RawRequest, code: string, why = code, began = false, exchange?: Exchange) {
    super(`${request.method} ${request.path}: no response (${why})`)
    this.request = request
    this.code = code
    this.why = why
    this.began = began
    this.exchange = exchange
  }

  get isUnreachable(): boolean {
    return unreachableCodes.includes(this.code)
  }
}

/** Busy servers send these statuses, and so do gateways if the server behind them doesn't respond (RFC 9110 §15). */
const silentStatuses: Readonly<Record<number, readonly [code: string, phrase: string]>> = {
  408: ['OVERLOAD', 'Request Timeout'],
  502: ['GATEWAY', 'Bad Gateway'],
  503: ['OVERLOAD', 'Service Unavailable'],
  504: ['GATEWAY', 'Gateway Timeout'],
}

/** If a response shows only that the target didn't process the request, returns the error for that response. */
export const withoutResponse = (exchange: Exchange): NoResponse | undefined => {
  const { status } = exchange.response
  const silent = silentStatuses[status]
  if (silent === undefined) return undefined
  const [code, phrase] = silent
  return new NoResponse(exchange.request, code, `${status} ${phrase}`, true, exchange)
}

/** A request is slow if it takes longer than this. Hundreds of slow requests would add hours to a run. */
const slowMilliseconds = 5000

/** Returns whether a request without a response took a long time. */
export const isSlow = (error: unknown): boolean =>
  error instanceof NoResponse &&
  (error.code === 'TIMEOUT' || (error.exchange?.milliseconds ?? 0) >= slowMilliseconds)

export interface TransportOptions {
  readonly baseUrl: string
  /** The number of milliseconds within which the complete response must arrive. */
  readonly timeoutMs?: number
  /** The maximum size of a body. */
  readonly maxBytes?: number
  readonly connections?: number
  /** Returns the time in milliseconds, from a clock that is never set back. */
  readonly now?: () => number
}

export interface Transport {
  readonly baseUrl: string
  /** The path of the base address, which precedes the path of every request. */
  readonly prefix: string
  /**
   * @param recreate Returns the request that is sent if the connection closes before the response arrives. Digest
   *   requests can't be sent twice, because each nonce count is valid only once.
   */
  send(request: RawRequest, recreate?: () => RawRequest): Promise<Exchange>
  close(): void
}

const pairs = (raw: readonly string[]): Header[] => {
  const headers: Header[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) headers.push([raw[i] ?? '', raw[i + 1] ?? ''])
  return headers
}

/**
 * Node.js requires header lines with the same name to be grouped. Otherwise, Node.js sends only the last of
 * these lines.
 */
const grouped = (headers: readonly Header[]): Record<string, string | string[]> => {
  const lines: Record<string, string | string[]> = {}
  for (const [name, value] of headers) {
    const key = Object.keys(lines).find((other) => other.toLowerCase() === name.toLowerCase()) ?? name
    const before = lines[key]
    lines[key] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]
  }
  return lines
}

/** In test runners such as Jest, errors from Node.js belong to another realm, so `instanceof Error` is false. */
const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'BROKEN'

const headOf = ({ statusCode = 0, statusMessage = '', rawHeaders }: http.IncomingMessage) => ({
  status: statusCode,
  reason: statusMessage,
  headers: pairs(rawHeaders),
})

const prefixOf = (base: URL): string => base.pathname.replace(/\/$/, '')

interface Attempt {
  readonly base: URL
  readonly agent: http.Agent
  readonly timeoutMs: number
  readonly maxBytes: number
}

/** If a delay is longer than this, Node.js fires the timer immediately. */
const maxTimer = 2 ** 31 - 1

/**
 * Ends a request after a timeout. The timeout starts when the request gets a connection, because a request may have to
 * wait for a connection.
 */
const limitTime = (outgoing: http.ClientRequest, milliseconds: number, end: () => void): void => {
  let timer: NodeJS.Timeout | undefined
  outgoing.once('socket', () => {
    timer = setTimeout(end, Math.min(milliseconds, maxTimer))
  })
  outgoing.once('close', () => clearTimeout(timer))
}

/** Counts the bytes of a response received so far, including its headers. */
const countBytes = (outgoing: http.ClientRequest): (() => number) => {
  let bytes = 0
  const count = (chunk: Buffer): void => {
    bytes += chunk.length
  }
  outgoing.once('socket', (socket) => {
    socket.on('data', count)
    outgoing.once('close', () => socket.off('data', count))
  })
  return () => bytes
}

const tooLong = (maxBytes: number) =>
  ['TOO_LONG', `TOO_LONG: the response has more than ${maxBytes} bytes`] as const

/** Returns the error for a response that can't be decoded. */
const undecodable = (error: unknown, request: RawRequest, maxBytes: number): unknown => {
  const code = codeOf(error)
  if (code === 'ERR_BUFFER_TOO_LARGE') return new NoResponse(request, ...tooLong(maxBytes), true)
  if (!code.startsWith('Z_') && !code.startsWith('ERR_')) return error
  return new NoResponse(
    request,
    'CODING',
    `CODING: the body doesn't have the encoding in its Content-Encoding header, ${code}`,
    true,
  )
}

/** Returns whether the error comes from the HTTP parser of Node.js. Parser errors contain the invalid bytes. */
const isNoHttp = (code: string): boolean => code.startsWith('HPE_')

const beganAsHttp = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'rawPacket' in error &&
  String(error.rawPacket).startsWith('HTTP/')

const attempt = ({ base, agent, timeoutMs, maxBytes }: Attempt, request: RawRequest) =>
  new Promise<RawResponse | { again: string }>((resolve, reject) => {
    let began = false
    const fail = (error: unknown): void => {
      const [code, bytes] = [codeOf(error), received()]
      if (isNoHttp(code)) {
        const why = `${code}: the response is not valid HTTP, or is longer than its Content-Length`
        reject(new NoResponse(request, code, why, began || beganAsHttp(error)))
        return
      }
      // A server may close an idle connection while a request is being sent (RFC 9112 §9.3.1). The request is then sent
      // again. If part of a response has arrived, the server has processed the request, and sending it again could
      // create a resource twice.
      if (bytes > 0)
        reject(new NoResponse(request, code, `${code}: the connection closed after ${bytes} bytes`, began))
      else if (outgoing.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE')) resolve({ again: code })
      else reject(new NoResponse(request, code))
    }
    const client = base.protocol === 'https:' ? https : http
    const headers = grouped(request.headers)
    if (
      request.body !== undefined &&
      !Object.keys(headers).some((key) => key.toLowerCase() === 'content-length')
    )
      headers['Content-Length'] = String(Buffer.byteLength(request.body))
    const { hostname, port } = base
    const outgoing = client.request({
      agent,
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? undefined : port,
      method: request.method,
      path: prefixOf(base) + request.path,
      headers,
    })
    const giveUp = (code: string, why: string): void => {
      reject(new NoResponse(request, code, why, began))
      outgoing.destroy()
    }
    const received = countBytes(outgoing)
    // The timeout applies to the whole response, because an idle timeout never ends a slow response that keeps sending
    // data.
    limitTime(outgoing, timeoutMs, () =>
      giveUp('TIMEOUT', `TIMEOUT: the response was not complete after ${timeoutMs / 1000} s`),
    )
    outgoing.on('error', (error) => fail(error))
    outgoing.on('response', (incoming) => {
      began = true
      const chunks: Buffer[] = []
      let bytes = 0
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > maxBytes) giveUp(...tooLong(maxBytes))
      })
      incoming.on('error', (error) => fail(error))
      incoming.on('end', () => {
        const head = headOf(incoming)
        try {
          const body = withoutCodings(head.headers, Buffer.concat(chunks), maxBytes).toString('utf8')
          resolve({ ...head, body })
        } catch (error) {
          reject(undecodable(error, request, maxBytes))
        }
      })
    })
    // The kit never requests a different protocol (RFC 9110 §7.8).
    // If a server switches protocols anyway, Node.js emits only this event and never reports the end of the connection.
    outgoing.on('upgrade', (incoming, socket) => {
      socket.destroy()
      resolve({ ...headOf(incoming), body: '' })
    })
    outgoing.end(request.body)
  })

/**
 * Returns an error that reports a possible crash if the server closed the connection during the request and is now
 * unreachable.
 */
const lastOf = (error: unknown, request: RawRequest, hungUp: string | undefined): unknown =>
  hungUp !== undefined && error instanceof NoResponse && error.isUnreachable
    ? new NoResponse(request, hungUp, `${hungUp}, and then the server was unreachable: ${error.code}`)
    : error

/**
 * Creates a transport with `node:http` and `node:https`. The transport decodes content codings, doesn't add
 * headers, and doesn't follow redirects.
 *
 * @example
 * const transport = createTransport({ baseUrl: 'http://127.0.0.1:8080' })
 * const { response } = await transport.send({ method: 'GET', path: '/api/svc/v2/clusters', headers: [] })
 * @throws NoResponse from `send` if the connection closes or the timeout is reached before the response is
 * complete.
 */
export const createTransport = (options: TransportOptions): Transport => {
  const base = new URL(options.baseUrl)
  const now = options.now ?? (() => performance.now())
  const client = base.protocol === 'https:' ? https : http
  const agent = new client.Agent({ keepAlive: true, maxSockets: options.connections ?? 16 })
  const { timeoutMs = defaultTimeoutSeconds * 1000, maxBytes = defaultMaxBytes } = options
  const settings = { base, agent, timeoutMs, maxBytes }
  const urlOf = ({ path }: RawRequest): string => base.origin + prefixOf(base) + path
  let closed = false
  return {
    baseUrl: options.baseUrl,
    prefix: prefixOf(base),
    async send(first, recreate = () => first) {
      const began = now()
      let request = first
      let hungUp: string | undefined
      for (let tries = 1; ; tries += 1) {
        const response = await attempt(settings, request).catch((error) => {
          throw lastOf(error, request, hungUp)
        })
        if (!('again' in response))
          return { url: urlOf(request), request, response, milliseconds: now() - began }
        if (tries === 3 || closed) throw new NoResponse(request, response.again)
        hungUp = response.again
        request = recreate()
      }
    },
    close() {
      closed = true
      agent.destroy()
    },
  }
}
