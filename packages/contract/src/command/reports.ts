import { readFileSync } from 'node:fs'
import { parseJson } from '../document/json.ts'
import { byId } from '../engine/result.ts'
import { Misconfiguration } from '../engine/signals.ts'
import { prevailing } from '../engine/verdict.ts'
import { compareReports, comparisonText } from '../report/compare.ts'
import { exitCodeOf, makeReport, type Report, type Reported } from '../report/report.ts'
import { terminalReport } from '../report/terminal.ts'
import { misfits } from '../target/file.ts'
import type { Values } from './arguments.ts'
import type { Console } from './console.ts'
import { writeReports } from './run.ts'

const isReport = (value: unknown): value is Report => misfits('report', value).length === 0

/**
 * Reads a JSON report.
 *
 * @throws Misconfiguration when it is none.
 */
export const readReport = (file: string): Report => {
  const value: unknown = parseJson(readFileSync(file, 'utf8'))
  if (isReport(value)) return value
  throw new Misconfiguration(`${file} is not a report: ${misfits('report', value).slice(0, 3).join('; ')}`)
}

/** Shards judge the same places by different exchanges: the graver verdict prevails. */
const mergeResults = (reports: readonly Report[]): Reported[] => {
  const merged = new Map<string, Reported>()
  for (const result of reports.flatMap(({ results }) => results)) {
    const before = merged.get(result.id)
    const kept = before && prevailing(before.verdict, result.verdict) === before.verdict ? before : result
    merged.set(result.id, { ...kept, exchanges: (before?.exchanges ?? 0) + result.exchanges })
  }
  return [...merged.values()].sort(byId)
}

/** The reports of shards as one. */
export const mergeReports = (reports: readonly Report[]): Report => {
  const [first] = reports
  if (first === undefined) throw new Misconfiguration('name the JSON reports to merge')
  const places = new Map(
    reports.flatMap(({ coverage }) => coverage).map((place) => [JSON.stringify(place), place]),
  )
  return makeReport({
    ...first,
    seconds: Math.max(...reports.map(({ seconds }) => seconds)),
    results: mergeResults(reports),
    coverage: [...places.keys()].sort().flatMap((key) => places.get(key) ?? []),
    waiverProblems: [...new Set(reports.flatMap(({ waiverProblems }) => waiverProblems))],
    left: reports.flatMap(({ left }) => left),
  })
}

/** `contract merge a.json b.json`: makes one report of the shards of a run. */
export const mergeCommand = async (
  files: readonly string[],
  values: Values,
  console: Console,
): Promise<number> => {
  const report = mergeReports(files.map(readReport))
  writeReports(report, values)
  console.write(terminalReport(report, { width: console.columns, colour: console.colour }))
  return exitCodeOf(report, { requireAll: values['require-all'] ?? false })
}

/** `contract compare before.json after.json`: says what broke and what was mended. */
export const compareCommand = async (files: readonly string[], console: Console): Promise<number> => {
  const [before, after] = files
  if (before === undefined || after === undefined)
    throw new Misconfiguration('name two JSON reports to compare')
  const comparison = compareReports(readReport(before), readReport(after))
  console.write(comparisonText(comparison, console.columns))
  return comparison.broke.length > 0 ? 1 : 0
}
