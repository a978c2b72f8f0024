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

type Level = 'error' | 'warning' | 'note'

const levels: Partial<Record<Verdict, Level>> = {
  FAIL: 'error',
  WARN: 'warning',
  LENIENT: 'note',
}

/** The SARIF level of a result, if the report includes it. */
const levelOf = (report: Report, result: Reported): Level | undefined =>
  failsRun(report, result) ? 'error' : levels[result.verdict]

const message = ({ expected, actual, reason = '', operation, version, verdict }: Reported): string => {
  const missing = expected === undefined && actual === undefined ? `${verdict}: ${reason}` : undefined
  return `${operation} ${version}: ${missing ?? `expected ${expected ?? ''}, got ${actual ?? ''}`}`
}

const resultOf = (result: Reported, level: Level): Json => ({
  ruleId: result.requirement,
  level,
  message: { text: message(result) },
  // A service has no files, so each operation becomes a path that viewers can group by.
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
  waivers: 'A waiver must be needed and not expired.',
}

const idBeside = (what: OtherFailure['what']): string => `contract.${what}`

/** Viewers only show results, so other reasons for a failed run become results. */
const resultBeside = ({ what, message: text }: OtherFailure): Json => ({
  ruleId: idBeside(what),
  level: 'error',
  message: { text },
  locations: [{ physicalLocation: { artifactLocation: { uri: what } } }],
  partialFingerprints: { 'contract/v1': `${idBeside(what)}@${text}` },
})

/** The report as SARIF 2.1.0. */
export const sarifReport = (report: Report): string => {
  const sarifResults = report.results.flatMap((result) => {
    const level = levelOf(report, result)
    return level === undefined ? [] : [{ result, level }]
  })
  const beside = otherFailures(report)
  const rules = [...new Set(sarifResults.map(({ result }) => result.requirement))].map((id) => ({
    id,
    shortDescription: { text: report.requirements[id]?.text ?? id },
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
        // A run on a target that doesn't conform is still successful. Only an error in the run itself isn't.
        invocations: [
          {
            executionSuccessful: report.interrupted === undefined && unexcused(report, 'KIT ERROR') === 0,
          },
        ],
        results: [
          ...sarifResults.map(({ result, level }) => resultOf(result, level)),
          ...beside.map(resultBeside),
        ],
      },
    ],
  }
  return `${JSON.stringify(sarif, null, 2)}\n`
}
