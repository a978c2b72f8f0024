import type { Coverage } from '../engine/bench.ts'
import { anResponse } from '../engine/outcome.ts'
import type { Selection } from '../engine/plan.ts'
import { requirementOf } from '../engine/requirement.ts'
import type { Result } from '../engine/result.ts'
import { type Strength, type Verdict, verdicts } from '../engine/verdict.ts'
import type { Left } from '../world/journal.ts'

/** What a reader of a report has to know of a requirement. */
export interface Told {
  readonly area: string
  readonly strength: Strength
  readonly text: string
  readonly source: readonly string[]
}

/** A result with the waiver that excuses it. */
export interface Reported extends Result {
  readonly waived?: string
}

/** A requirement about which a run says nothing at all. */
export interface Untried {
  readonly requirement: string
  /** What was missing, each thing once. */
  readonly lacks: readonly string[]
}

/** The form of a report; another form has another number. */
export const reportFormat = 'svc-admin-contract-report/1'

/** A run, as it is reported; `schema/report.json` describes it. */
export interface Report {
  readonly format: typeof reportFormat
  readonly kit: string
  readonly target: string
  readonly runTag: string
  readonly seed: number
  readonly strict: boolean
  /** Whether what could not be tested counts as well: nothing is left untried. */
  readonly requireAll?: boolean
  /** What of the API was tried, if not all. */
  readonly selection?: Selection
  /** Whether it worked in a copy of the demo organisation: once that is gone, no `curl` line can be repeated. */
  readonly inCopy?: boolean
  /** Whether what the run made was left in place. */
  readonly kept?: boolean
  /** How far a run came that was broken off: of the other checks, the report says nothing. */
  readonly interrupted?: string
  readonly startedAt: string
  readonly seconds: number
  readonly summary: Readonly<Record<Verdict, number>>
  /** Pairs of operation and status that were seen. */
  readonly coverage: readonly Coverage[]
  readonly requirements: Readonly<Record<string, Told>>
  readonly results: readonly Reported[]
  /** Requirements that apply, and of which nothing could be tried anywhere. */
  readonly untried: readonly Untried[]
  /** Waivers that excuse nothing, or no longer may. */
  readonly waiverProblems: readonly string[]
  /** What could not be removed from the target, or not be put back. */
  readonly left: readonly Left[]
}

export interface ReportInput extends Omit<Report, 'format' | 'summary' | 'requirements' | 'untried'> {}

/** How many results there are of each verdict. */
export const summarise = (results: readonly Pick<Result, 'verdict'>[]): Record<Verdict, number> => {
  const counts: Record<Verdict, number> = {
    PASS: 0,
    LENIENT: 0,
    WARN: 0,
    FAIL: 0,
    UNTESTABLE: 0,
    'NOT APPLICABLE': 0,
    'KIT ERROR': 0,
  }
  for (const { verdict } of results) counts[verdict] += 1
  return counts
}

const told = (id: string): Told => {
  const { area, strength, text, source } = requirementOf(id)
  return { area, strength, text, source }
}

/** Requirements with something untestable and nothing tried: however green the rest is, they may be broken. */
export const untriedIn = (
  results: readonly Pick<Result, 'requirement' | 'verdict' | 'reason'>[],
): Untried[] => {
  const tried = new Set<string>()
  const lacks = new Map<string, Set<string>>()
  for (const { requirement, verdict, reason = '' } of results) {
    if (verdict === 'UNTESTABLE')
      lacks.set(requirement, (lacks.get(requirement) ?? new Set<string>()).add(reason))
    else if (verdict !== 'NOT APPLICABLE') tried.add(requirement)
  }
  return [...lacks]
    .filter(([requirement]) => !tried.has(requirement))
    .map(([requirement, reasons]) => ({ requirement, lacks: [...reasons] }))
    .sort((one, other) => (one.requirement < other.requirement ? -1 : 1))
}

/** Puts a report together. */
export const makeReport = (input: ReportInput): Report => ({
  format: reportFormat,
  ...input,
  summary: summarise(input.results),
  untried: untriedIn(input.results),
  requirements: Object.fromEntries(
    [...new Set(input.results.map(({ requirement }) => requirement))].map((id) => [id, told(id)]),
  ),
})

/** What a reader has to know who wants to repeat a request. */
export const aboutCurl = ({ inCopy, kept, results }: Report): string | undefined =>
  inCopy && !kept && results.some(({ curl }) => curl !== undefined)
    ? 'The curl lines show what was sent, and cannot be repeated: they name things and credentials of a copy of the demo organisation, which the run has taken away. With --keep, it stays.'
    : undefined

/** The results of one verdict by requirement, worst first. */
export interface Finding {
  readonly requirement: string
  readonly verdict: Verdict
  readonly told: Told
  readonly results: readonly Reported[]
}

/** Whether nothing came, or nothing that anybody could read: of the promise itself, that says nothing. */
const isUnanswered = ({ expected }: Reported): boolean => expected === anResponse

/** Of the places of one finding, one that says what broke stands first. */
const answeredFirst = (results: readonly Reported[]): Reported[] => [
  ...results.filter((result) => !isUnanswered(result)),
  ...results.filter(isUnanswered),
]

/** Why there was no answer, in one word. */
const codeIn = ({ actual = '' }: Reported): string => /no answer \((\w+)/.exec(actual)?.[1] ?? ''

/** Findings that lack an answer, in groups of one reason, and the others. */
interface Parted {
  readonly unanswered: readonly Finding[][]
  readonly others: readonly Finding[]
}

/** Where each result of a finding lacks an answer for the same reason, it is that which needs mending. */
export const partUnanswered = (findings: readonly Finding[]): Parted => {
  const groups = new Map<string, Finding[]>()
  const others: Finding[] = []
  for (const finding of findings) {
    const codes = new Set(finding.results.map(codeIn))
    const [code = ''] = codes
    if (codes.size === 1 && finding.results.every(isUnanswered))
      groups.set(code, [...(groups.get(code) ?? []), finding])
    else others.push(finding)
  }
  return { unanswered: [...groups.values()], others }
}

/** Broken promises, each requirement once with all its places. */
export const findingsOf = ({ results, requirements }: Report, wanted: readonly Verdict[]): Finding[] => {
  const groups = new Map<string, Reported[]>()
  for (const result of results) {
    if (result.waived !== undefined || !wanted.includes(result.verdict)) continue
    const key = `${result.verdict} ${result.requirement}`
    groups.set(key, [...(groups.get(key) ?? []), result])
  }
  const findings = [...groups.values()].flatMap((group) => {
    const [first] = group
    const row = first && requirements[first.requirement]
    return first && row
      ? [{ requirement: first.requirement, verdict: first.verdict, told: row, results: answeredFirst(group) }]
      : []
  })
  return findings.sort((one, other) => verdicts.indexOf(other.verdict) - verdicts.indexOf(one.verdict))
}

/** How many results of a verdict no waiver excuses. */
export const unexcused = ({ results }: Report, wanted: Verdict): number =>
  results.filter(({ verdict, waived }) => verdict === wanted && waived === undefined).length

/** Whether a result makes the whole run red. */
export const isRed = ({ requireAll }: Report, { verdict, waived }: Reported): boolean =>
  waived === undefined &&
  (verdict === 'FAIL' || verdict === 'KIT ERROR' || (verdict === 'UNTESTABLE' && requireAll === true))

/** What makes a run red that is no result. */
export interface RedBeside {
  readonly what: 'run' | 'waivers'
  readonly message: string
}

/** What makes a run red beside its results: forms of a report that know results alone tell it as if it were some. */
export const redBeside = ({ interrupted, waiverProblems }: Report): RedBeside[] => [
  ...(interrupted === undefined ? [] : [{ what: 'run' as const, message: interrupted }]),
  ...waiverProblems.map((message) => ({ what: 'waivers' as const, message })),
]

/** Whether a run is red for what could not be tested. */
export const lacksTrials = (report: Report): boolean =>
  report.results.some((result) => result.verdict === 'UNTESTABLE' && isRed(report, result))

/** What the whole run says, as the exit code of the command. */
export const exitCodeOf = (report: Report): 0 | 1 | 2 => {
  if (unexcused(report, 'KIT ERROR') > 0) return 2
  return report.waiverProblems.length > 0 || report.results.some((result) => isRed(report, result)) ? 1 : 0
}
