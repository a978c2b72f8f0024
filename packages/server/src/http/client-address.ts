import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { createAccessList, networksIn } from '../domain/access-list.ts'
import { problem } from '../domain/problem.ts'

export type ClientAddress = (request: IncomingMessage) => string

/**
 * Determines the address of a client behind trusted proxies. Each proxy appends the address of its client to
 * `X-Forwarded-For` or `Forwarded` (RFC 7239). The client's address is therefore the last address that doesn't belong
 * to a trusted proxy. Clients can forge all earlier addresses. If there are no trusted proxies, the client's address is
 * the remote address of the connection.
 *
 * @param trusted Comma-separated networks.
 * @throws {Problem} `VALIDATION_ERROR` if a request has both headers with different addresses. A proxy sets only one of
 *   these headers and may forward the other header from the client.
 */
export function createClientAddress(trusted: string): ClientAddress {
  const networks = networksIn(trusted)
  if (networks.length === 0) return connectedAddress
  const proxies = createAccessList(networks)
  const beyond = (from: string, hops: readonly (string | undefined)[]): string => {
    let address = from
    for (const hop of hops.toReversed()) {
      if (!proxies.allows(address) || hop === undefined) break
      address = hop
    }
    return address
  }
  return (request) => {
    const from = connectedAddress(request)
    if (!proxies.allows(from)) return from
    const { 'x-forwarded-for': listed, forwarded } = request.headers
    const found = [
      ...(listed === undefined ? [] : [beyond(from, String(listed).split(',').map(addressIn))]),
      ...(forwarded === undefined ? [] : [beyond(from, forwardedFor(forwarded))]),
    ]
    const [address = from, other = address] = found
    if (address === other) return address
    throw problem('VALIDATION_ERROR', {
      detail: 'The headers Forwarded and X-Forwarded-For contain different client addresses.',
      parameters: ['Forwarded', 'X-Forwarded-For'],
    })
  }
}

const connectedAddress: ClientAddress = ({ socket }) => socket.remoteAddress ?? ''

/**
 * Matches one element of the header, which is a list of parameters. A value can be a quoted string that contains commas
 * and semicolons.
 */
const element = /(?:[^,"]|"(?:[^"\\]|\\.)*")+/g
const forPair = /(?:^|;)\s*for\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))/i

/**
 * Returns the addresses in the `for` parameters. The address is undefined for `unknown` and for obfuscated identifiers.
 */
function forwardedFor(header: string): (string | undefined)[] {
  return [...header.matchAll(element)].map(([text]) => {
    const [, quoted, plain = ''] = forPair.exec(text) ?? []
    return addressIn(quoted ?? plain)
  })
}

/** Matches an address with an optional port. IPv6 addresses with a port are in brackets. */
const withPort = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/

function addressIn(text: string): string | undefined {
  const trimmed = text.trim()
  const [, v6, v4] = withPort.exec(trimmed) ?? []
  const address = v6 ?? v4 ?? trimmed
  return isIP(address) === 0 ? undefined : address
}
