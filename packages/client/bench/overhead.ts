/** A client to measure. The calls go to a stub instead of a server. */
export interface Contender {
  readonly name: string
  call(): Promise<unknown>
}

export interface Overhead {
  readonly name: string
  readonly microseconds: number
  /** The overhead relative to the first contender. */
  readonly ratio: number
  /** The spread of the ratio across five parts of the run, relative to the ratio. */
  readonly spread: number
}

const parts = 5

/**
 * Runs the contenders one after another for many rounds. Only each contender's fastest round counts because it is the
 * least affected by noise. The benchmark measures CPU time because other programs affect CPU time less than elapsed
 * time.
 */
export async function measureOverhead(
  contenders: readonly Contender[],
  calls = 30,
  rounds = 1_500,
): Promise<Overhead[]> {
  const best = contenders.map(() => new Array<number>(parts).fill(Number.POSITIVE_INFINITY))
  for (let round = 0; round < rounds; round++) {
    for (const [index, { call }] of contenders.entries()) {
      const started = process.cpuUsage()
      for (let count = 0; count < calls; count++) await call()
      const { user, system } = process.cpuUsage(started)
      const microseconds = (user + system) / calls
      const fifth = Math.floor((round * parts) / rounds)
      const mine = best[index] ?? []
      mine[fifth] = Math.min(mine[fifth] ?? microseconds, microseconds)
    }
  }
  const [base = []] = best
  return contenders.map(({ name }, index) => {
    const mine = best[index] ?? []
    const ratios = mine.map((value, part) => value / (base[part] ?? value))
    const ratio = Math.min(...mine) / Math.min(...base)
    const spread = (Math.max(...ratios) - Math.min(...ratios)) / ratio
    return { name, microseconds: Math.min(...mine), ratio, spread }
  })
}
