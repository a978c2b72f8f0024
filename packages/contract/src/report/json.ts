import { resultId } from '../model/result.ts'
import { distinctIn } from './findings.ts'
import { coverageByArea } from './implementation.ts'
import { makeReport, type Report, type Reported, type ReportInput } from './report.ts'

/**
 * The number of results with the same cause whose exchanges are kept. Exchanges are large, and the first ones show
 * everything that the others would show.
 */
const exchangesPerFinding = 3

/** The passed checks, by requirement and cell. They make up most of the results, and differ only in the variant. */
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

/** The results in the file. Passed checks and checks that don't apply are left out. */
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

/** A finding in the file's format. Its results come next, in the same order. */
const findingOf = (finding: Report['findings'][number]) => ({
  verdict: finding.verdict,
  requirement: finding.requirement,
  operations: distinctIn(finding, 'operation'),
  checks: finding.results.length,
  result: finding.results[0].id,
})

/** The report as JSON, in parts. Each result is on its own line, so that line-based tools can read the file. */
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

/** The file's content, as described by `schema/report.json`. */
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

/** Reads a report from its file. The file contains only the number of checks that don't apply. */
export const reportFromJson = (file: JsonReport): Report => {
  const { passed: _, summary, results, requirements, ...facts } = file
  const input: ReportInput = { ...facts, results: [...results, ...passedResults(file)] }
  return { ...makeReport(input), summary, requirements }
}

/** Every exchange in a report as one JSON object per line, with the result's ID. */
export function* exchangesReport({ results }: Report): Generator<string> {
  for (const { id, verdict, exchange, curl } of results)
    if (exchange) yield `${JSON.stringify({ id, verdict, exchange, curl })}\n`
}
