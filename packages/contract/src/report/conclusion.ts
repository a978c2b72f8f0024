import { totalCoverage } from './implementation.ts'
import { failsForAbsent, failsForUntestable, type Report, unexcused } from './report.ts'
import { formatCount, formatNumber } from './text.ts'

/**
 * Describes whether the target conforms. Returns an empty string if there is no violation, but the run failed or was
 * interrupted.
 */
const conformity = (report: Report): string => {
  if (unexcused(report, 'FAIL') > 0 || report.waiverProblems.length > 0) return 'The target does not conform.'
  if (report.interrupted !== undefined || unexcused(report, 'KIT ERROR') > 0) return ''
  const { implemented, operations } = totalCoverage(report)
  const [what, it] =
    implemented < operations ? ['The implemented operations conform', 'they'] : ['The target conforms', 'it']
  const conforms = `${what}${report.summary.UNTESTABLE > 0 ? ` as far as ${it} could be tested` : ''}`
  if (failsForAbsent(report)) return `${conforms}, but the run fails: --expect-all requires all operations.`
  return failsForUntestable(report)
    ? `${conforms}, but the run fails: --require-all requires all checks.`
    : `${conforms}.`
}

/** Describes how many of the implemented operations violate a requirement. */
const brokenOperations = (report: Report): string => {
  const { broken, implemented } = totalCoverage(report)
  if (broken === 0) return ''
  return `${formatNumber(broken)} of ${formatCount(implemented, 'implemented operation')} ${broken === 1 ? 'breaks' : 'break'} the contract.`
}

/** Summarizes a run in a few sentences. */
export const conclusion = (report: Report): string => {
  const { summary, untested, interrupted } = report
  const waived = report.results.filter((result) => result.waived !== undefined).length
  const parts = [
    summary['KIT ERROR'] > 0 ? 'This result is incomplete because of errors in the kit.' : '',
    conformity(report),
    brokenOperations(report),
    interrupted === undefined ? '' : `The run was ${interrupted}.`,
    waived > 0 ? `${formatCount(waived, 'violation')} waived.` : '',
    summary.UNTESTABLE > 0 ? `${formatCount(summary.UNTESTABLE, 'check')} could not run.` : '',
    untested.length > 0 ? `No check could run for ${formatCount(untested.length, 'requirement')}.` : '',
  ]
  return parts.filter(Boolean).join(' ')
}
