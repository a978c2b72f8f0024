import type { ChangeClass } from './change.ts'

/** Whether a schema describes requests or responses. */
export type Direction = 'request' | 'response'

/**
 * Fewer values are valid. The server may now reject a request that it previously accepted, but responses have no new
 * values.
 */
export function narrowed(direction: Direction): ChangeClass {
  return direction === 'request' ? 'breaking' : 'additive'
}

/**
 * More values are valid. The server still accepts all requests, but responses may have values that clients don't
 * expect, unless the schema was open.
 */
export function widened(direction: Direction, open: boolean): ChangeClass {
  return direction === 'request' || open ? 'additive' : 'breaking'
}
