/** This directive prevents clickjacking by forbidding frames. The directive works only in a header. */
const unframed = "frame-ancestors 'none'"

/** The pages' content security policy. The server also sends this policy as a header so that a page can't loosen it. */
export const pagePolicy = `default-src 'self'; base-uri 'self'; form-action 'self'; ${unframed}`

/** The policy for the request form, which sends requests to any server that the reader enters. */
export const tryPolicy = `${pagePolicy}; connect-src 'self' http: https:`

/** The header's value for each path prefix. The longest matching prefix applies. */
export const policies: Readonly<Record<string, string>> = { '/': pagePolicy, '/try/': tryPolicy }
