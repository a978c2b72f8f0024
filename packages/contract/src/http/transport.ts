import http from 'node:http'
import https from 'node:https'
import { withoutCodings } from './coding.ts'
import type { Exchange, Header, RawRequest, RawResponse } from './exchange.ts'

/** The timeout for a single response. */
export const defaultTimeoutSeconds = 30

/** Much longer than any API response. */
const defaultMaxBytes = 64 * 1024 * 1024

/** Error codes that mean that no server is listening. If a server closes the connection, the code is different. */
const unreachableCodes: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]

/** Thrown if there was no complete response, because the connection ended or the timeout was reached. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse'
  readonly request: RawRequest
  /**
   * The Node.js error code, such as `ECONNREFUSED`. The kit's own codes are `TIMEOUT` for a timeout, `TOO_LONG` for a
   * body over the limit, `CODING` for a body that can't be decoded, `OVERLOAD` for the statuses 408 and 503, and `GATEWAY` for
   * the statuses 502 and 504.
   */
  readonly code: string
  /** The code, with more details. */
  readonly why: string
  /** Whether the response had complete headers, but its body couldn't be read completely. */
  readonly began: boolean
  /** A gateway's response if the target didn't respond. */
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

/** The statuses of servers that are too busy, and of gateways whose server didn't respond (RFC 9110 §15). */
const silentStatuses: Readonly<Record<number, readonly [code: string, phrase: string]>> = {
  408: ['OVERLOAD', 'Request Timeout'],
  502: ['GATEWAY', 'Bad Gateway'],
  503: ['OVERLOAD', 'Service Unavailable'],
  504: ['GATEWAY', 'Gateway Timeout'],
}

/** The error for a response that shows only that the target didn't process the request. */
export const withoutResponse = (exchange: Exchange): NoResponse | undefined => {
  const { status } = exchange.response
  const silent = silentStatuses[status]
  if (silent === undefined) return undefined
  const [code, phrase] = silent
  return new NoResponse(exchange.request, code, `${status} ${phrase}`, true, exchange)
}

/**
 * The longest time that a request may take without counting as slow. Hundreds of longer waits would add hours to a run.
 */
const slowMilliseconds = 5000

/** Returns whether it took a long time to detect that there was no response. */
export const isSlow = (error: unknown): boolean =>
  error instanceof NoResponse &&
  (error.code === 'TIMEOUT' || (error.exchange?.milliseconds ?? 0) >= slowMilliseconds)

export interface TransportOptions {
  readonly baseUrl: string
  /** The timeout for one response, including its last byte. */
  readonly timeoutMs?: number
  /** The maximum length of a body. */
  readonly maxBytes?: number
  readonly connections?: number
  /** Returns milliseconds from a monotonic clock. */
  readonly now?: () => number
}

/** Sends requests and returns responses unchanged. */
export interface Transport {
  readonly baseUrl: string
  /** The base address's path, which is prepended to each request's path. */
  readonly prefix: string
  /**
   * @param recreate Returns a new request for a retry if the same request can't be sent twice. Digest requests, for
   * example, can't be repeated because each nonce count is valid only once.
   */
  send(request: RawRequest, recreate?: () => RawRequest): Promise<Exchange>
  close(): void
}

const pairs = (raw: readonly string[]): Header[] => {
  const headers: Header[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) headers.push([raw[i] ?? '', raw[i + 1] ?? ''])
  return headers
}

/** Node.js requires header lines with the same name to be grouped. Otherwise, it sends only the last line. */
const grouped = (headers: readonly Header[]): Record<string, string | string[]> => {
  const lines: Record<string, string | string[]> = {}
  for (const [name, value] of headers) {
    const key = Object.keys(lines).find((other) => other.toLowerCase() === name.toLowerCase()) ?? name
    const before = lines[key]
    lines[key] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]
  }
  return lines
}

/** In test runners such as Jest, errors from Node.js come from another realm and aren't `instanceof Error`. */
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

/** Node.js fires timers with a longer delay immediately. */
const maxTimer = 2 ** 31 - 1

/**
 * Ends a request after a timeout. The timeout starts when the request gets a connection, because it may have to wait
 * for one.
 */
const limitTime = (outgoing: http.ClientRequest, milliseconds: number, end: () => void): void => {
  let timer: NodeJS.Timeout | undefined
  outgoing.once('socket', () => {
    timer = setTimeout(end, Math.min(milliseconds, maxTimer))
  })
  outgoing.once('close', () => clearTimeout(timer))
}

/** Counts the bytes received for a request, including headers. */
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

/** The error for a response that can't be decoded. */
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

/** Whether the error comes from the Node.js HTTP parser. Only such errors expose the invalid bytes. */
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
      // A server may close an idle connection while a request is on its way (RFC 9112 §9.3.1), so such requests are
      // sent again. If part of a response has arrived, the server has received the request, and sending it again could
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
    // A slow response that never ends is never idle, so this timeout applies to the whole response.
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
    // The kit never requests a protocol switch (RFC 9110 §7.8). Node.js reports such a response only with this event,
    // and doesn't report the end of the connection.
    outgoing.on('upgrade', (incoming, socket) => {
      socket.destroy()
      resolve({ ...headOf(incoming), body: '' })
    })
    outgoing.end(request.body)
  })

/**
 * Returns whether the request may have crashed the server. This is the case if the server closes the connection during
 * the request and is then unreachable.
 */
const lastOf = (error: unknown, request: RawRequest, hungUp: string | undefined): unknown =>
  hungUp !== undefined && error instanceof NoResponse && error.isUnreachable
    ? new NoResponse(request, hungUp, `${hungUp}, and then the server was unreachable: ${error.code}`)
    : error

/**
 * Creates a transport over `node:http` and `node:https`. It decodes content codings, but adds no headers and doesn't
 * follow redirects.
 *
 * @example
 * const transport = createTransport({ baseUrl: 'http://127.0.0.1:8080' })
 * const { response } = await transport.send({ method: 'GET', path: '/api/svc/v2/clusters', headers: [] })
 * @throws NoResponse from `send` if the connection ends or the timeout is reached before the response is complete.
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
