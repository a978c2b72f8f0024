/**
 * Returns the number of times that a header occurs. `name` must be in lowercase. If a header is repeated, Node uses the
 * first value, but a proxy may use the last one.
 */
export function occurrences(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] ?? ''
    if (sent.length === name.length && sent.toLowerCase() === name) count += 1
  }
  return count
}
