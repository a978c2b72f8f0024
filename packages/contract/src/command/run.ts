import { resolve } from 'node:path'
import { type Kit, openKit } from '../kit.ts'
import { defaults } from '../model/defaults.ts'
import type { FinishedRun } from '../model/finished-run.ts'
import type { Result } from '../model/result.ts'
import { Interrupted, Misconfiguration, Unreachable } from '../model/signals.ts'
import { badge } from '../report/badge.ts'
import { htmlReport } from '../report/html.ts'
import { exchangesReport, jsonReport } from '../report/json.ts'
import { junitReport } from '../report/junit.ts'
import { markdownReport } from '../report/markdown.ts'
import { createProgress, type Progress } from '../report/progress.ts'
import { exitCodeOf, makeReport, type Report } from '../report/report.ts'
import { sarifReport } from '../report/sarif.ts'
import { type TerminalOptions, terminalReport } from '../report/terminal.ts'
import { applyWaivers, readWaivers } from '../report/waivers.ts'
import { describeClock, describeCondition } from '../run-context/journal.ts'
import { openOwnWorld } from '../run-context/own-world.ts'
import { expectWritable } from '../target/files.ts'
import type { Target } from '../target/target.ts'
import { numberOf, selectionOf, targetOf, type Values } from './arguments.ts'
import { type Console, complaint } from './console.ts'
import { demoCredentialsText, withDemoCurl } from './demo-curl.ts'
import { kitVersion } from './kit-version.ts'
import { writePieces } from './pieces.ts'
import { retainedResourcesText } from './retained-resources.ts'
import { checkBeforeRun } from './target-check.ts'

const writers = {
  json: jsonReport,
  junit: junitReport,
  html: htmlReport,
  sarif: sarifReport,
  markdown: markdownReport,
  badge,
  exchanges: exchangesReport,
}

const isWriter = (name: string): name is keyof typeof writers => Object.hasOwn(writers, name)
const reportNames = Object.keys(writers).filter(isWriter)

/**
 * Before the run starts, checks that all report files are writable.
 *
 * @throws Misconfiguration if a file isn't writable, or if two reports use the same file.
 */
export const expectReportFiles = (values: Values): void => {
  const known = new Map<string, string>()
  for (const name of reportNames) {
    const file = values[name]
    if (file === undefined) continue
    const other = known.get(resolve(file))
    if (other !== undefined) throw new Misconfiguration(`--${other} and --${name} both write to ${file}`)
    known.set(resolve(file), name)
    expectWritable(`--${name}`, file)
  }
}

/** Writes the reports that the user has requested. */
export const writeReports = (report: Report, values: Values): void => {
  for (const name of reportNames) {
    const file = values[name]
    if (file === undefined) continue
    const written = writers[name](report)
    writePieces(file, typeof written === 'string' ? [written] : written)
  }
}

/** Returns the options for the console report, including the paths of the report files. */
export const textOptions = (values: Values, { columns, color }: Console): TerminalOptions => {
  const files = [values.html, values.json].filter((file) => file !== undefined)
  return { width: columns, color, files }
}

const nothing: FinishedRun = { results: [], coverage: [], leftovers: [], operations: [] }

/** Returns the error if it ended the run and contains the results so far. Rethrows any other error. */
const interruption = (error: unknown): Interrupted | Unreachable => {
  if (error instanceof Interrupted || (error instanceof Unreachable && error.finished)) return error
  throw error
}

/** Shows the run's progress. If the user interrupts the run, shows what happens next. */
const showProgress = (
  kit: Kit,
  { quiet, keep }: Values,
  console: Console,
  signal: AbortSignal | undefined,
): Progress => {
  const progress = quiet ? undefined : createProgress(kit.plan.cases.length, console.progress)
  let over = false
  const end = (): void => {
    if (!over) progress?.end()
    over = true
  }
  signal?.addEventListener('abort', () => {
    end()
    const cleanupState = keep ? 'kept' : 'removed'
    console.warn(
      `contract: stopping; the run's resources will be ${cleanupState}. Press Ctrl+C again to stop immediately.\n`,
    )
  })
  const note = (result: Result): void => {
    if (!over) progress?.note(result)
  }
  const wait = (seconds: number): void => {
    if (!over) progress?.wait(seconds)
  }
  return { note, wait, end }
}

/**
 * Options for resources that remain after a run. The options have no effect in a separate world, which is
 * deleted after the run.
 */
const outliving = ['journal', 'resume', 'keep'] as const

/** `contract run` tests a target and writes reports. */
export const runCommand = async (values: Values, console: Console): Promise<number> => {
  const target = targetOf(values)
  if (!values['own-world']) return runOn(target, target.baseUrl, values, console)
  const [other] = outliving.filter((name) => values[name])
  if (other !== undefined)
    throw new Misconfiguration(
      `--own-world can't be combined with --${other}: its world is deleted after the run`,
    )
  expectReportFiles(values)
  const own = await openOwnWorld(target)
  try {
    return await runOn(own.target, target.baseUrl, values, console)
  } finally {
    await own
      .remove()
      .catch((error: Error) =>
        console.warn(complaint(`could not delete the run's world: ${error.message}`, console)),
      )
  }
}

/** Tests the target at its own address, but names `address` in the report. */
const runOn = async (target: Target, address: string, values: Values, console: Console): Promise<number> => {
  const selection = selectionOf(values)
  const waivers = values.waivers === undefined ? [] : readWaivers(values.waivers)
  expectReportFiles(values)
  const began = performance.now()
  const startedAt = new Date().toISOString()
  const strict = values.strict ?? false
  let progress: Progress | undefined
  const signal = console.interruption?.()
  const kit = await openKit({
    target,
    ...(signal && { signal }),
    selection,
    ...(values.seed !== undefined && { seed: numberOf('seed', values.seed, 1) }),
    strict,
    keepPasses: values.exchanges !== undefined,
    parallel: numberOf('parallel', values.parallel, defaults.parallel),
    ...(values.journal !== undefined && { journalFile: values.journal }),
    ...(values.resume && { resume: true }),
    ...(values.keep && { keep: true }),
    onResult: (result) => progress?.note(result),
    onWait: (seconds) => progress?.wait(seconds),
    onEnded: (condition) =>
      console.warn(
        complaint(`ended a condition that an earlier run raised: ${describeCondition(condition)}`, console),
      ),
    onClockRestored: (now) => console.warn(complaint(`an earlier run moved ${describeClock(now)}`, console)),
  })
  progress = showProgress(kit, values, console, signal)
  const made = await checkBeforeRun(kit, selection, console)
    .then(() => kit.run())
    .finally(progress.end)
    .catch(interruption)
  const broken = made instanceof Error ? made : undefined
  const finished = made instanceof Error ? (made.finished ?? nothing) : made
  const { results, coverage, operations, staleIds = [], leftovers: left } = finished
  const part = selection.shard !== undefined || broken !== undefined
  const lasting = values.keep
    ? results
    : withDemoCurl(results, kit.context.demo, { tested: target.baseUrl, lasting: address })
  const waived = applyWaivers(lasting, waivers, startedAt.slice(0, 10), { part })
  const report = makeReport({
    kit: kitVersion(),
    target: address,
    runTag: kit.context.runTag,
    seed: kit.seed,
    strict,
    ...(values['require-all'] && { requireAll: true }),
    ...(values['expect-all'] && { expectAll: true }),
    selection,
    ...(kit.context.demo.names.size > 0 && { inDemoCopy: true }),
    ...(values.keep && { retainedResources: true }),
    ...(broken && { interrupted: broken.message }),
    startedAt,
    seconds: (performance.now() - began) / 1000,
    coverage,
    operations,
    ...(staleIds.length > 0 && { staleIds }),
    results: waived.results,
    waiverProblems: waived.problems,
    leftovers: left,
  })
  writeReports(report, values)
  console.write(terminalReport(report, textOptions(values, console)))
  console.write(demoCredentialsText(report, console.columns))
  if (values.keep) console.write(retainedResourcesText(kit.context, values, console.columns))
  if (broken) throw broken
  return exitCodeOf(report)
}
