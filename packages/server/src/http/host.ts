import type { IncomingMessage } from 'node:http'
import { problem } from '../domain/problem.ts'
import { occurrences } from './raw-headers.ts'

/** Matches a nonempty name (RFC 9110 §4.2.1) or an address, with an optional port (RFC 9112 §3.2, RFC 3986 §3.2.2). */
const wellFormed = /^(?:\[[\w.:~!$&'()*+,;=-]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)(?::\d*)?$/i

/** The last valid header, cached because most clients send the same `Host` header each time. */
let lastGood: string | undefined

/**
 * Rejects a missing, repeated or malformed `Host` header, as required by RFC 9112 §3.2. Node's parser doesn't reject
 * such headers.
 *
 * @throws {Problem} `VALIDATION_ERROR` if the header is invalid.
 */
export function requireHost({ headers: { host }, rawHeaders, httpVersion }: IncomingMessage): void {
  if (host === undefined) {
    if (httpVersion === '1.1') throw invalidHost('The request has no Host header.')
    return
  }
  if (occurrences(rawHeaders, 'host') > 1) throw invalidHost('The request has more than one Host header.')
  if (host === lastGood) return
  if (!wellFormed.test(host)) throw invalidHost('The Host header is not well-formed.')
  lastGood = host
}

const invalidHost = (detail: string) => problem('VALIDATION_ERROR', { detail, parameters: ['Host'] })

export const hostnameOf = (host: string): string => host.replace(/:\d*$/, '').toLowerCase()

/**
 * Returns whether a name always refers to this machine. With DNS rebinding, attackers can make other names refer to
 * this machine.
 */
export const isLoopback = (name: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(name)
