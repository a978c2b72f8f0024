import type { IncomingMessage } from 'node:http'
import { problem } from '../domain/problem.ts'
import { occurrences } from './raw-headers.ts'

/** RFC 9112 §3.2 with RFC 3986 §3.2.2: a name or an address, never empty (RFC 9110 §4.2.1), and perhaps a port. */
const wellFormed = /^(?:\[[\w.:~!$&'()*+,;=-]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)(?::\d*)?$/i

/** Clients send the same again and again. */
let lastGood: string | undefined

/**
 * What Node's parser lets through although RFC 9112 §3.2 does not.
 *
 * @throws {Problem} `VALIDATION_ERROR`.
 */
export function requireHost({ headers: { host }, rawHeaders, httpVersion }: IncomingMessage): void {
  if (host === undefined) {
    if (httpVersion === '1.1') throw refused('The request has no Host.')
    return
  }
  if (occurrences(rawHeaders, 'host') > 1) throw refused('The request has more than one Host.')
  if (host === lastGood) return
  if (!wellFormed.test(host)) throw refused('The Host of the request is not well-formed.')
  lastGood = host
}

const refused = (detail: string) => problem('VALIDATION_ERROR', { detail, parameters: ['Host'] })

/** The name in a `Host`, without the port. */
export const hostnameOf = (host: string): string => host.replace(/:\d*$/, '').toLowerCase()

/** Whether a name leads to this machine, whatever a name server says; another one may have been pointed at us. */
export const isLoopback = (name: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(name)
