/**
 * Runs a callback of the application, where a call that is well must not fail for it. What it throws, at once or later, is
 * told on the console. Its text alone: what else an error holds may be a secret, as the command of a token store that
 * failed.
 */
export async function tolerate<T>(callback: () => T): Promise<Awaited<T> | undefined> {
  try {
    return await callback()
  } catch (error) {
    console.warn(`callback failed: ${error}`)
    return undefined
  }
}
