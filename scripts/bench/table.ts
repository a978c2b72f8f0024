import { formatValue, groupedByMeasure, type Measure, type Results } from './measures.ts'

const widths = { contender: 46, value: 12, spread: 10, ratio: 12 }

/**
 * Formats all results as a table that is at most 80 characters wide. The table has a group for each measurement, and
 * shows each value relative to this project's value.
 */
export function table({ packages }: Results): string[] {
  const head = line('↑ more is better, ↓ less is better', 'measured', '±', 'times ours')
  const groups = Object.entries(packages).flatMap(([name, measures]) =>
    [...groupedByMeasure(measures)].flatMap(([measure, rows]) => [
      '',
      `${name}: ${measure}, ${rows[0]?.unit} ${rows[0]?.better === 'more' ? '↑' : '↓'}`,
      ...rows.map((row) => rowOf(row, rows)),
    ]),
  )
  return [head, '─'.repeat(head.length), ...groups]
}

function rowOf(row: Measure, rows: readonly Measure[]): string {
  const ours = rows.find((one) => one.ours)
  const ratio = ours && ours !== row && ours.value !== 0 ? formatValue(row.value / ours.value) : ''
  const spread = row.spread < 0.01 ? '' : `${Math.round(row.spread * 50)} %`
  return line(`${row.ours ? '▸' : ' '} ${row.contender}`, formatValue(row.value), spread, ratio)
}

const line = (contender: string, value: string, spread: string, ratio: string): string =>
  [
    contender.padEnd(widths.contender),
    value.padStart(widths.value),
    spread.padStart(widths.spread),
    ratio.padStart(widths.ratio),
  ]
    .join('')
    .trimEnd()
