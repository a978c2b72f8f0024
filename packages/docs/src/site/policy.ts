/** Prevents clickjacking by forbidding frames. Only works in a header. */
const unframed = "frame-ancestors 'none'"

/** The policy of the pages. The server also sends it as a header, so that a page can't loosen it. */
export const pagePolicy = `default-src 'self'; base-uri 'self'; form-action 'self'; ${unframed}`

/** The request form sends requests to the server that the reader enters. */
export const tryPolicy = `${pagePolicy}; connect-src 'self' http: https:`

/** The header by path prefix. The longest matching prefix applies. */
export const policies: Readonly<Record<string, string>> = { '/': pagePolicy, '/try/': tryPolicy }
