import http from 'node:http'
import https from 'node:https'
import { withoutCodings } from './coding.ts'
import type { Exchange, Header, RawRequest, RawResponse } from './exchange.ts'

/** Timeout for one response. */
export const defaultTimeoutSeconds = 30

/** Much longer than any response of the API. */
const defaultMaxBytes = 64 * 1024 * 1024

/** Error codes that mean that no server is listening, as opposed to a server that hangs up. */
const unreachableCodes: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]

/** There was no complete response: the connection ended or the time ran out. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse'
  readonly request: RawRequest
  /**
   * Node's error code, such as `ECONNREFUSED`; `TIMEOUT` for a timeout, `TOO_LONG` for a body over the limit,
   * `CODING` for a body that can't be decoded, `GATEWAY` for the status 502, 503 or 504.
   */
  readonly code: string
  /** The code, with further details. */
  readonly why: string
  /** Whether a response began, with a complete head, but couldn't be read to its end. */
  readonly began: boolean
  /** The response of a gateway that got none from the target. */
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

/** Statuses of a gateway that gets no response from the server behind it (RFC 9110 §15.6.3 to §15.6.5). */
const gatewayStatuses: Readonly<Record<number, string>> = {
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** The error for a response that says that there is none. */
export const withoutResponse = (exchange: Exchange): NoResponse | undefined => {
  const { status } = exchange.response
  const phrase = gatewayStatuses[status]
  return phrase === undefined
    ? undefined
    : new NoResponse(exchange.request, 'GATEWAY', `${status} ${phrase}`, true, exchange)
}

/** Waiting longer than this for nothing, hundreds of times, would delay a run for hours. */
const slowMilliseconds = 5000

/** Whether the lack of a response took long to find out. */
export const isSlow = (error: unknown): boolean =>
  error instanceof NoResponse &&
  (error.code === 'TIMEOUT' || (error.exchange?.milliseconds ?? 0) >= slowMilliseconds)

export interface TransportOptions {
  readonly baseUrl: string
  /** Timeout for one response, to its last byte. */
  readonly timeoutMs?: number
  /** Maximum length of a body. */
  readonly maxBytes?: number
  readonly connections?: number
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
}

/** Sends requests unchanged and returns responses unchanged. */
export interface Transport {
  readonly baseUrl: string
  /** Path of the base address, which is prepended to each path. */
  readonly prefix: string
  /**
   * @param recreate returns a new request for a retry, if the same one can't be used: a nonce count is valid once,
   *   and a server that hung up may have read it.
   */
  send(request: RawRequest, recreate?: () => RawRequest): Promise<Exchange>
  close(): void
}

const pairs = (raw: readonly string[]): Header[] => {
  const headers: Header[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) headers.push([raw[i] ?? '', raw[i + 1] ?? ''])
  return headers
}

/** Node needs header lines with the same name together; otherwise only the last one is sent. */
const grouped = (headers: readonly Header[]): Record<string, string | string[]> => {
  const lines: Record<string, string | string[]> = {}
  for (const [name, value] of headers) {
    const key = Object.keys(lines).find((other) => other.toLowerCase() === name.toLowerCase()) ?? name
    const before = lines[key]
    lines[key] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]
  }
  return lines
}

/** In runners such as Jest, Node's errors come from another realm and aren't `instanceof Error`. */
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

/** Node fires longer timers immediately. */
const maxTimer = 2 ** 31 - 1

/** Ends a request after a timeout. The time starts with the connection, for which a request may have to wait. */
const limitTime = (outgoing: http.ClientRequest, milliseconds: number, end: () => void): void => {
  let timer: NodeJS.Timeout | undefined
  outgoing.once('socket', () => {
    timer = setTimeout(end, Math.min(milliseconds, maxTimer))
  })
  outgoing.once('close', () => clearTimeout(timer))
}

/** Counts the received bytes of a request, including heads. */
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
  return new NoResponse(request, 'CODING', `CODING: the body is not in its Content-Encoding, ${code}`, true)
}

/** Errors of Node's parser, which passes the offending bytes only with its error. */
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
      // A server may close an idle connection while a request is on its way (RFC 9112 §9.3.1), so the request is sent
      // again. If part of a response arrived, the request was read and may have created something: sending it again
      // could create that twice.
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
    // A slow response is never idle and may never end, so this is a total timeout.
    limitTime(outgoing, timeoutMs, () =>
      giveUp('TIMEOUT', `TIMEOUT: the response wasn't complete after ${timeoutMs / 1000} s`),
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
    // The kit never asks to switch protocols (RFC 9110 §7.8). Node reports such a response only in this event, and
    // emits no event for the connection that ends with it.
    outgoing.on('upgrade', (incoming, socket) => {
      socket.destroy()
      resolve({ ...headOf(incoming), body: '' })
    })
    outgoing.end(request.body)
  })

/** If the server is gone after it hung up on a request, this request may have brought it down. */
const lastOf = (error: unknown, request: RawRequest, hungUp: string | undefined): unknown =>
  hungUp !== undefined && error instanceof NoResponse && error.isUnreachable
    ? new NoResponse(request, hungUp, `${hungUp}, and then the server was unreachable: ${error.code}`)
    : error

/**
 * A transport over `node:http` and `node:https` that adds nothing and follows no redirects. It decodes content
 * codings.
 *
 * @example
 * const transport = createTransport({ baseUrl: 'http://127.0.0.1:8080' })
 * const { response } = await transport.send({ method: 'GET', path: '/api/svc/v2/clusters', headers: [] })
 * @throws NoResponse from `send` if the connection ends or the time runs out first.
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
