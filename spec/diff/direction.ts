import type { ChangeClass } from './change.ts'

/** Whether a schema describes requests or responses. */
export type Direction = 'request' | 'response'

/**
 * Classifies a change that makes a schema accept fewer values. In requests, this is breaking because the server may
 * reject values that it used to accept. In responses, this isn't breaking because clients receive no new values.
 */
export function narrowed(direction: Direction): ChangeClass {
  return direction === 'request' ? 'breaking' : 'additive'
}

/**
 * Classifies a change that makes a schema accept more values. In requests, this isn't breaking. In responses, clients
 * may receive values that they don't expect. Clients of open schemas must always expect new values.
 */
export function widened(direction: Direction, open: boolean): ChangeClass {
  return direction === 'request' || open ? 'additive' : 'breaking'
}
