/**
 * A single benchmark result. Each package's benchmark writes a list of results to the file whose path is in BENCH_JSON.
 */
export interface Measure {
  /** The name of the measurement, such as `get one, bearer`. */
  readonly measure: string
  /** The measured project, which is either a variant of this project or a comparable one. */
  readonly contender: string
  readonly value: number
  readonly unit: string
  readonly better: 'more' | 'less'
  /**
   * Whether the result is for this project. Only this project's results are compared with the baseline. Results for
   * other projects are for information only.
   */
  readonly ours: boolean
  /**
   * The difference between the highest and lowest value in all rounds, relative to the result. 0 means that all values
   * were the same.
   */
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

/** The units that depend on the speed of the machine. */
const times: ReadonlySet<string> = new Set(['ms', 's', 's of processor'])

const same = (one: Measure, other: Measure): boolean =>
  one.measure === other.measure && one.contender === other.contender

/**
 * Returns the number to divide a result by before comparing it with results from another machine. For sizes, counts and
 * ratios, the number is 1, because they don't depend on the machine. For times, the number is the geometric mean of
 * other projects' times that are in both runs. Uses the times for the same measurement or, if there are none, all times
 * for the package.
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

/**
 * Returns the results that are worse than the baseline by more than 10%, and by more than the noise in both runs. Times
 * are compared relative to other projects' times.
 */
export function worsened(before: Results, after: Results): string[] {
  return Object.entries(before.packages).flatMap(([name, measures]) => {
    const measured = after.packages[name] ?? []
    return measures
      .filter(({ ours }) => ours)
      .flatMap((old) => {
        const now = measured.find((one) => same(one, old))
        if (now === undefined) return [`${name}: ${old.measure} (${old.contender}) is no longer measured`]
        // A change from 0 can't be expressed as a percentage.
        if (now.value === old.value) return []
        const was = old.value / yardstick(old, measures, measured)
        const is = now.value / yardstick(now, measured, measures)
        const change = old.better === 'less' ? is / was : was / is
        const allowed = 1 + Math.max(0.1, old.spread, now.spread)
        if (change <= allowed) return []
        const figures = `${formatValue(old.value)} → ${formatValue(now.value)} ${old.unit}`
        const description = times.has(old.unit) ? `${figures}, relative to other projects` : `${figures},`
        return [
          `${name}: ${old.measure} (${old.contender}): ${description} worse by ${formatValue((change - 1) * 100)} %`,
        ]
      })
  })
}

/** Returns the packages that were measured but have no baseline. */
export const notRecorded = (before: Results, after: Results): string[] =>
  Object.keys(after.packages).filter((name) => before.packages[name] === undefined)

/** Formats a value as an integer if it is 100 or more, and with up to three significant digits otherwise. */
export const formatValue = (value: number): string =>
  Math.abs(value) >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString()

export function groupedByMeasure(measures: readonly Measure[]): ReadonlyMap<string, readonly Measure[]> {
  const groups = new Map<string, Measure[]>()
  for (const one of measures) groups.set(one.measure, [...(groups.get(one.measure) ?? []), one])
  return groups
}
