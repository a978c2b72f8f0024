import { isLost, overloaded } from '../model/difference.ts'
import { distinctIn } from './findings.ts'
import type { Finding, Reported } from './model.ts'
import { formatCount, formatNumber } from './text.ts'

/** The maximum number of operations to list. All other operations are only counted. */
const maxPlaces = 6

const listed = (names: readonly string[]): string => {
  const more = names.length - maxPlaces
  return [...names.slice(0, maxPlaces), ...(more > 0 ? [`${formatNumber(more)} more`] : [])].join(', ')
}

/** Describes the other checks that fail for the same reason, with their requirements and operations. */
export const explained = (finding: Finding): string => {
  const count = finding.results.length - 1
  const requirements = distinctIn(finding, 'requirement').length
  const [operation = '', ...others] = distinctIn(finding, 'operation')
  const of = requirements > 1 ? ` of ${formatCount(requirements, 'requirement')}` : ''
  const on = others.length > 0 ? ` on ${listed([operation, ...others])}` : ''
  return `${formatCount(count, 'more check')}${of}${on}`
}

const titleOfLost = ({ difference }: Reported): string =>
  difference === overloaded ? 'No response, because the target is overloaded' : 'No response'

/**
 * Returns a finding's title. Without a response, nothing is known about the requirement, so the title
 * mentions only the missing response.
 */
export const titleOf = ({ info, results: [first] }: Finding): string =>
  isLost(first) ? titleOfLost(first) : (first.headline ?? info.text.replace(/\.$/, ''))

export const placeOf = ({ operation, version }: Reported): string => `${operation} ${version}`
