import { resultId } from '../model/result.ts'
import { distinctIn } from './findings.ts'
import { coverageByArea } from './implementation.ts'
import { makeReport, type Report, type Reported, type ReportInput } from './report.ts'

/**
 * The number of results per finding for which the report includes the exchange. Exchanges are large, and more exchanges
 * wouldn't show anything new.
 */
const exchangesPerFinding = 3

/**
 * The variants of passed checks, by requirement and operation version. Passed checks make up most of a run's results.
 */
export type Passed = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

const cellOf = ({ operation, version }: Reported): string => `${operation}@${version}`

const passedIn = (results: readonly Reported[]): Passed => {
  const passed: Record<string, Record<string, string[]>> = {}
  for (const result of results) {
    if (result.verdict !== 'PASS') continue
    const cells = passed[result.requirement] ?? {}
    passed[result.requirement] = cells
    const variants = cells[cellOf(result)] ?? []
    cells[cellOf(result)] = variants
    variants.push(result.variant)
  }
  return passed
}

/** Returns the results for the file, without passed checks and checks that don't apply. */
const listedIn = ({ findings, results }: Report): Reported[] => {
  const shown = new Set(findings.flatMap((finding) => finding.results.slice(0, exchangesPerFinding)))
  return results
    .filter(({ verdict }) => verdict !== 'PASS' && verdict !== 'NOT APPLICABLE')
    .map((result) => {
      if (shown.has(result)) return result
      const { exchange: _, curl: __, ...rest } = result
      return rest
    })
}

/** Converts a finding to the file's format. The report lists the results in the same order as the findings. */
const findingOf = (finding: Report['findings'][number]) => ({
  verdict: finding.verdict,
  requirement: finding.requirement,
  operations: distinctIn(finding, 'operation'),
  checks: finding.results.length,
  result: finding.results[0].id,
})

/** Returns the report as chunks of JSON. Each result is on its own line, so that line-based tools can read the file. */
export function* jsonReport(report: Report): Generator<string> {
  const { results: all, findings, ...facts } = report
  const fields = { ...facts, areas: coverageByArea(report), passed: passedIn(all) }
  yield '{\n'
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) yield `${JSON.stringify(name)}: ${JSON.stringify(value)},\n`
  yield '"findings": [\n'
  for (const [at, finding] of findings.entries())
    yield `${JSON.stringify(findingOf(finding))}${at < findings.length - 1 ? ',' : ''}\n`
  yield '],\n"results": [\n'
  const results = listedIn(report)
  for (const [at, result] of results.entries())
    yield `${JSON.stringify(result)}${at < results.length - 1 ? ',' : ''}\n`
  yield ']\n}\n'
}

/** The content of a report file, as described by `schema/report.json`. */
export interface JsonReport extends Omit<Report, 'findings'> {
  readonly passed: Passed
}

const passedResults = ({ passed, requirements }: JsonReport): Reported[] =>
  Object.entries(passed).flatMap(([requirement, cells]) =>
    Object.entries(cells).flatMap(([cell, variants]) =>
      variants.map((variant): Reported => {
        const [operation = '', version = ''] = cell.split('@')
        const strength = requirements[requirement]?.strength ?? 'open'
        const place = { id: resultId(requirement, cell, variant), requirement, operation, version, variant }
        return { ...place, verdict: 'PASS', strength, exchanges: 0 }
      }),
    ),
  )

/**
 * Restores a report from its file. The file contains the number of checks that don't apply, but not the checks
 * themselves.
 */
export const reportFromJson = (file: JsonReport): Report => {
  const { passed: _, summary, results, requirements, ...facts } = file
  const input: ReportInput = { ...facts, results: [...results, ...passedResults(file)] }
  return { ...makeReport(input), summary, requirements }
}

/** Returns the exchanges in a report as lines of JSON, each with its result's ID. */
export function* exchangesReport({ results }: Report): Generator<string> {
  for (const { id, verdict, exchange, curl } of results)
    if (exchange) yield `${JSON.stringify({ id, verdict, exchange, curl })}\n`
}
