import type { ChangeClass } from './change.ts'

/** Whether a schema describes requests or responses. */
export type Direction = 'request' | 'response'

/**
 * Fewer values are valid: a request that was accepted may be rejected, but responses contain no new values.
 */
export function narrowed(direction: Direction): ChangeClass {
  return direction === 'request' ? 'breaking' : 'additive'
}

/**
 * More values are valid: all requests are still accepted, but responses may contain values that clients don't
 * expect, unless the schema was open.
 */
export function widened(direction: Direction, open: boolean): ChangeClass {
  return direction === 'request' || open ? 'additive' : 'breaking'
}
