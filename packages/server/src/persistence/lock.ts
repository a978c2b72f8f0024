/** A first-come lock within the process. */
export interface Lock {
  /** @throws {Error} after ten seconds: somebody reads outside the transaction that he is in. */
  acquire(): Promise<void>
  release(): void
}

const patience = 10_000
const free = Promise.resolve()

/** Builds a lock that nobody holds. Taking it while it is free costs no turn of the event loop. */
export function createLock(): Lock {
  let held = false
  const waiting: (() => void)[] = []
  const wait = () =>
    new Promise<void>((resolve, reject) => {
      const give = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(give), 1)
        reject(new Error('The database connection was not given back within ten seconds'))
      }, patience)
      waiting.push(give)
    })
  return {
    acquire: () => {
      if (held) return wait()
      held = true
      return free
    },
    release: () => {
      const next = waiting.shift()
      if (next) next()
      else held = false
    },
  }
}
