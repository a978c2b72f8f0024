import { BlockList, isIP } from 'node:net'

/** A list of IP addresses from which clients can use a credential. */
export interface AccessList {
  allows(address: string): boolean
}

const everybody: AccessList = { allows: () => true }

/**
 * Creates a list from IPv4 and IPv6 addresses and CIDR blocks. An empty list allows all addresses.
 *
 * @example
 * ```ts
 * createAccessList(['203.0.113.0/24', '2001:db8::1']).allows('203.0.113.7') // true
 * ```
 *
 * @throws {TypeError} if an entry is neither an IP address nor a CIDR block.
 */
export function createAccessList(entries: readonly string[]): AccessList {
  if (entries.length === 0) return everybody
  const list = new BlockList()
  for (const entry of entries) add(list, entry)
  return {
    allows: (address) => {
      const plain = withoutMapping(address)
      const family = isIP(plain)
      return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6')
    },
  }
}

export const networksIn = (value: string): string[] =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

function add(list: BlockList, entry: string): void {
  const [address = '', prefix, rest] = entry.split('/')
  const family = isIP(address)
  const bits = prefix === undefined ? undefined : Number(prefix)
  const valid = bits === undefined || (/^\d{1,3}$/.test(prefix ?? '') && bits <= (family === 4 ? 32 : 128))
  if (family === 0 || rest !== undefined || !valid) {
    throw new TypeError(`'${entry}' is neither an IP address nor a CIDR block`)
  }
  const name = family === 4 ? 'ipv4' : 'ipv6'
  if (bits === undefined) list.addAddress(address, name)
  else list.addSubnet(address, bits, name)
}

/**
 * Removes the prefix from an IPv4-mapped address such as `::ffff:a.b.c.d`, which dual-stack sockets report for IPv4
 * clients.
 */
function withoutMapping(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  return mapped?.[1] ?? address
}
