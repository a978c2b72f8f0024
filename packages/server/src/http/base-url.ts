/** Returns the base URL for a `Host` header. */
export type BaseUrl = (hostHeader: string | undefined) => string

interface BaseUrlOptions {
  readonly publicUrl: string
  readonly host: string
  readonly tlsCertificate: string
}

/**
 * Returns a function that builds the base URL for links. If the client requests `localhost`, links use `localhost` too,
 * because clients must not send credentials to `127.0.0.1`, which is a different origin. All other `Host` values are
 * ignored, because an attacker could use them to redirect clients that follow the links.
 */
export function createBaseUrl(
  { publicUrl, host, tlsCertificate }: BaseUrlOptions,
  port: () => number | undefined,
): BaseUrl {
  const scheme = tlsCertificate === '' ? 'http' : 'https'
  const own = host === '0.0.0.0' || host === '::' ? 'localhost' : toUrlHost(host)
  const names = new Set(['localhost', '127.0.0.1', '[::1]', own])
  // Cache the last result, because most clients send the same `Host` header each time.
  let last = { host: '', port: 0, url: '' }
  return (hostHeader: string | undefined): string => {
    if (publicUrl !== '') return publicUrl
    const number = port() ?? 80
    if (hostHeader === last.host && number === last.port) return last.url
    const requested = hostHeader?.toLowerCase() ?? ''
    const colon = requested.lastIndexOf(':')
    const known =
      colon > 0 && names.has(requested.slice(0, colon)) && requested.slice(colon + 1) === String(number)
    const url = `${scheme}://${known ? requested : `${own}:${number}`}`
    last = { host: hostHeader ?? '', port: number, url }
    return url
  }
}

/** Converts an internationalized hostname to lowercase ASCII, which is required in headers and links. */
function toUrlHost(host: string): string {
  const written = host.includes(':') ? `[${host}]` : host
  return URL.canParse(`http://${written}`) ? new URL(`http://${written}`).hostname : written
}
