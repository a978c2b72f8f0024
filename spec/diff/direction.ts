import type { ChangeClass } from './change.ts'

/** Whether a schema describes requests or responses. */
export type Direction = 'request' | 'response'

/**
 * Classifies a change that makes fewer values valid. The server may now reject requests that it previously
 * accepted, but responses contain no new values.
 */
export function narrowed(direction: Direction): ChangeClass {
  return direction === 'request' ? 'breaking' : 'additive'
}

/**
 * Classifies a change that makes more values valid. The server still accepts all requests. However, responses
 * may contain values that clients don't expect, unless the schema was open.
 */
export function widened(direction: Direction, open: boolean): ChangeClass {
  return direction === 'request' || open ? 'additive' : 'breaking'
}
