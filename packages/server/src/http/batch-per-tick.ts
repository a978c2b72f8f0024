import { AsyncResource } from 'node:async_hooks'

/**
 * Collects items and processes them together at the end of an event loop turn, each in its own async context.
 * Processing a whole batch in each stage, such as parsing, database access and sending, keeps the CPU caches warm.
 * Batching also wakes up each client only once.
 *
 * @param work Processes one item and handles its own errors.
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
