import { BlockList, isIP } from 'node:net'

const private4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local addresses, including the addresses of cloud metadata services.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/**
 * The blocked ranges within 2000::/3, the only publicly routed IPv6 range. The blocked ranges include documentation
 * addresses and addresses that tunnel to arbitrary IPv4 addresses.
 */
const private6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const refused4 = listOf(private4, 'ipv4')
const refused6 = listOf(private6, 'ipv6')
const routed6 = listOf([['2000::', 3]], 'ipv6')
const loopback4 = listOf([['127.0.0.0', 8]], 'ipv4')
const loopback6 = listOf([['::1', 128]], 'ipv6')

/**
 * Returns whether the server can send webhooks to an address. Only addresses that are known to be public are allowed
 * (OWASP API7:2023). IPv4-mapped IPv6 addresses such as `::ffff:10.0.0.1` are outside 2000::/3 and therefore rejected.
 */
export function mayConnect(address: string, loopback: boolean): boolean {
  const family = isIP(address)
  if (loopback && isLoopback(address)) return true
  if (family === 4) return !refused4.check(address, 'ipv4')
  if (family !== 6) return false
  return routed6.check(address, 'ipv6') && !refused6.check(address, 'ipv6')
}

export function isLoopback(address: string): boolean {
  const family = isIP(address)
  return family === 4 ? loopback4.check(address, 'ipv4') : family === 6 && loopback6.check(address, 'ipv6')
}

function listOf(subnets: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family)
  return list
}
