import { lookup as systemLookup } from 'node:dns/promises'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import tls, { type SecureContext } from 'node:tls'
import { isLoopback, mayConnect } from './address.ts'

/** Resolves a hostname to its addresses. */
export type FindAddresses = (hostname: string) => Promise<readonly { address: string; family: number }[]>

export interface SendOptions {
  readonly find?: FindAddresses
  /** Whether messages can be sent to loopback addresses. */
  readonly loopback: boolean
  /** The timeout for the whole request, in milliseconds. */
  readonly timeout: number
  /** Aborts in-progress requests and prevents new ones. */
  readonly abort?: AbortSignal
}

export interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Receipt {
  readonly status: number
  readonly retryAfter: string | undefined
}

/** Thrown before any data is sent if the receiver's address isn't allowed. */
export class ForbiddenAddress extends Error {}

/**
 * The maximum number of bytes to read from a response before closing the connection. The server doesn't use the
 * response body.
 */
const responseLimit = 65_536

/**
 * Posts a message and returns the receiver's status code. Doesn't follow redirects, because they would bypass the
 * address checks.
 *
 * @throws {ForbiddenAddress} before any data is sent, if the address isn't public.
 * @throws {Error} if the receiver doesn't respond in time.
 */
export async function send(message: Message, options: SendOptions): Promise<Receipt> {
  const url = targetOf(message.url, options)
  const isSecure = url.protocol === 'https:'
  const { request: open } = isSecure ? https : http
  const { abort } = options
  if (abort?.aborted) throw stopped()
  const signal = AbortSignal.timeout(options.timeout)
  return new Promise((resolve, reject) => {
    const request = open(url, {
      method: 'POST',
      /** Use a new connection for each message so that the address is checked every time. */
      agent: false,
      ...(isSecure ? { secureContext: sharedContext() } : {}),
      headers: { ...message.headers, 'content-length': Buffer.byteLength(message.body) },
      lookup: checkedLookup(options),
      signal,
    })
    rejectForbiddenPeers(request, options)
    request.on('response', (response) => drain(response, resolve))
    // A receiver must not switch protocols unless the client requested a switch (RFC 9110 §7.8).
    // Node reports such responses only through the `upgrade` event.
    request.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve(receiptOf(response))
    })
    request.on('close', () => reject(new Error('The receiver did not respond')))
    request.on('error', (error) => reject(signal.aborted ? new Error('The receiver timed out') : error))
    const end = () => request.destroy(stopped())
    abort?.addEventListener('abort', end)
    // `AbortSignal.any` would leak memory here, because this signal lives as long as the process.
    request.on('close', () => abort?.removeEventListener('abort', end))
    request.end(message.body)
  })
}

let context: SecureContext | undefined

/** Returns the default TLS trust store, which is created only once because creating it is slow. */
function sharedContext(): SecureContext {
  context ??= tls.createSecureContext()
  return context
}

const stopped = () => new Error('The server stopped before the receiver responded')

/**
 * Parses the URL. Also checks the address if the host is an IP address, because Node calls the lookup function only for
 * names.
 */
function targetOf(text: string, { loopback }: SendOptions): URL {
  if (!URL.canParse(text)) throw new ForbiddenAddress('The webhook URL is not a valid URL')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ForbiddenAddress(`Webhooks do not support the scheme ${url.protocol}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new ForbiddenAddress('The URL contains credentials')
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !mayConnect(host, loopback)) throw forbidden(host)
  return url
}

/**
 * Returns a DNS lookup function that checks each address. The connection uses the checked address, because a second
 * lookup could return a different one (DNS rebinding).
 */
function checkedLookup({ find = findAll, loopback }: SendOptions): LookupFunction {
  return (hostname, { all }, done) => {
    find(hostname).then(
      (found) => {
        const forbiddenAddress = found.find(({ address }) => !mayConnect(address, loopback))
        const [first] = found
        if (forbiddenAddress || !first) {
          const error = forbiddenAddress
            ? forbidden(forbiddenAddress.address)
            : new Error(`${hostname} has no IP address`)
          done(error, all ? [] : '', 4)
        } else if (all) done(null, [...found])
        else done(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => done(error, all ? [] : '', 4),
    )
  }
}

const findAll: FindAddresses = (hostname) => systemLookup(hostname, { all: true })

/** Checks the address of the connected socket before sending the first byte. */
function rejectForbiddenPeers(request: ClientRequest, { loopback }: SendOptions): void {
  request.on('socket', (socket) => {
    socket.once('connect', () => {
      const peer = (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
      if (!mayConnect(peer, loopback)) request.destroy(forbidden(peer))
    })
  })
}

const receiptOf = ({ statusCode = 0, headers }: IncomingMessage): Receipt => ({
  status: statusCode,
  retryAfter: headers['retry-after'],
})

function drain(response: IncomingMessage, resolve: (receipt: Receipt) => void): void {
  const receipt = receiptOf(response)
  let size = 0
  response.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= responseLimit) return
    response.destroy()
    resolve(receipt)
  })
  response.on('end', () => resolve(receipt))
  // Ignore later errors, because the status code has already arrived.
  response.on('error', () => resolve(receipt))
  response.on('close', () => resolve(receipt))
}

function forbidden(address: string): ForbiddenAddress {
  const allowed = isLoopback(address) ? ', unless the server is started with --webhook-loopback' : ''
  return new ForbiddenAddress(`Webhooks cannot be sent to the address ${address}${allowed}`)
}
