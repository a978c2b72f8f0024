/** A controller is used for so many attempts, one after the other, and then left to the collector. */
const mostUses = 100
const mostIdle = 50

interface Lease {
  readonly controller: AbortController
  uses: number
}

const idle: Lease[] = []

/**
 * An abort controller for one attempt. Making its signal is dearer on Node than all the rest of a call, so
 * one that was not aborted is used again; not for ever, because implementations of `fetch` differ in when
 * they let go of the listeners that they put on it.
 */
export function borrowController(): Lease {
  return idle.pop() ?? { controller: new AbortController(), uses: 0 }
}

/** Gives a controller back after an attempt that ended by itself. */
export function returnController(lease: Lease): void {
  lease.uses++
  if (lease.uses < mostUses && idle.length < mostIdle) idle.push(lease)
}
