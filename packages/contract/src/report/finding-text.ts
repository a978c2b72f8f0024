import { isLost } from '../model/difference.ts'
import { distinctIn } from './findings.ts'
import type { Finding, Reported } from './model.ts'
import { formatCount, formatNumber } from './text.ts'

/** More places than this are counted, not listed. */
const maxPlaces = 6

const listed = (names: readonly string[]): string => {
  const more = names.length - maxPlaces
  return [...names.slice(0, maxPlaces), ...(more > 0 ? [`${formatNumber(more)} more`] : [])].join(', ')
}

/** What a finding explains beyond the check that shows it. */
export const explained = (finding: Finding): string => {
  const count = finding.results.length - 1
  const requirements = distinctIn(finding, 'requirement').length
  const [operation = '', ...others] = distinctIn(finding, 'operation')
  const of = requirements > 1 ? ` of ${formatCount(requirements, 'requirement')}` : ''
  const on = others.length > 0 ? ` on ${listed([operation, ...others])}` : ''
  return `${formatCount(count, 'more check')}${of}${on}`
}

/** The title of a finding. A missing response doesn't show whether the target meets the requirement. */
export const titleOf = ({ info, results: [first] }: Finding): string =>
  isLost(first) ? 'No response' : info.text.replace(/\.$/, '')

/** Where a check ran. */
export const placeOf = ({ operation, version }: Reported): string => `${operation} ${version}`
