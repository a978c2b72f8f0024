/** After this many requests of one kind got no response in time, the run stops waiting for that kind. */
const maxSilent = 3

/** One request is sent after this many skipped requests, because the target may have recovered. */
const retryEvery = 25

interface Silence {
  /** The number of consecutive requests that got no response in time. */
  inVain: number
  skipped: number
}

/** Learns which kinds of requests get no response in time, so that a run doesn't wait for every one of them. */
export interface Patience {
  /**
   * Returns how many requests of a kind got no response, if the run should no longer wait for that kind. Otherwise,
   * returns `undefined`.
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
