import { randomBytes } from 'node:crypto'

/**
 * Creates a generator for request IDs. Each ID consists of a random prefix for the process and a counter, which makes
 * the ID unique.
 */
export function createRequestIds(): () => string {
  const process = randomBytes(6).toString('hex')
  let count = 0
  return () => {
    count += 1
    return `${process}-${count.toString(36)}`
  }
}
