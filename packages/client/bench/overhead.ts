/** One way to make a call that a stub answers. */
export interface Contender {
  readonly name: string
  call(): Promise<unknown>
}

export interface Overhead {
  readonly name: string
  readonly microseconds: number
  /** Against the first contender. */
  readonly ratio: number
}

/** Runs each contender in turn, many rounds, and takes the fastest round: what is left is the code itself. */
export async function measureOverhead(
  contenders: readonly Contender[],
  calls = 200,
  rounds = 200,
): Promise<Overhead[]> {
  const best = new Map<string, number>()
  for (let round = 0; round < rounds; round++) {
    for (const { name, call } of contenders) {
      const started = process.hrtime.bigint()
      for (let index = 0; index < calls; index++) await call()
      const microseconds = Number(process.hrtime.bigint() - started) / 1_000 / calls
      best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, microseconds))
    }
  }
  const [base = 1] = best.values()
  return [...best].map(([name, microseconds]) => ({ name, microseconds, ratio: microseconds / base }))
}
