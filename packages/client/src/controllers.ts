/** The number of attempts that can reuse a controller before it is discarded. */
const maxUses = 100
const maxIdle = 50

interface Lease {
  readonly controller: AbortController
  uses: number
}

const idle: Lease[] = []

/**
 * Returns an abort controller for one attempt. On Node.js, creating a signal costs more than the rest of a
 * call, so controllers that weren't aborted are reused. The number of uses is limited because some `fetch`
 * implementations are slow to remove their listeners from a signal.
 */
export function borrowController(): Lease {
  return idle.pop() ?? { controller: new AbortController(), uses: 0 }
}

/** Makes a controller available again after an attempt that wasn't aborted. */
export function returnController(lease: Lease): void {
  if (++lease.uses < maxUses && idle.length < maxIdle) idle.push(lease)
}
