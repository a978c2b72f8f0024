/**
 * Tells on the console of what a callback of the application threw, where a call that is well must not fail for it. The
 * error itself is not printed: that of a token store may hold the token.
 */
export function complain(error: unknown): void {
  console.warn(`callback failed: ${error}`)
}
