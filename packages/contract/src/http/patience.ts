/** After this many requests of one kind have timed out, the run stops waiting for that kind. */
const maxSilent = 3

/** After skipping this many requests, the run sends one, because the target may have recovered. */
const retryEvery = 25

interface Silence {
  /** The number of consecutive timeouts. */
  inVain: number
  skipped: number
}

/** Learns which kinds of requests time out, so that a run doesn't wait for each of them. */
export interface Patience {
  /**
   * If the run should stop waiting for a kind of request, returns its number of timeouts. Otherwise, returns
   * `undefined`.
   */
  exhausted(kind: string): number | undefined
  note(kind: string, gotResponse: boolean): void
}

/**
 * @example
 * const patience = createPatience()
 * for (let tries = 0; tries < 3; tries += 1) patience.note('GET /slow', false)
 * patience.exhausted('GET /slow') // 3
 */
export const createPatience = (): Patience => {
  const silences = new Map<string, Silence>()
  return {
    exhausted(kind) {
      const silence = silences.get(kind)
      if (silence === undefined || silence.inVain < maxSilent) return undefined
      silence.skipped += 1
      return silence.skipped % retryEvery === 0 ? undefined : silence.inVain
    },
    note(kind, gotResponse) {
      const silence = silences.get(kind) ?? { inVain: 0, skipped: 0 }
      if (gotResponse) silences.delete(kind)
      else silences.set(kind, { ...silence, inVain: silence.inVain + 1 })
    },
  }
}
