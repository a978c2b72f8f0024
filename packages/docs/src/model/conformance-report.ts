/** The parts of a conformance report (`svc-admin-contract-report/3`) that the site shows. */
export interface Ledger {
  readonly target: string
  readonly kit: string
  readonly startedAt: string
  /** Whether the run tested each requirement only once. */
  readonly isSmoke: boolean
  readonly verdicts: readonly string[]
  readonly summary: Readonly<Record<string, number>>
  /** The number of results by requirement and verdict. */
  readonly byRequirement: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** The tested versions, starting with the oldest. */
  readonly versions: readonly string[]
  /** The tested cases, by requirement. */
  readonly tested: ReadonlyMap<string, Tested>
}

/** The most severe verdict of several cases, and the number of cases. */
export interface Tally {
  readonly verdict: string | undefined
  readonly count: number
}

export interface Tested {
  readonly byVersion: ReadonlyMap<string, Tally>
  /** The number of cases, by operation. */
  readonly byOperation: ReadonlyMap<string, number>
}

const notApplicable = 'NOT APPLICABLE'
/**
 * The verdicts that need attention, most severe first. Verdicts that aren't in either list rank between the two lists.
 */
const gravest = ['FAIL', 'KIT ERROR', 'WARN', 'LENIENT', 'UNTESTABLE']
const calm = ['PASS', notApplicable]

/** Returns whether a verdict needs attention. */
export const isNotable = (verdict: string): boolean => !calm.includes(verdict)

/** Returns the rank of a verdict. Lower ranks are more severe. */
export const rankOf = (verdict: string): number =>
  calm.includes(verdict)
    ? gravest.length + 1 + calm.indexOf(verdict)
    : (gravest.indexOf(verdict) + gravest.length + 1) % (gravest.length + 1)

export const worstOf = (one: string | undefined, other: string): string =>
  one !== undefined && rankOf(one) <= rankOf(other) ? one : other

export const verdictClass = (verdict: string): string =>
  `verdict-${verdict.toLowerCase().replaceAll(' ', '-')}`

export const text = (value: unknown): string => (typeof value === 'string' ? value : '')

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads a report.
 *
 * @throws Error if the argument is not a report.
 */
export function readLedger(report: unknown): Ledger {
  if (
    !isObject(report) ||
    !text(report.format).startsWith('svc-admin-contract-report/') ||
    !Array.isArray(report.results)
  )
    throw new Error('The file is not a JSON report from the conformance kit.')
  const results: readonly unknown[] = [...report.results, ...passedIn(report.passed)]
  const byRequirement = new Map<string, Map<string, number>>()
  for (const result of results) {
    if (!isObject(result)) continue
    const counts = byRequirement.get(text(result.requirement)) ?? new Map<string, number>()
    counts.set(text(result.verdict), (counts.get(text(result.verdict)) ?? 0) + 1)
    byRequirement.set(text(result.requirement), counts)
  }
  const summary = isObject(report.summary) ? report.summary : {}
  return {
    target: text(report.target),
    kit: text(report.kit),
    startedAt: text(report.startedAt),
    isSmoke: isObject(report.selection) && report.selection.smoke === true,
    verdicts: Object.keys(summary),
    summary: Object.fromEntries(Object.entries(summary).map(([verdict, count]) => [verdict, Number(count)])),
    byRequirement,
    ...testedIn(results),
  }
}

/** Returns the checks that passed. The report groups passed checks by requirement and `operation@version`. */
export function passedIn(passed: unknown): Record<string, unknown>[] {
  return Object.entries(isObject(passed) ? passed : {}).flatMap(([requirement, cells]) =>
    Object.entries(isObject(cells) ? cells : {}).flatMap(([cell, variants]) => {
      const [operation, version] = cell.split('@')
      const all: readonly unknown[] = Array.isArray(variants) ? variants : []
      return all.map((variant) => ({ requirement, operation, version, variant, verdict: 'PASS' }))
    }),
  )
}

function testedIn(results: readonly unknown[]): Pick<Ledger, 'tested' | 'versions'> {
  const tested = new Map<string, { byVersion: Map<string, Tally>; byOperation: Map<string, number> }>()
  const versions = new Set<string>()
  for (const result of results) {
    if (!isObject(result) || result.verdict === notApplicable) continue
    const [requirement, version] = [text(result.requirement), text(result.version)]
    const [operation, verdict] = [text(result.operation), text(result.verdict)]
    const of = tested.get(requirement) ?? { byVersion: new Map(), byOperation: new Map() }
    tested.set(requirement, of)
    versions.add(version)
    const before = of.byVersion.get(version)
    of.byVersion.set(version, { verdict: worstOf(before?.verdict, verdict), count: (before?.count ?? 0) + 1 })
    of.byOperation.set(operation, (of.byOperation.get(operation) ?? 0) + 1)
  }
  // `v1.0` sorts before all dates.
  const age = (version: string) => (version.startsWith('v') ? '' : version)
  return { tested, versions: [...versions].sort((a, b) => (age(a) < age(b) ? -1 : 1)) }
}
