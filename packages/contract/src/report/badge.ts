import { failsForUntestable, type Report, unexcused } from './report.ts'
import { formatCount } from './text.ts'

/** Approximate width of a text in 11 px Verdana. */
const widthOf = (text: string): number => Math.ceil(text.length * 6.6) + 12

const stateOf = (report: Report): { text: string; colour: string } => {
  const { summary, untested, interrupted, waiverProblems } = report
  const [broken, warned] = [unexcused(report, 'FAIL'), unexcused(report, 'WARN')]
  if (summary['KIT ERROR'] > 0) return { text: 'kit error', colour: '#6a6a6a' }
  if (broken > 0) return { text: `${broken} broken`, colour: '#b3261e' }
  if (waiverProblems.length > 0)
    return { text: formatCount(waiverProblems.length, 'bad waiver'), colour: '#b3261e' }
  if (interrupted !== undefined) return { text: 'interrupted', colour: '#6a6a6a' }
  if (failsForUntestable(report))
    return { text: `${unexcused(report, 'UNTESTABLE')} untestable`, colour: '#b3261e' }
  if (warned > 0) return { text: `conforms, ${formatCount(warned, 'warning')}`, colour: '#8a6100' }
  if (untested.length > 0) return { text: `conforms, ${untested.length} untested`, colour: '#8a6100' }
  return { text: 'conforms', colour: '#1b6e3c' }
}

/** A badge as a self-contained SVG. */
export const badge = (report: Report): string => {
  const { text, colour } = stateOf(report)
  const [left, right] = [widthOf('contract'), widthOf(text)]
  const label = (x: number, value: string): string =>
    `<text x="${x}" y="14" text-anchor="middle" fill="#fff" font-family="Verdana,sans-serif" font-size="11">${value}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="contract: ${text}">`,
    `<rect width="${left}" height="20" fill="#3a3a3a"/><rect x="${left}" width="${right}" height="20" fill="${colour}"/>`,
    label(left / 2, 'contract') + label(left + right / 2, text),
    '</svg>',
    '',
  ].join('\n')
}
