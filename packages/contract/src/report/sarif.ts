import type { Json } from '../document/json.ts'
import type { Verdict } from '../engine/verdict.ts'
import type { Report, Reported } from './report.ts'

const levels: Partial<Record<Verdict, 'error' | 'warning' | 'note'>> = {
  FAIL: 'error',
  WARN: 'warning',
  LENIENT: 'note',
}

const message = ({ expected = '', actual = '', operation, version }: Reported): string =>
  `${operation} ${version}: expected ${expected}, got ${actual}`

const resultOf = (result: Reported): Json => ({
  ruleId: result.requirement,
  level: levels[result.verdict] ?? 'none',
  message: { text: message(result) },
  // A service has no files: the operation stands for the place, under a path that viewers can group by.
  locations: [
    {
      physicalLocation: { artifactLocation: { uri: `operations/${result.operation}` } },
      logicalLocations: [{ fullyQualifiedName: `${result.operation}@${result.version}`, kind: 'member' }],
    },
  ],
  partialFingerprints: { 'contract/v1': result.id },
  ...(result.waived !== undefined && { suppressions: [{ kind: 'external', justification: result.waived }] }),
})

/** The report as SARIF 2.1.0. */
export const sarifReport = (report: Report): string => {
  const results = report.results.filter(({ verdict }) => levels[verdict] !== undefined)
  const rules = [...new Set(results.map(({ requirement }) => requirement))].map((id) => ({
    id,
    shortDescription: { text: report.requirements[id]?.text ?? id },
    properties: {
      strength: report.requirements[id]?.strength ?? '',
      source: [...(report.requirements[id]?.source ?? [])],
    },
  }))
  const sarif: Json = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'contract', version: report.kit, rules } },
        invocations: [{ executionSuccessful: report.interrupted === undefined }],
        results: results.map(resultOf),
      },
    ],
  }
  return `${JSON.stringify(sarif, null, 2)}\n`
}
