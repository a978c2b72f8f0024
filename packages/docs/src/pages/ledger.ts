/** What the pages read of a report of the conformance kit (`svc-admin-contract-report/2`). */
export interface Ledger {
  readonly target: string
  readonly kit: string
  readonly startedAt: string
  readonly verdicts: readonly string[]
  readonly summary: Readonly<Record<string, number>>
  /** Counts by requirement and verdict. */
  readonly byRequirement: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Every version that something was tried in, oldest first. */
  readonly versions: readonly string[]
  /** By requirement, what was tried of it. */
  readonly tried: ReadonlyMap<string, Tried>
}

/** The worst verdict of some cases, and how many they are. */
export interface Tally {
  readonly verdict: string | undefined
  readonly count: number
}

export interface Tried {
  readonly byVersion: ReadonlyMap<string, Tally>
  /** How many cases there are of each operation. */
  readonly byOperation: ReadonlyMap<string, number>
}

/** What says nothing about a target. */
const untold = 'NOT APPLICABLE'
/** What is looked at first; what a report has beside these comes after them, and what is as it should be at the end. */
const gravest = ['FAIL', 'KIT ERROR', 'WARN', 'LENIENT', 'UNTESTABLE']
const calm = ['PASS', untold]

/** Whether a verdict says that there is something to see. */
export const tellsSomething = (verdict: string): boolean => !calm.includes(verdict)

/** The place of a verdict among the others. */
export const rankOf = (verdict: string): number =>
  calm.includes(verdict)
    ? gravest.length + 1 + calm.indexOf(verdict)
    : (gravest.indexOf(verdict) + gravest.length + 1) % (gravest.length + 1)

/** The graver of two verdicts, the first of which there may not be. */
export const worstOf = (one: string | undefined, other: string): string =>
  one !== undefined && rankOf(one) <= rankOf(other) ? one : other

/** The class that gives a verdict its colour. */
export const verdictClass = (verdict: string): string =>
  `verdict-${verdict.toLowerCase().replaceAll(' ', '-')}`

export const text = (value: unknown): string => (typeof value === 'string' ? value : '')

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads a report.
 *
 * @throws Error when it is not one.
 */
export function readLedger(report: unknown): Ledger {
  if (
    !isObject(report) ||
    !text(report.format).startsWith('svc-admin-contract-report/') ||
    !Array.isArray(report.results)
  )
    throw new Error('The file is not a JSON report of the conformance kit.')
  const results: readonly unknown[] = report.results
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
    verdicts: Object.keys(summary),
    summary: Object.fromEntries(Object.entries(summary).map(([verdict, count]) => [verdict, Number(count)])),
    byRequirement,
    ...triedIn(results),
  }
}

function triedIn(results: readonly unknown[]): Pick<Ledger, 'tried' | 'versions'> {
  const tried = new Map<string, { byVersion: Map<string, Tally>; byOperation: Map<string, number> }>()
  const versions = new Set<string>()
  for (const result of results) {
    if (!isObject(result) || result.verdict === untold) continue
    const [requirement, version] = [text(result.requirement), text(result.version)]
    const [operation, verdict] = [text(result.operation), text(result.verdict)]
    const of = tried.get(requirement) ?? { byVersion: new Map(), byOperation: new Map() }
    tried.set(requirement, of)
    versions.add(version)
    const before = of.byVersion.get(version)
    of.byVersion.set(version, { verdict: worstOf(before?.verdict, verdict), count: (before?.count ?? 0) + 1 })
    of.byOperation.set(operation, (of.byOperation.get(operation) ?? 0) + 1)
  }
  // `v1.0` is older than every date.
  const age = (version: string) => (version.startsWith('v') ? '' : version)
  return { tried, versions: [...versions].sort((a, b) => (age(a) < age(b) ? -1 : 1)) }
}
