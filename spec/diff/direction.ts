import type { ChangeClass } from './change.ts'

/** Whether a schema describes requests or responses. */
export type Direction = 'request' | 'response'

/**
 * Fewer values are valid. The server may now reject requests that it previously accepted, but responses contain no new
 * values.
 */
export function narrowed(direction: Direction): ChangeClass {
  return direction === 'request' ? 'breaking' : 'additive'
}

/**
 * More values are valid. The server still accepts all requests but, unless the schema was open, responses may contain
 * values that clients don't expect.
 */
export function widened(direction: Direction, open: boolean): ChangeClass {
  return direction === 'request' || open ? 'additive' : 'breaking'
}
