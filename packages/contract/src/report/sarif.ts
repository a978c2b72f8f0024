import type { Json } from '../document/json.ts'
import type { Verdict } from '../model/verdict.ts'
import {
  failsRun,
  type OtherFailure,
  otherFailures,
  type Report,
  type Reported,
  unexcused,
} from './report.ts'
import { alike, formatCount, withoutTicks } from './text.ts'

type Level = 'error' | 'warning' | 'note'

const levels: Partial<Record<Verdict, Level>> = {
  FAIL: 'error',
  WARN: 'warning',
  LENIENT: 'note',
}

/** Returns the SARIF level of a result, or `undefined` if the report omits the result. */
const levelOf = (report: Report, result: Reported): Level | undefined =>
  failsRun(report, result) ? 'error' : levels[result.verdict]

const message = ({ expected, actual, reason = '', operation, version, verdict }: Reported): string => {
  const missing = expected === undefined && actual === undefined ? `${verdict}: ${reason}` : undefined
  return `${operation} ${version}: ${missing ?? `expected ${expected ?? ''}, got ${actual ?? ''}`}`
}

/** A result, with the other results that have the same cause. */
interface Folded {
  readonly result: Reported
  readonly level: Level
  readonly others: readonly Reported[]
}

/**
 * Returns the results to list: one for each finding, one for each missing prerequisite, and all results that a waiver
 * excuses.
 */
const foldedIn = (report: Report): Folded[] => {
  const folded: Folded[] = []
  const fold = ([result, ...others]: readonly Reported[]): void => {
    if (result === undefined) return
    const level = levelOf(report, result)
    if (level !== undefined) folded.push({ result, level, others })
  }
  for (const { results } of report.findings) fold(results)
  const shown = new Set(report.findings.flatMap(({ results }) => results))
  const others = report.results.filter((result) => !shown.has(result))
  for (const result of others) if (result.verdict !== 'UNTESTABLE') fold([result])
  const untestable = others.filter(({ verdict }) => verdict === 'UNTESTABLE')
  for (const results of alike(untestable, ({ reason = '' }) => reason)) fold(results)
  return folded
}

const foldedMessage = ({ result, others }: Folded): string =>
  others.length === 0
    ? message(result)
    : `${message(result)} (explains ${formatCount(others.length, 'more check')})`

const resultOf = ({ result, level, ...rest }: Folded): Json => ({
  ruleId: result.requirement,
  level,
  message: { text: foldedMessage({ result, level, ...rest }) },
  /**
   * SARIF results need a file. A service has no files, so each operation becomes a path. Viewers can group
   * results by path.
   */
  locations: [
    {
      physicalLocation: { artifactLocation: { uri: `operations/${result.operation}` } },
      logicalLocations: [{ fullyQualifiedName: `${result.operation}@${result.version}`, kind: 'member' }],
    },
  ],
  partialFingerprints: { 'contract/v1': result.id },
  ...(result.waived !== undefined && { suppressions: [{ kind: 'external', justification: result.waived }] }),
})

const rulesBeside: Readonly<Record<OtherFailure['what'], string>> = {
  run: 'A run must finish.',
  operations: 'The target must implement all operations (--expect-all).',
  waivers: 'Waivers must still be needed and must not have expired.',
}

const idBeside = (what: OtherFailure['what']): string => `contract.${what}`

/** Converts any other reason for a failed run to a result, because viewers show only results. */
const resultBeside = ({ what, message: text }: OtherFailure): Json => ({
  ruleId: idBeside(what),
  level: 'error',
  message: { text },
  locations: [{ physicalLocation: { artifactLocation: { uri: what } } }],
  partialFingerprints: { 'contract/v1': `${idBeside(what)}@${text}` },
})

/** Returns the report as SARIF 2.1.0. */
export const sarifReport = (report: Report): string => {
  const sarifResults = foldedIn(report)
  const beside = otherFailures(report)
  const rules = [...new Set(sarifResults.map(({ result }) => result.requirement))].map((id) => ({
    id,
    shortDescription: { text: withoutTicks(report.requirements[id]?.text ?? id) },
    properties: {
      strength: report.requirements[id]?.strength ?? '',
      source: [...(report.requirements[id]?.source ?? [])],
    },
  }))
  const others = [...new Set(beside.map(({ what }) => what))].map((what) => ({
    id: idBeside(what),
    shortDescription: { text: rulesBeside[what] },
  }))
  const sarif: Json = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'contract', version: report.kit, rules: [...rules, ...others] } },
        // An invocation is successful if the run finished, even if the target doesn't conform.
        invocations: [
          {
            executionSuccessful: report.interrupted === undefined && unexcused(report, 'KIT ERROR') === 0,
          },
        ],
        results: [...sarifResults.map(resultOf), ...beside.map(resultBeside)],
      },
    ],
  }
  return `${JSON.stringify(sarif, null, 2)}\n`
}
