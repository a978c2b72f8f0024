/**
 * Runs an application callback that must not make the call fail. If the callback throws or rejects, logs the error's
 * text as a warning. The error's other fields aren't logged because they may contain secrets, such as the failed
 * command of a token store.
 */
export async function tolerate<T>(callback: () => T): Promise<Awaited<T> | undefined> {
  try {
    return await callback()
  } catch (error) {
    let text = 'no text'
    try {
      text = String(error)
    } catch {
      // The callback can throw any value, even one that can't be converted to a string.
    }
    console.warn(`callback failed: ${text}`)
  }
}

/**
 * Like `tolerate`, but doesn't wait for a returned promise. Most callbacks return nothing. In that case, no promise is
 * created.
 */
export function tolerateNow(callback: () => unknown): void {
  let result: unknown
  try {
    result = callback()
  } catch (error) {
    result = Promise.reject(error)
  }
  if (typeof Object(result).then === 'function') void tolerate(() => result)
}
