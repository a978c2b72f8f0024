/**
 * The address that links are written with. A client that called the server `localhost` gets links to `localhost`:
 * to it, `127.0.0.1` would be another origin, to which it must not send its credentials. No other `Host` is
 * believed, or a request could choose where its reader goes next.
 */
export function createBaseUrl(publicUrl: string, host: string, port: () => number | undefined) {
  const own = host === '0.0.0.0' || host === '::' ? 'localhost' : toUrlHost(host)
  const names = new Set(['localhost', '127.0.0.1', '[::1]', own])
  // Clients send the same again and again.
  let last = { host: '', port: 0, url: '' }
  return (hostHeader: string | undefined): string => {
    if (publicUrl !== '') return publicUrl
    const number = port() ?? 80
    if (hostHeader === last.host && number === last.port) return last.url
    const asked = hostHeader?.toLowerCase() ?? ''
    const colon = asked.lastIndexOf(':')
    const known = colon > 0 && names.has(asked.slice(0, colon)) && asked.slice(colon + 1) === String(number)
    const url = `http://${known ? asked : `${own}:${number}`}`
    last = { host: hostHeader ?? '', port: number, url }
    return url
  }
}

/** A name may be of any language: in a header and a link it is written in ASCII, and in lower case. */
function toUrlHost(host: string): string {
  const written = host.includes(':') ? `[${host}]` : host
  return URL.canParse(`http://${written}`) ? new URL(`http://${written}`).hostname : written
}
