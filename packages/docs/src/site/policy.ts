/**
 * Prevents other sites from showing this site in a frame, which protects against clickjacking. Browsers accept this
 * directive only in a header.
 */
const unframed = "frame-ancestors 'none'"

/**
 * The content security policy for all pages. The server also sends the policy as a header so that a page's HTML can't
 * weaken it.
 */
export const pagePolicy = `default-src 'self'; base-uri 'self'; form-action 'self'; ${unframed}`

/**
 * The content security policy for the page that sends requests. This policy allows connections to any server that the
 * reader enters.
 */
export const tryPolicy = `${pagePolicy}; connect-src 'self' http: https:`

/** The content security policy for each path prefix. If several prefixes match, the longest one applies. */
export const policies: Readonly<Record<string, string>> = { '/': pagePolicy, '/try/': tryPolicy }
