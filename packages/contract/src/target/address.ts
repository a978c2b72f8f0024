import { Misconfiguration } from '../engine/signals.ts'

/** What an address may have besides where something is, each with the place where it belongs instead. */
const extras = (url: URL): string[] => [
  ...(url.username || url.password ? ['a user name or password, which belong in the target file'] : []),
  ...(url.search ? ['a query'] : []),
  ...(url.hash ? ['a fragment'] : []),
]

/**
 * An address of HTTP, of nothing but a place: it stands in every report.
 *
 * @param what is there.
 * @throws Misconfiguration when it is none.
 */
export const addressOf = (what: string, address: string): URL => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const example = `${what} is at an address such as http://127.0.0.1:8080`
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new Misconfiguration(`${example}, and not at ${address}`)
  const [extra] = extras(url)
  // What may be a secret is not repeated.
  if (extra !== undefined) throw new Misconfiguration(`${example}, and not at one with ${extra}`)
  return url
}
