import type { ChangeClass } from './change.ts'

/** Whether clients send what a schema describes, or receive it. */
export type Direction = 'request' | 'response'

/** Fewer values fit than did: a request that was taken may be refused, an answer holds no surprise. */
export function narrowed(direction: Direction): ChangeClass {
  return direction === 'request' ? 'breaking' : 'additive'
}

/**
 * More values fit than did: every request is still taken, an answer may hold what no client expects, unless the schema
 * was open, for which clients expect any value of its type.
 */
export function widened(direction: Direction, open: boolean): ChangeClass {
  return direction === 'request' || open ? 'additive' : 'breaking'
}
