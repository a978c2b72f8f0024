/** One figure of a bench: every package's bench writes a list of them to the file that BENCH_JSON names. */
export interface Measure {
  /** What was measured: `get one, bearer`. */
  readonly measure: string
  /** Who: one of ours, or a peer of the same run. */
  readonly contender: string
  readonly value: number
  readonly unit: string
  readonly better: 'more' | 'less'
  /** Ours are compared with the committed figures; peers are there to be looked at. */
  readonly ours: boolean
  /** Largest and smallest of the rounds, apart from each other as a share of the value; 0 where nothing varies. */
  readonly spread: number
}

export interface Machine {
  readonly node: string
  readonly processor: string
  readonly cores: number
  readonly memoryGiB: number
  readonly system: string
}

export interface Results {
  readonly machine: Machine
  readonly packages: Readonly<Record<string, readonly Measure[]>>
}

/** What grew worse by more than the noise of both runs, and by more than a tenth. */
export function worsened(before: Results, after: Results): string[] {
  return Object.entries(before.packages).flatMap(([name, measures]) =>
    measures
      .filter(({ ours }) => ours)
      .flatMap((old) => {
        const now = after.packages[name]?.find(
          (one) => one.measure === old.measure && one.contender === old.contender,
        )
        if (now === undefined) return [`${name}: ${old.measure} (${old.contender}) is no longer measured`]
        // Nothing at all has no share of itself.
        if (now.value === old.value) return []
        const change = old.better === 'less' ? now.value / old.value : old.value / now.value
        const allowed = 1 + Math.max(0.1, old.spread, now.spread)
        if (change <= allowed) return []
        const figures = `${tell(old.value)} → ${tell(now.value)} ${old.unit}`
        return [
          `${name}: ${old.measure} (${old.contender}): ${figures}, worse by ${tell((change - 1) * 100)} %`,
        ]
      }),
  )
}

/** What was measured and cannot be compared, since no figures of it are recorded. */
export const notRecorded = (before: Results, after: Results): string[] =>
  Object.keys(after.packages).filter((name) => before.packages[name] === undefined)

/** A figure in as many digits as say something. */
export const tell = (value: number): string =>
  Math.abs(value) >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString()
