import { Misconfiguration } from '../model/signals.ts'

/** Returns the parts that an address must not contain, with a hint about where they belong. */
const extras = (url: URL): string[] => [
  ...(url.username || url.password ? ['a user name or password; put these in the target file'] : []),
  ...(url.search ? ['a query'] : []),
  ...(url.hash ? ['a fragment'] : []),
]

/**
 * Parses an HTTP address. The address must not contain credentials, a query or a fragment, because it appears in every
 * report.
 *
 * @param what The purpose of the address, for error messages.
 * @throws Misconfiguration if the address is invalid or contains credentials, a query or a fragment.
 */
export const addressOf = (what: string, address: string): URL => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const example = `${what} must be an address such as http://127.0.0.1:8080`
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new Misconfiguration(`${example}, but was ${address}`)
  const [extra] = extras(url)
  // The unexpected part may be a secret, so the message must not contain it.
  if (extra !== undefined) throw new Misconfiguration(`${example}, without ${extra}`)
  return url
}
