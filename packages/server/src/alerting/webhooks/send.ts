import { lookup as systemLookup } from 'node:dns/promises'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import tls, { type SecureContext } from 'node:tls'
import { isLoopback, mayConnect } from './address.ts'

/** Finds the addresses of a name; injected, so that a test can be a name server. */
export type FindAddresses = (hostname: string) => Promise<readonly { address: string; family: number }[]>

export interface SendOptions {
  readonly find?: FindAddresses
  /** Whether receivers on this machine are allowed. */
  readonly loopback: boolean
  /** Milliseconds for the whole exchange. */
  readonly timeout: number
  /** Ends exchanges that are on their way, and begins none. */
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

/** A receiver that will not be asked: the address is not one that webhooks go to. */
export class ForbiddenAddress extends Error {}

/** How much of an answer is read before the connection is cut; nothing in it is of use. */
const responseLimit = 65_536

/**
 * Posts a message and answers with the status. Redirects are not followed: they would lead past the checks, and
 * a receiver that moved can say so to whoever configured it.
 *
 * @throws {ForbiddenAddress} before anything is sent, if the address is not a public one.
 * @throws {Error} if the receiver does not answer in time.
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
      // A connection of its own, which is looked up and checked, and a session of its own.
      agent: false,
      ...(isSecure ? { secureContext: sharedContext() } : {}),
      headers: { ...message.headers, 'content-length': Buffer.byteLength(message.body) },
      lookup: checkedLookup(options),
      signal,
    })
    rejectForbiddenPeers(request, options)
    request.on('response', (response) => drain(response, resolve))
    // RFC 9110 §7.8: who was not asked to switch protocols may not. Of such an answer Node tells in this event alone.
    request.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve(receiptOf(response))
    })
    request.on('close', () => reject(new Error('The receiver did not answer')))
    request.on('error', (error) => reject(signal.aborted ? new Error('No answer in time') : error))
    const end = () => request.destroy(stopped())
    abort?.addEventListener('abort', end)
    // Not left to a signal of both: what is made of one that lasts as long as the process would be kept as long.
    request.on('close', () => abort?.removeEventListener('abort', end))
    request.end(message.body)
  })
}

let context: SecureContext | undefined

/** Whom this process trusts, made once: each connection would otherwise make that for itself, even where it is refused. */
function sharedContext(): SecureContext {
  context ??= tls.createSecureContext()
  return context
}

const stopped = () => new Error('The server was stopped before there was an answer')

/** An address that is written out is looked up by nobody, so it is checked here. */
function targetOf(text: string, { loopback }: SendOptions): URL {
  if (!URL.canParse(text)) throw new ForbiddenAddress('The address is no URL')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ForbiddenAddress(`Webhooks do not go to ${url.protocol}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new ForbiddenAddress('The address holds credentials')
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !mayConnect(host, loopback)) throw forbidden(host)
  return url
}

/**
 * The address that was checked is the one that is connected to: a name that is looked up again for connecting
 * may have another address by then (DNS rebinding).
 */
function checkedLookup({ find = findAll, loopback }: SendOptions): LookupFunction {
  return (hostname, { all }, done) => {
    find(hostname).then(
      (found) => {
        const bad = found.find(({ address }) => !mayConnect(address, loopback))
        const [first] = found
        if (bad || !first) {
          const error = bad ? forbidden(bad.address) : new Error(`${hostname} has no address`)
          done(error, all ? [] : '', 4)
        } else if (all) done(null, [...found])
        else done(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => done(error, all ? [] : '', 4),
    )
  }
}

const findAll: FindAddresses = (hostname) => systemLookup(hostname, { all: true })

/** The last word: whom the socket has reached, before a byte of the message leaves. */
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
  // The status has arrived: what the receiver does afterwards (cuts, hangs until the time is over) changes nothing.
  response.on('error', () => resolve(receipt))
  response.on('close', () => resolve(receipt))
}

function forbidden(address: string): ForbiddenAddress {
  const allowed = isLoopback(address) ? ', unless the server is started with --webhook-loopback' : ''
  return new ForbiddenAddress(`${address} is no address that webhooks go to${allowed}`)
}
