import { inspect, type Json, parseJson, sameJson, stringAt } from '../document/json.ts'
import { joinNames } from '../model/nearest.ts'
import { byId } from '../model/result.ts'
import type { Selection } from '../model/selection.ts'
import { Misconfiguration } from '../model/signals.ts'
import { prevailing } from '../model/verdict.ts'
import { compareReports, comparisonText } from '../report/compare.ts'
import { type JsonReport, reportFromJson } from '../report/json.ts'
import { exitCodeOf, makeReport, type Report, type Reported, reportFormat } from '../report/report.ts'
import { terminalReport } from '../report/terminal.ts'
import { formatCount } from '../report/text.ts'
import { applyWaivers, readWaivers } from '../report/waivers.ts'
import { readJson, schemaErrors } from '../target/file.ts'
import type { Values } from './arguments.ts'
import type { Console } from './console.ts'
import { expectReportFiles, textOptions, writeReports } from './run.ts'

const isReport = (value: unknown): value is JsonReport => schemaErrors('report', value).length === 0

/**
 * Reads a report from a JSON file.
 *
 * @throws Misconfiguration if the file isn't a report.
 */
export const readReport = (file: string): Report => {
  const value = readJson(file)
  if (isReport(value)) return reportFromJson(value)
  const format = stringAt(value, 'format')
  if (format !== undefined && format !== reportFormat)
    throw new Misconfiguration(
      `${file} is not a report of this kit: its format is ${format}, expected ${reportFormat}`,
    )
  const faults = schemaErrors('report', value)
  const more = faults.length > 3 ? `; and ${faults.length - 3} more` : ''
  const details = faults.slice(0, 3).join('; ')
  throw new Misconfiguration(`${file} is not a report written by contract run --json: ${details}${more}`)
}

interface Part {
  readonly file: string
  readonly report: Report
}

const partIn = (file: string): Part => ({ file, report: readReport(file) })

/**
 * Checks that all reports come from complete runs, because an interrupted run lacks results.
 *
 * @throws Misconfiguration if a run was interrupted.
 */
const expectEnded = (parts: readonly Part[]): void => {
  for (const { file, report } of parts)
    if (report.interrupted !== undefined)
      throw new Misconfiguration(
        `${file} belongs to a run that was ${report.interrupted}: finish it with contract run --resume`,
      )
}

/** These fields must be equal in the reports of all shards. */
const common = ['target', 'kit', 'seed', 'strict'] as const

const selectionJson = (selection: Selection): Json | undefined => parseJson(JSON.stringify(selection))

const partOf = ({ selection: { shard, ...selection } = {} }: Report) => ({ shard, selection })

/**
 * Checks that the reports contain each shard of one run exactly once.
 *
 * @throws Misconfiguration if a shard is missing or appears twice, or if the reports come from different runs.
 */
const expectWhole = ([first, ...others]: readonly Part[]): void => {
  if (first === undefined) return
  const differ = (what: string, file: string, one: unknown, other: unknown): never => {
    throw new Misconfiguration(
      `${first.file} and ${file} belong to different runs: ${what} is ${inspect(one)} in the first and ${inspect(other)} in the second`,
    )
  }
  expectEnded([first, ...others])
  const { shard, selection } = partOf(first.report)
  const known = new Map([[shard?.index, first.file]])
  for (const { file, report } of others) {
    for (const what of common)
      if (report[what] !== first.report[what]) differ(what, file, first.report[what], report[what])
    const own = partOf(report)
    if (!sameJson(selectionJson(own.selection), selectionJson(selection)))
      differ('selection', file, selection, own.selection)
    if (own.shard?.of !== shard?.of) differ('number of shards', file, shard?.of ?? 1, own.shard?.of ?? 1)
    const same = known.get(own.shard?.index)
    if (same !== undefined)
      throw new Misconfiguration(
        `${same} and ${file} are both ${own.shard ? `shard ${own.shard.index}/${own.shard.of}` : 'complete runs: use contract compare'}`,
      )
    known.set(own.shard?.index, file)
  }
  const all = Array.from({ length: shard?.of ?? 1 }, (_, index) => index + 1)
  const missing = shard ? all.filter((index) => !known.has(index)) : []
  if (missing.length > 0)
    throw new Misconfiguration(
      `the report of shard ${joinNames(
        missing.map((index) => `${index}/${shard?.of}`),
        'and',
      )} is missing`,
    )
}

/** Merges results. If several shards judged the same cell, based on different exchanges, the worst verdict counts. */
const mergeResults = (reports: readonly Report[]): Reported[] => {
  const merged = new Map<string, Reported>()
  for (const result of reports.flatMap(({ results }) => results)) {
    const before = merged.get(result.id)
    const prevailed =
      before && prevailing(before.verdict, result.verdict) === before.verdict ? before : result
    merged.set(result.id, { ...prevailed, exchanges: (before?.exchanges ?? 0) + result.exchanges })
  }
  return [...merged.values()].sort(byId)
}

export const mergeReports = (reports: readonly Report[]): Report => {
  const [first] = reports
  if (first === undefined) throw new TypeError('no reports to merge')
  const outside = Math.max(...reports.map(({ summary }) => summary['NOT APPLICABLE']))
  const places = new Map(
    reports.flatMap(({ coverage }) => coverage).map((place) => [JSON.stringify(place), place]),
  )
  const merged = makeReport({
    ...first,
    ...(first.selection && { selection: partOf(first).selection }),
    seconds: Math.max(...reports.map(({ seconds }) => seconds)),
    results: mergeResults(reports),
    coverage: [...places.keys()].sort().flatMap((key) => places.get(key) ?? []),
    waiverProblems: [...new Set(reports.flatMap(({ waiverProblems }) => waiverProblems))],
    leftovers: reports.flatMap(({ leftovers: left }) => left),
  })
  // Every shard reports all operation versions to which a requirement doesn't apply, so the number is the same in all
  // reports.
  return { ...merged, summary: { ...merged.summary, 'NOT APPLICABLE': outside } }
}

/** Applies the waivers after merging, because a single shard can't tell whether a waiver is still needed. */
const waive = (report: Report, file: string | undefined): Report => {
  if (file === undefined) return report
  const { results, problems } = applyWaivers(report.results, readWaivers(file), report.startedAt.slice(0, 10))
  const waiverProblems = [...new Set([...report.waiverProblems, ...problems])]
  return { ...makeReport({ ...report, results, waiverProblems }), summary: report.summary }
}

/** `contract merge a.json b.json` merges the reports of a run's shards. */
export const mergeCommand = async (
  files: readonly string[],
  values: Values,
  console: Console,
): Promise<number> => {
  if (files.length < 2)
    throw new Misconfiguration('merge needs the JSON reports of all shards of a run: at least two files')
  expectReportFiles(values)
  const parts = files.map(partIn)
  expectWhole(parts)
  const merged = mergeReports(parts.map(({ report }) => report))
  // `--require-all` and `--expect-all` apply to the merged report. The shards' own options have no effect.
  const asked = { requireAll: values['require-all'] ?? false, expectAll: values['expect-all'] ?? false }
  const report = waive({ ...merged, ...asked }, values.waivers)
  writeReports(report, values)
  console.write(terminalReport(report, textOptions(values, console)))
  return exitCodeOf(report)
}

/** `contract compare before.json after.json` lists the checks that broke and the checks that were fixed. */
export const compareCommand = async (files: readonly string[], console: Console): Promise<number> => {
  const [before, after] = files
  if (before === undefined || after === undefined || files.length > 2)
    throw new Misconfiguration(
      `compare needs two JSON reports, the earlier one first, but got ${formatCount(files.length, 'file')}`,
    )
  const [earlier, later] = [partIn(before), partIn(after)]
  expectEnded([earlier, later])
  const comparison = compareReports(earlier.report, later.report)
  console.write(comparisonText(comparison, console.columns))
  return comparison.broke.length > 0 ? 1 : 0
}
