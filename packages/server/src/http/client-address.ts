import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { createAccessList, networksIn } from '../domain/access-list.ts'
import { problem } from '../domain/problem.ts'

export type ClientAddress = (request: IncomingMessage) => string

/**
 * Finds the client behind trusted proxies. Each proxy appends its client's address to `X-Forwarded-For` or `Forwarded`
 * (RFC 7239), so the client's address is the last one that isn't a trusted proxy. The client may have forged all
 * addresses before that one. If there are no trusted proxies, the client is the other end of the connection.
 *
 * @param trusted Comma-separated networks.
 * @throws {Problem} `VALIDATION_ERROR` if a request has both headers with different addresses. A proxy sets only one of
 * these headers, and may forward the other one from the client.
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
 * Returns the addresses in the `for` parameters. For `unknown` and obfuscated identifiers, the address is undefined.
 */
function forwardedFor(header: string): (string | undefined)[] {
  return [...header.matchAll(element)].map(([text]) => {
    const [, quoted, plain = ''] = forPair.exec(text) ?? []
    return addressIn(quoted ?? plain)
  })
}

/** Matches an address with an optional port. If an IPv6 address has a port, the address is in brackets. */
const withPort = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/

function addressIn(text: string): string | undefined {
  const trimmed = text.trim()
  const [, v6, v4] = withPort.exec(trimmed) ?? []
  const address = v6 ?? v4 ?? trimmed
  return isIP(address) === 0 ? undefined : address
}
