/** A queue that serves callers in order of arrival. */
export interface Queue {
  /**
   * Waits for the caller's turn and then runs `go` synchronously.
   *
   * @throws {Error} after waiting for ten seconds. The usual cause is that a caller waits for a read outside its own
   *   transaction.
   */
  join<T>(go: () => T | Promise<T>): Promise<T>
  /** Starts the first caller in the queue. Returns false if the queue is empty. */
  next(): boolean
}

/** A lock within this process. Callers acquire the lock in the order of their requests. */
export interface Lock {
  /**
   * Waits for the lock.
   *
   * @throws {Error} after waiting for ten seconds. See `join`.
   */
  acquire(): Promise<void>
  release(): void
}

const patience = 10_000
const free = Promise.resolve()

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

/** Creates a lock. Acquiring a free lock doesn't require an event loop turn. */
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
