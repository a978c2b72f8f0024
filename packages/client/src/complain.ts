/**
 * Tells on the console of what a callback of the application threw, where a call that is well must not fail for it. Its
 * text alone: what else an error holds may be a secret, as the command of a token store that failed.
 */
export function complain(error: unknown): void {
  console.warn(`callback failed: ${error}`)
}
