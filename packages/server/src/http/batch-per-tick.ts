import { AsyncResource } from 'node:async_hooks'

/**
 * Collects items and processes them together at the end of the event loop turn, each in its own asynchronous context.
 * Parsing, database access and sending run different code, so processing each kind of work in batches keeps the CPU
 * caches warm. Clients also wake up only once.
 *
 * @param work must handle its own errors.
 */
export function batchPerTick<T>(work: (one: T) => void): (one: T) => void {
  let pending: (() => void)[] = []
  const flush = () => {
    const batch = pending
    pending = []
    for (const one of batch) one()
  }
  return (one) => {
    const context = new AsyncResource('SvcAdminCall', { requireManualDestroy: true })
    const inContext = () => context.runInAsyncScope(work, undefined, one)
    if (pending.push(inContext) === 1) setImmediate(flush)
  }
}
