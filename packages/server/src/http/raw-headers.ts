/** How often a header was sent, its name given in lower case: where Node keeps the first, others keep the last. */
export function occurrences(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] ?? ''
    if (sent.length === name.length && sent.toLowerCase() === name) count += 1
  }
  return count
}
