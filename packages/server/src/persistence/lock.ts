/** Those who wait for something that one at a time may have, first come first. */
export interface Queue {
  /**
   * Waits, and runs `go` at the very moment of being let go.
   *
   * @throws {Error} after ten seconds: somebody reads outside the transaction that he is in.
   */
  join<T>(go: () => T | Promise<T>): Promise<T>
  /** Lets the first one go; false if nobody waits. */
  next(): boolean
}

/** A first-come lock within the process. */
export interface Lock {
  /** @throws {Error} after ten seconds, as in a line. */
  acquire(): Promise<void>
  release(): void
}

const patience = 10_000
const free = Promise.resolve()

/** Builds a line that nobody stands in. */
export function createQueue(): Queue {
  const waiting: (() => void)[] = []
  return {
    join: (go) =>
      new Promise((resolve, reject) => {
        const give = () => {
          clearTimeout(timer)
          try {
            resolve(go())
          } catch (error) {
            reject(error)
          }
        }
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(give), 1)
          reject(new Error('The database connection was not released within ten seconds'))
        }, patience)
        waiting.push(give)
      }),
    next: () => {
      const first = waiting.shift()
      first?.()
      return first !== undefined
    },
  }
}

/** Builds a lock that nobody holds. Taking it while it is free costs no turn of the event loop. */
export function createLock(): Lock {
  let locked = false
  const queue = createQueue()
  return {
    acquire: () => {
      if (locked) return queue.join(() => {})
      locked = true
      return free
    },
    release: () => {
      locked = queue.next()
    },
  }
}
