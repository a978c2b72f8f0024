/**
 * Runs a callback of the application whose failure must not fail the call. If it throws or rejects, logs the
 * error's text as a warning. Other fields of the error aren't logged because they may hold a secret, such as
 * the failed command of a token store.
 */
export async function tolerate<T>(callback: () => T): Promise<Awaited<T> | undefined> {
  try {
    return await callback()
  } catch (error) {
    let text = 'no text'
    try {
      text = String(error)
    } catch {
      // Anything can be thrown, including values that can't be converted to a string.
    }
    console.warn(`callback failed: ${text}`)
  }
}
