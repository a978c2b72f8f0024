/** After this many timeouts in a row, the kit stops waiting for requests of the same kind. */
const maxSilent = 3

/** After this many skipped requests, the kit sends one request, because the target may have recovered. */
const retryEvery = 25

interface Silence {
  /** The number of consecutive timeouts. */
  inVain: number
  skipped: number
}

/** Learns which kinds of requests time out, so that a run doesn't have to wait for all of them. */
export interface Patience {
  /**
   * Returns the number of timeouts if the kit should stop waiting for this kind of request.
   * Otherwise, returns `undefined`.
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
