import { randomBytes } from 'node:crypto'

/**
 * Creates a generator for request IDs. Each ID consists of a random prefix for the process and a counter, so IDs are
 * unique and can be sorted by time.
 */
export function createRequestIds(): () => string {
  const process = randomBytes(6).toString('hex')
  let count = 0
  return () => {
    count += 1
    return `${process}-${count.toString(36)}`
  }
}
