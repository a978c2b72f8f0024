import type { RequirementId } from '@svc-admin/types'
import { isLost } from '../model/difference.ts'
import { mainRequirementOf } from '../model/requirement.ts'
import { byId } from '../model/result.ts'
import type { Verdict } from '../model/verdict.ts'
import type { Finding, Report, Reported } from './model.ts'
import { withoutValues } from './text.ts'

/** The verdicts that appear as findings, starting with the most severe. */
export const findingVerdicts: readonly Verdict[] = ['FAIL', 'KIT ERROR', 'WARN', 'LENIENT']

/** Results that have the same requirement, verdict and difference. */
interface Cluster {
  readonly requirement: string
  readonly verdict: Verdict
  readonly difference: string
  readonly operations: ReadonlySet<string>
  readonly results: readonly [Reported, ...Reported[]]
}

const differenceOf = ({ difference, expected = '', actual = '', reason = '' }: Reported): string =>
  difference ?? withoutValues(`${expected} → ${actual}${reason.split('\n')[0]}`).slice(0, 200)

/**
 * Returns whether a difference has the same cause in all operations. For example, all errors may lack a
 * field. Other differences can have a different cause in each operation.
 */
const isGlobal = (difference: string): boolean => difference.startsWith('missing ') || isLost({ difference })

/** Each of these requirements describes the fault itself. Other requirements fail only as a consequence. */
const telling: readonly string[] = [
  'errors.never-500-on-input',
  'errors.body-fits-schema',
  'errors.body-valid',
  'errors.body-complete',
] satisfies readonly RequirementId[]

/**
 * Ranks a group of results by how well its requirement describes the fault. The main requirements of operations rank
 * second, because many other requirements need a successful request.
 */
const tellingRank = ({ requirement, difference, operations }: Cluster): number => {
  if (isLost({ difference })) return -1
  const index = telling.indexOf(requirement)
  if (index >= 0) return index
  const isMain = [...operations].some((name) => mainRequirementOf(name) === requirement)
  return telling.length + Number(!isMain)
}

const severity = ({ verdict }: { readonly verdict: Verdict }): number => findingVerdicts.indexOf(verdict)

const clustersOf = (results: readonly Reported[]): Cluster[] => {
  const groups = new Map<string, [Reported, ...Reported[]]>()
  for (const result of results) {
    const key = `${result.verdict} ${result.requirement} ${differenceOf(result)}`
    const group = groups.get(key)
    if (group) group.push(result)
    else groups.set(key, [result])
  }
  return [...groups.values()].map((group) => ({
    requirement: group[0].requirement,
    verdict: group[0].verdict,
    difference: differenceOf(group[0]),
    operations: new Set(group.map(({ operation }) => operation)),
    results: group,
  }))
}

/** Sorts groups of results so that a group comes before all groups that it may explain. */
const byRank = (one: Cluster, other: Cluster): number =>
  severity(one) - severity(other) ||
  tellingRank(one) - tellingRank(other) ||
  other.results.length - one.results.length ||
  byId(one.results[0], other.results[0])

/** Returns whether `head` has the same cause as another group of results and describes the cause better. */
const explains = (head: Cluster, { difference, operations, requirement }: Cluster): boolean => {
  const same = head.difference === difference
  if (same && isGlobal(difference)) return true
  // Without a response, nothing is known about the requirement.
  if (isLost(head) || isLost({ difference })) return false
  return (
    (same || head.requirement === requirement) && [...operations].every((name) => head.operations.has(name))
  )
}

/** Puts results with a response or an exchange first, because they contain the most information. */
const withEvidenceFirst = (results: readonly [Reported, ...Reported[]]): [Reported, ...Reported[]] => {
  const weight = ({ exchange, curl }: Reported): number => (exchange ? 0 : 2) + (curl ? 0 : 1)
  const [first, ...others] = results
  const sorted = [first, ...others].sort((one, other) => weight(one) - weight(other))
  return [sorted[0] ?? first, ...sorted.slice(1)]
}

const tokenRequirement: RequirementId = 'issueToken.answers-with-token'

/** Returns whether clients can't get a token. Without a token, most checks with service accounts are untestable. */
const blocksTokens = ({ verdict, results }: Finding): boolean =>
  verdict === 'FAIL' && results.some(({ requirement }) => requirement === tokenRequirement)

/**
 * Returns one finding for each cause, without findings that a waiver excuses. A broken token endpoint comes
 * first, followed by the most severe findings. Among equally severe findings, the finding that explains the
 * most results comes first.
 */
export const findCauses = (
  results: readonly Reported[],
  requirements: Report['requirements'],
): readonly Finding[] => {
  const red = results.filter(
    ({ verdict, waived }) => waived === undefined && findingVerdicts.includes(verdict),
  )
  const heads: { readonly head: Cluster; readonly more: Reported[] }[] = []
  for (const cluster of clustersOf(red).sort(byRank)) {
    const found = heads.find(({ head }) => explains(head, cluster))
    if (found) found.more.push(...cluster.results)
    else heads.push({ head: cluster, more: [] })
  }
  const findings = heads.flatMap(({ head, more }): Finding[] => {
    const info = requirements[head.requirement]
    if (info === undefined) return []
    const { requirement, verdict } = head
    const [first, ...others] = withEvidenceFirst(head.results)
    return [{ requirement, verdict, info, results: [first, ...others, ...more] }]
  })
  return findings.sort(
    (one, other) =>
      Number(blocksTokens(other)) - Number(blocksTokens(one)) ||
      severity(one) - severity(other) ||
      other.results.length - one.results.length ||
      byId(one.results[0], other.results[0]),
  )
}

/** Returns a finding's operations or requirements without duplicates, in the order of its results. */
export const distinctIn = ({ results }: Finding, what: 'operation' | 'requirement'): readonly string[] => [
  ...new Set(results.map((result) => result[what])),
]
