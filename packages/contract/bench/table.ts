import type { Measure } from '../../../scripts/bench/measures.ts'

/** One tool's results, shown as a row in the table. */
export interface Row {
  readonly name: string
  readonly ours: boolean
  /** The duration of each run against the entire reference server, in seconds. */
  readonly seconds: readonly number[]
  /**
   * The number of findings on the reference server. The reference server meets all requirements, so each
   * finding is a false alarm.
   */
  readonly standing: number
  /** The number of findings that appear only with valid variants of the reference server. */
  readonly alarms: number
  readonly kills: number
  /** The number of times that the tool timed out. */
  readonly late: number
}

const widths = [26, 12, 10, 14, 14] as const

const line = (cells: readonly string[]): string =>
  `${cells.map((cell, index) => (index === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[index] ?? 0))).join('')}\n`

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((one, other) => one - other)[numbers.length >> 1] ?? 0

/** Formats the results as a table that is at most 80 columns wide. */
export const table = (rows: readonly Row[], total: number, cap: number): string =>
  [
    line(['', 'mutants', 'seconds', 'false alarms', 'false alarms']),
    line(['', 'noticed', 'a run', 'unchanged', 'in variants']),
    ...rows.map(({ name, kills, seconds, standing, alarms }) =>
      line([name, `${kills} of ${total}`, median(seconds).toFixed(1), String(standing), String(alarms)]),
    ),
    ...rows
      .filter(({ late }) => late > 0)
      .map(
        ({ name, late }) =>
          `${name} exceeded its time limit ${late} times (${cap} s for a mutant, ten times as much for a whole run)\n`,
      ),
  ].join('')

/** Converts the results to rows of the repository's benchmark report. */
export const measuresOf = (rows: readonly Row[], total: number): Measure[] =>
  rows.flatMap(({ name: contender, ours, kills, seconds, standing, alarms, late }) => {
    const row = (measure: string, value: number, unit: string, better: 'more' | 'less', spread = 0) => ({
      measure,
      contender,
      value,
      unit,
      better,
      ours,
      spread,
    })
    const middle = median(seconds)
    const spread = middle === 0 ? 0 : (Math.max(...seconds) - Math.min(...seconds)) / middle
    return [
      row(`mutants noticed, of ${total}`, kills, 'mutants', 'more'),
      row('a run on the reference server', middle, 's', 'less', spread),
      row('false alarms on the reference server', standing, 'findings', 'less'),
      row('false alarms in legal variants', alarms, 'findings', 'less'),
      row('timeouts', late, 'looks', 'less'),
    ]
  })
