import { Misconfiguration } from '../engine/signals.ts'

/**
 * An address of HTTP.
 *
 * @param what is there.
 * @throws Misconfiguration when it is none.
 */
export const addressOf = (what: string, address: string): URL => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new Misconfiguration(`${what} is at an address such as http://127.0.0.1:8080, and not at ${address}`)
}
