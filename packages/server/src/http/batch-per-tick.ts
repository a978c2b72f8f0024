import { AsyncResource } from 'node:async_hooks'

/**
 * Does at the end of a turn of the event loop what came in it, one after the other, each in the asynchronous context
 * that it came in. To take requests apart, to look into a database and to send are three kinds of work: done for twenty
 * requests each, they find the processor's caches warm, and callers are woken once and not twenty times.
 *
 * @param work tells of its failures itself: nobody else would hear of them.
 */
export function batchPerTick<T>(work: (one: T) => void): (one: T) => void {
  let waiting: (() => void)[] = []
  const end = () => {
    const due = waiting
    waiting = []
    for (const one of due) one()
  }
  return (one) => {
    const context = new AsyncResource('SvcAdminCall', { requireManualDestroy: true })
    const inContext = () => context.runInAsyncScope(work, undefined, one)
    if (waiting.push(inContext) === 1) setImmediate(end)
  }
}
