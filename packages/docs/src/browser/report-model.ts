import { isObject, type Ledger, passedIn, rankOf, readLedger, text } from '../model/conformance-report.ts'

export interface Finding {
  readonly requirement: string
  readonly operation: string
  readonly version: string
  readonly variant: string
  readonly verdict: string
  readonly strength: string
  readonly reason: string
  readonly expected: string
  readonly actual: string
  readonly curl: string
  readonly waived: string
}

/** The parts of a conformance report that the page shows. */
export interface ReadReport extends Ledger {
  /** The findings, starting with the most severe. */
  readonly findings: readonly Finding[]
  /** The text of each requirement, by ID. */
  readonly requirementTexts: ReadonlyMap<string, string>
  readonly untested: readonly { readonly requirement: string; readonly missing: string }[]
  readonly waiverProblems: readonly string[]
  /** Notes about the whole test run. */
  readonly notes: readonly string[]
  readonly leftovers: readonly { readonly operation: string; readonly reason: string }[]
  /** The statuses that the server returned, by operation and version. */
  readonly coverage: ReadonlyMap<string, readonly string[]>
}

/**
 * Reads the text of a conformance report.
 *
 * @throws Error with a message for the reader if the text is not a report.
 */
export function readReport(name: string, content: string): ReadReport {
  const report = parsed(name, content)
  const ledger = readLedger(report)
  const { results, requirements, untested, waiverProblems, leftovers, coverage } = report
  const findings = [...objectsIn(results), ...passedIn(report.passed)].map(findingOf)
  return {
    ...ledger,
    findings: findings.sort((a, b) => rankOf(a.verdict) - rankOf(b.verdict)),
    requirementTexts: new Map(
      Object.entries(isObject(requirements) ? requirements : {}).map(([id, requirement]) => [
        id,
        isObject(requirement) ? text(requirement.text) : '',
      ]),
    ),
    untested: objectsIn(untested).map(({ requirement, missing }) => ({
      requirement: text(requirement),
      missing: textsIn(missing).join(', or '),
    })),
    waiverProblems: textsIn(waiverProblems),
    notes: notesOf(report),
    leftovers: objectsIn(leftovers).map((each) => ({
      operation: text(each.operation),
      reason: text(each.reason),
    })),
    coverage: statusesOf(objectsIn(coverage)),
  }
}

const notesOf = ({ interrupted, inDemoCopy, retainedResources }: Record<string, unknown>): string[] => [
  ...(interrupted
    ? [`The run was ${text(interrupted)}. The report doesn’t contain the remaining checks.`]
    : []),
  ...(inDemoCopy && !retainedResources
    ? [
        'The run used a copy of the demo organization, which has been deleted. The curl commands use the original organization. To keep the copy, run the kit with --keep and --journal.',
      ]
    : []),
]

function parsed(name: string, content: string): Record<string, unknown> {
  const how = 'To write a report, run: contract run --json report.json'
  let report: unknown
  try {
    report = JSON.parse(content)
  } catch {
    throw new Error(`${name} is not JSON. ${how}`)
  }
  if (isObject(report) && text(report.format).startsWith('svc-admin-contract-report/')) return report
  throw new Error(`${name} is JSON, but not a report of the conformance kit. ${how}`)
}

const objectsIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isObject) : []

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

const findingOf = (result: Record<string, unknown>): Finding => ({
  requirement: text(result.requirement),
  operation: text(result.operation),
  version: text(result.version),
  variant: text(result.variant),
  verdict: text(result.verdict),
  strength: text(result.strength),
  reason: text(result.reason),
  expected: text(result.expected),
  actual: text(result.actual),
  curl: text(result.curl),
  waived: text(result.waived),
})

function statusesOf(coverage: readonly Record<string, unknown>[]): Map<string, string[]> {
  const seen = new Map<string, string[]>()
  for (const { operation, version, status } of coverage) {
    const place = `${text(operation)} ${text(version)}`
    seen.set(place, [...(seen.get(place) ?? []), String(status)])
  }
  return seen
}
