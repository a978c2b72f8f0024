import { code } from '../content/inline.ts'

/** What the pages read of a report of the conformance kit (`svc-admin-contract-report/1`). */
export interface Ledger {
  readonly target: string
  readonly kit: string
  readonly startedAt: string
  readonly verdicts: readonly string[]
  readonly summary: Readonly<Record<string, number>>
  /** Counts by requirement and verdict. */
  readonly byRequirement: ReadonlyMap<string, ReadonlyMap<string, number>>
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const isObject = (value: unknown): value is Record<string, unknown> =>
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
  const byRequirement = new Map<string, Map<string, number>>()
  for (const result of report.results) {
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
  }
}

/** The verdicts on one requirement, as Markdown. */
export function verdictText({ byRequirement }: Ledger, id: string): string {
  const counts = byRequirement.get(id)
  if (!counts) return 'not run'
  return [...counts].map(([verdict, count]) => `${code(verdict)} ${count}`).join(', ')
}
