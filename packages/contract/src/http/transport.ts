import http from 'node:http'
import https from 'node:https'
import { usual } from '../engine/usual.ts'
import { withoutCodings } from './coding.ts'
import type { Exchange, Header, RawRequest, RawResponse } from './exchange.ts'

/** No answer of the API is nearly so long. */
const usualMostBytes = 64 * 1024 * 1024

/** Nothing listens there, as against: somebody does, and hangs up. */
const nobodyThere: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]

/** The connection ended, or nothing came, before there was an answer. */
export class NoResponse extends Error {
  override readonly name = 'NoAnswer'
  readonly request: RawRequest
  /** Node's error code, such as `ECONNREFUSED`; `TIMEOUT` when the time ran out, `TOO_LONG` when too much came, `CODING` when nobody can read it. */
  readonly code: string
  /** The code, with what else is known. */
  readonly why: string
  /** Whether an answer began: its head was whole, and what follows cannot be read. */
  readonly began: boolean

  constructor(request: RawRequest, code: string, why = code, began = false) {
    super(`${request.method} ${request.path}: no answer (${why})`)
    this.request = request
    this.code = code
    this.why = why
    this.began = began
  }

  get isNobodyThere(): boolean {
    return nobodyThere.includes(this.code)
  }
}

export interface TransportOptions {
  readonly baseUrl: string
  /** Time for one answer, to its last byte. */
  readonly timeoutMs?: number
  /** The longest body that is read. */
  readonly mostBytes?: number
  readonly connections?: number
  /** Milliseconds of any clock that only goes forward. */
  readonly now?: () => number
}

/** Sends requests as they are, and hands back answers as they are. */
export interface Transport {
  readonly baseUrl: string
  /** Path of the base address, which stands before every path that is sent. */
  readonly prefix: string
  /**
   * @param anew the request once more, where the same one would not do: a nonce count holds once, and whoever hung up
   *   may have read it.
   */
  send(request: RawRequest, anew?: () => RawRequest): Promise<Exchange>
  close(): void
}

const pairs = (raw: readonly string[]): Header[] => {
  const headers: Header[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) headers.push([raw[i] ?? '', raw[i + 1] ?? ''])
  return headers
}

/** Header lines of the same name have to be handed to Node together, or the last one wins. */
const grouped = (headers: readonly Header[]): Record<string, string | string[]> => {
  const lines: Record<string, string | string[]> = {}
  for (const [name, value] of headers) {
    const key = Object.keys(lines).find((other) => other.toLowerCase() === name.toLowerCase()) ?? name
    const before = lines[key]
    lines[key] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]
  }
  return lines
}

/** In a runner such as Jest, errors of Node are of another realm, and no `Error` of this one. */
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
  readonly mostBytes: number
}

/** A longer one goes off at once. */
const longestTimer = 2 ** 31 - 1

/** Ends a request after some time; the clock begins with its connection, for which it may have to wait. */
const limitTime = (outgoing: http.ClientRequest, milliseconds: number, end: () => void): void => {
  let timer: NodeJS.Timeout | undefined
  outgoing.once('socket', () => {
    timer = setTimeout(end, Math.min(milliseconds, longestTimer))
  })
  outgoing.once('close', () => clearTimeout(timer))
}

/** Counts what comes for a request, of heads and bodies alike, and tells how much it was. */
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

const tooLong = (mostBytes: number) => ['TOO_LONG', `TOO_LONG: it has more than ${mostBytes} bytes`] as const

/** What is said of an answer that does not come out of its content coding. */
const undecodable = (error: unknown, request: RawRequest, mostBytes: number): unknown => {
  const code = codeOf(error)
  if (code === 'ERR_BUFFER_TOO_LARGE') return new NoResponse(request, ...tooLong(mostBytes), true)
  if (!code.startsWith('Z_') && !code.startsWith('ERR_')) return error
  return new NoResponse(request, 'CODING', `CODING: it is not in its Content-Encoding, ${code}`, true)
}

/** Node's parser hands over none of the bytes in which it stumbles, but with its error. */
const isNoHttp = (code: string): boolean => code.startsWith('HPE_')

const beganAsHttp = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'rawPacket' in error &&
  String(error.rawPacket).startsWith('HTTP/')

const attempt = ({ base, agent, timeoutMs, mostBytes }: Attempt, request: RawRequest) =>
  new Promise<RawResponse | { again: string }>((resolve, reject) => {
    let began = false
    const fail = (error: unknown): void => {
      const [code, bytes] = [codeOf(error), received()]
      if (isNoHttp(code)) {
        const why = `${code}: some of it is no HTTP, or more than its Content-Length says`
        reject(new NoResponse(request, code, why, began || beganAsHttp(error)))
        return
      }
      // A kept-alive connection may be closed by the other side while a request is on its way (RFC 9112 §9.3.1):
      // that says nothing about the answer, and the request is sent once more. Where some of an answer came, the
      // request has been read, and may have made something: to send it again could make that twice.
      if (bytes > 0)
        reject(new NoResponse(request, code, `${code}: it broke off after ${bytes} bytes`, began))
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
    // An answer that trickles is never idle, and need never end.
    limitTime(outgoing, timeoutMs, () =>
      giveUp('TIMEOUT', `TIMEOUT: it was not whole after ${timeoutMs / 1000} s`),
    )
    outgoing.on('error', (error) => fail(error))
    outgoing.on('response', (incoming) => {
      began = true
      const chunks: Buffer[] = []
      let bytes = 0
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > mostBytes) giveUp(...tooLong(mostBytes))
      })
      incoming.on('error', (error) => fail(error))
      incoming.on('end', () => {
        const head = headOf(incoming)
        try {
          const body = withoutCodings(head.headers, Buffer.concat(chunks), mostBytes).toString('utf8')
          resolve({ ...head, body })
        } catch (error) {
          reject(undecodable(error, request, mostBytes))
        }
      })
    })
    // Nobody asked to switch protocols (RFC 9110 §7.8). Of such an answer Node tells in this event alone, and of the
    // connection that ends with it in none.
    outgoing.on('upgrade', (incoming, socket) => {
      socket.destroy()
      resolve({ ...headOf(incoming), body: '' })
    })
    outgoing.end(request.body)
  })

/** Where nobody is there any more once a request was hung up on, it may be what brought the target down. */
const lastOf = (error: unknown, request: RawRequest, hungUp: string | undefined): unknown =>
  hungUp !== undefined && error instanceof NoResponse && error.isNobodyThere
    ? new NoResponse(request, hungUp, `${hungUp}, and then nobody was there: ${error.code}`)
    : error

/**
 * A transport over `node:http` and `node:https` that adds and follows nothing by itself. It undoes content codings.
 *
 * @example
 * const transport = createTransport({ baseUrl: 'http://127.0.0.1:8080' })
 * const { response } = await transport.send({ method: 'GET', path: '/api/svc/v2/clusters', headers: [] })
 * @throws NoAnswer from `send` when the connection ends or the time runs out first.
 */
export const createTransport = (options: TransportOptions): Transport => {
  const base = new URL(options.baseUrl)
  const now = options.now ?? (() => performance.now())
  const client = base.protocol === 'https:' ? https : http
  const agent = new client.Agent({ keepAlive: true, maxSockets: options.connections ?? 16 })
  const { timeoutMs = usual.timeoutSeconds * 1000, mostBytes = usualMostBytes } = options
  const settings = { base, agent, timeoutMs, mostBytes }
  const urlOf = ({ path }: RawRequest): string => base.origin + prefixOf(base) + path
  let closed = false
  return {
    baseUrl: options.baseUrl,
    prefix: prefixOf(base),
    async send(first, anew = () => first) {
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
        request = anew()
      }
    },
    close() {
      closed = true
      agent.destroy()
    },
  }
}
