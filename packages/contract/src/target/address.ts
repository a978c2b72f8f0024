import { Misconfiguration } from '../model/signals.ts'

/** Parts of an address that don't belong to its location, each with its proper place. */
const extras = (url: URL): string[] => [
  ...(url.username || url.password ? ['a user name or password; put these in the target file'] : []),
  ...(url.search ? ['a query'] : []),
  ...(url.hash ? ['a fragment'] : []),
]

/**
 * An HTTP address that only contains a location. It appears in every report.
 *
 * @param what the purpose of the address.
 * @throws Misconfiguration if it isn't such an address.
 */
export const addressOf = (what: string, address: string): URL => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const example = `${what} must be an address such as http://127.0.0.1:8080`
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new Misconfiguration(`${example}, but was ${address}`)
  const [extra] = extras(url)
  // The part may be a secret, so the message doesn't contain it.
  if (extra !== undefined) throw new Misconfiguration(`${example}, without ${extra}`)
  return url
}
