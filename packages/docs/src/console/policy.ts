/** No page of ours is shown within another one, which could lie over it what it likes. It counts only in a header. */
const unframed = "frame-ancestors 'none'"

/** What the pages may load; the server sends the same, so that a page cannot loosen it. */
export const pagePolicy = `default-src 'self'; base-uri 'self'; form-action 'self'; ${unframed}`

/**
 * The console writes its own style elements while it renders (styled-components). That reaches no other host; scripts
 * stay files of this site.
 */
export const consolePolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
].join('; ')

/** The header that a server must send, by the beginning of the path; the longest one applies. */
export const policies: Readonly<Record<string, string>> = {
  '/': pagePolicy,
  '/console/': `${consolePolicy}; ${unframed}`,
}
