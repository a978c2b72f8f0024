import { formatValue, groupedByMeasure, type Measure, type Results } from './measures.ts'

const row = 22
const left = 300
const bar = 420
const width = left + bar + 130

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/**
 * Draws a bar chart with a group for each measurement and a bar for each project. This project's bars are highlighted.
 */
export function chart({ packages, machine }: Results): string {
  const groups = Object.entries(packages).flatMap(([name, measures]) =>
    [...groupedByMeasure(measures)].map(([measure, rows]) => ({ title: `${name}: ${measure}`, rows })),
  )
  let y = 40
  const parts = groups.map(({ title, rows }) => {
    const from = y
    y += row * (rows.length + 1.8)
    return groupOf(title, rows, from)
  })
  const about = `Node ${machine.node}, ${machine.cores} × ${machine.processor}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" role="img" aria-label="Benchmarks">
<style>text { font: 13px system-ui, sans-serif; fill: #222 } .t { font-weight: 600 } .o { fill: #0a6b58 } .p { fill: #b7bcc4 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .o { fill: #3ec9a7 } .p { fill: #5a616b } }</style>
<text x="8" y="20">${escaped(about)}</text>
${parts.join('\n')}
</svg>
`
}

function groupOf(title: string, rows: readonly Measure[], from: number): string {
  const largest = Math.max(...rows.map(({ value }) => value), Number.MIN_VALUE)
  const head = `<text class="t" x="8" y="${from + 16}">${escaped(title)} (${rows[0]?.better === 'more' ? 'more is better' : 'less is better'})</text>`
  const bars = rows.map(({ contender, value, unit, ours }, index) => {
    const y = from + row * (index + 1.2)
    const length = Math.max(1, (value / largest) * bar)
    return `<text x="8" y="${y + 14}">${escaped(contender)}</text><rect class="${ours ? 'o' : 'p'}" x="${left}" y="${y + 2}" width="${length.toFixed(1)}" height="16" rx="2"/><text x="${left + length + 6}" y="${y + 14}">${formatValue(value)} ${escaped(unit)}</text>`
  })
  return [head, ...bars].join('\n')
}
