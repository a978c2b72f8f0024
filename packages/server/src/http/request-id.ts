import { randomBytes } from 'node:crypto'

/** Builds a maker of request ids: chance for the process, then a count, so that they sort and never repeat. */
export function createRequestIds(): () => string {
  const process = randomBytes(6).toString('hex')
  let count = 0
  return () => {
    count += 1
    return `${process}-${count.toString(36)}`
  }
}
