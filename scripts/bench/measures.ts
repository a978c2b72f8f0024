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

/** Units of what takes longer on a slower machine. */
const times: ReadonlySet<string> = new Set(['ms', 's', 's of processor'])

const same = (one: Measure, other: Measure): boolean =>
  one.measure === other.measure && one.contender === other.contender

/**
 * What a figure is divided by before it is compared with that of another run. Sizes, counts and ratios mean the same on
 * any machine; a time is measured in what the peers took in its own run (their geometric mean, of those that both runs
 * have): peers in the same thing, or where there are none, in all of the package.
 */
function yardstick(figure: Measure, run: readonly Measure[], other: readonly Measure[]): number {
  if (!times.has(figure.unit)) return 1
  const peers = run.filter(
    (one) => !one.ours && times.has(one.unit) && one.value > 0 && other.some((each) => same(each, one)),
  )
  const close = peers.filter(({ measure }) => measure === figure.measure)
  const used = close.length > 0 ? close : peers
  if (used.length === 0) return 1
  return Math.exp(used.reduce((sum, { value }) => sum + Math.log(value), 0) / used.length)
}

/** What grew worse by more than the noise of both runs, and by more than a tenth; times as ratios to the peers'. */
export function worsened(before: Results, after: Results): string[] {
  return Object.entries(before.packages).flatMap(([name, measures]) => {
    const measured = after.packages[name] ?? []
    return measures
      .filter(({ ours }) => ours)
      .flatMap((old) => {
        const now = measured.find((one) => same(one, old))
        if (now === undefined) return [`${name}: ${old.measure} (${old.contender}) is no longer measured`]
        // Nothing at all has no share of itself.
        if (now.value === old.value) return []
        const was = old.value / yardstick(old, measures, measured)
        const is = now.value / yardstick(now, measured, measures)
        const change = old.better === 'less' ? is / was : was / is
        const allowed = 1 + Math.max(0.1, old.spread, now.spread)
        if (change <= allowed) return []
        const figures = `${tell(old.value)} → ${tell(now.value)} ${old.unit}`
        const told = times.has(old.unit) ? `${figures}, beside its peers` : `${figures},`
        return [`${name}: ${old.measure} (${old.contender}): ${told} worse by ${tell((change - 1) * 100)} %`]
      })
  })
}

/** What was measured and cannot be compared, since no figures of it are recorded. */
export const notRecorded = (before: Results, after: Results): string[] =>
  Object.keys(after.packages).filter((name) => before.packages[name] === undefined)

/** A figure in as many digits as say something. */
export const tell = (value: number): string =>
  Math.abs(value) >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString()

export function groupedByMeasure(measures: readonly Measure[]): ReadonlyMap<string, readonly Measure[]> {
  const groups = new Map<string, Measure[]>()
  for (const one of measures) groups.set(one.measure, [...(groups.get(one.measure) ?? []), one])
  return groups
}
