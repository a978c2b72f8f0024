import type { Verdict } from '../model/verdict.ts'
import { absentNames } from './implementation.ts'
import { failsForAbsent, failsForUntestable, type Report, unexcused } from './report.ts'
import { formatCount } from './text.ts'

/** Estimates the width of a string in 11 px Verdana. */
const widthOf = (text: string): number => Math.ceil(text.length * 6.6) + 12

const stateOf = (report: Report): { text: string; color: string } => {
  const { summary, untested, interrupted, waiverProblems } = report
  const count = (verdict: Verdict): number =>
    report.findings.filter((finding) => finding.verdict === verdict).length
  const [broken, warned] = [count('FAIL'), count('WARN')]
  if (summary['KIT ERROR'] > 0) return { text: 'kit error', color: '#6a6a6a' }
  if (broken > 0) return { text: formatCount(broken, 'failure'), color: '#b3261e' }
  if (waiverProblems.length > 0)
    return { text: formatCount(waiverProblems.length, 'bad waiver'), color: '#b3261e' }
  if (interrupted !== undefined) return { text: 'interrupted', color: '#6a6a6a' }
  if (failsForAbsent(report))
    return { text: `${absentNames(report).length} not implemented`, color: '#b3261e' }
  if (failsForUntestable(report))
    return { text: `${unexcused(report, 'UNTESTABLE')} untestable`, color: '#b3261e' }
  if (warned > 0) return { text: `conforms, ${formatCount(warned, 'warning')}`, color: '#8a6100' }
  if (untested.length > 0) return { text: `conforms, ${untested.length} untested`, color: '#8a6100' }
  return { text: 'conforms', color: '#1b6e3c' }
}

/** Returns the report's badge as a self-contained SVG image. */
export const badge = (report: Report): string => {
  const { text, color } = stateOf(report)
  const [left, right] = [widthOf('contract'), widthOf(text)]
  const label = (x: number, value: string): string =>
    `<text x="${x}" y="14" text-anchor="middle" fill="#fff" font-family="Verdana,sans-serif" font-size="11">${value}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="contract: ${text}">`,
    `<rect width="${left}" height="20" fill="#3a3a3a"/><rect x="${left}" width="${right}" height="20" fill="${color}"/>`,
    label(left / 2, 'contract') + label(left + right / 2, text),
    '</svg>',
    '',
  ].join('\n')
}
