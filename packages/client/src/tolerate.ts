/**
 * Runs a callback of the application, where a call that is well must not fail for it. What it throws, at once or later, is
 * told on the console. Its text alone: what else an error holds may be a secret, as the command of a token store that
 * failed.
 */
export async function tolerate<T>(callback: () => T): Promise<Awaited<T> | undefined> {
  try {
    return await callback()
  } catch (error) {
    let text = 'no text'
    try {
      text = String(error)
    } catch {
      // Anything can be thrown, also what has no text.
    }
    console.warn(`callback failed: ${text}`)
  }
}
