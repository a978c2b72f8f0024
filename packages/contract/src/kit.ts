import { randomBytes } from 'node:crypto'
import { phases } from './check/rule.ts'
import { ifPossible, prepare } from './given/given.ts'
import type { Exchange, RawRequest } from './http/exchange.ts'
import type { Transport } from './http/transport.ts'
import { createUnauthenticatedProbes } from './http/unauthenticated-probes.ts'
import { type Api, loadApi } from './model/api.ts'
import { defaults } from './model/defaults.ts'
import type { FinishedRun, RunResults } from './model/finished-run.ts'
import type { Leftover } from './model/leftover.ts'
import type { Result } from './model/result.ts'
import type { Selection } from './model/selection.ts'
import { Interrupted, Misconfiguration, NotArranged, Unreachable } from './model/signals.ts'
import type { StaleId } from './model/stale-id.ts'
import type { TestedOperation } from './model/tested-operation.ts'
import { formatCount, formatNumber } from './report/text.ts'
import { arrangeAccessLogs } from './resources/access-logs.ts'
import { loadRules } from './run/modules.ts'
import type { Case, Plan } from './run/plan.ts'
import { runAlone, run as runPlan } from './run/runner.ts'
import { planOf } from './run/selected-plan.ts'
import { type TestCase, throwRed } from './run/test-case.ts'
import { clockOf } from './run-clock.ts'
import { expectCopy } from './run-context/credentials.ts'
import { createInterruption } from './run-context/interruption.ts'
import { type JournaledRun, openJournal } from './run-context/journal.ts'
import {
  expectControl,
  expectFirstResponse,
  expectResponse,
  openRunContext,
  secretsOf,
  systemTimer,
  type Timer,
  transportTo,
  unauthenticatedProbesOf,
} from './run-context/open.ts'
import type { EventCondition } from './run-context/prerequisites.ts'
import type { RunContext } from './run-context/run-context.ts'
import { createProbe, implementedPart } from './run-probe.ts'
import { expectSameTarget, toResume } from './run-resume.ts'
import { addressOf } from './target/address.ts'
import { lockFile } from './target/files.ts'
import { copyOfDemo, isDemo, type OwnDemo, targetOn } from './target/own-demo.ts'
import type { Target } from './target/target.ts'
import { expectPossible } from './target/values.ts'

export interface KitOptions {
  readonly target: Target
  readonly selection?: Selection
  readonly seed?: number
  readonly parallel?: number
  readonly strict?: boolean
  /** Whether to keep an exchange for each passed check. Full reports need these exchanges. */
  readonly keepPasses?: boolean
  /** A file in which the run records what it creates, so that `contract cleanup` can remove it. */
  readonly journalFile?: string
  /**
   * Whether to resume the interrupted run in the journal. The kit first removes the resources that the
   * interrupted run left behind, and keeps its results.
   */
  readonly resume?: boolean
  /** Whether to keep everything that the run creates or changes. `contract cleanup` can remove it later. */
  readonly keep?: boolean
  /**
   * A tag for this run, which must be unique. When a run in a provided project ends, it removes everything that has
   * this tag.
   */
  readonly runTag?: string
  /** A signal that interrupts the run. Running checks stop, and the run removes its resources. */
  readonly signal?: AbortSignal
  /** Replaces the timer for all waits, both for the kit's own rate limit and for waits that the target asks for. */
  readonly timer?: Timer
  readonly onResult?: (result: Result) => void
  /** Called with the number of seconds when the target asks the kit to wait. */
  readonly onWait?: (seconds: number) => void
  /** Called after the kit has ended a condition that an earlier run left behind. */
  readonly onEnded?: (condition: EventCondition) => void
  /** Called with the restored time if an earlier run in the journal moved the clock. */
  readonly onClockRestored?: (now: number) => void
}

/** A run against one target. */
export interface Kit {
  readonly plan: Plan
  readonly context: RunContext
  readonly seed: number
  /**
   * Returns all checks as tests, for example `for (const { id, run } of kit.cases()) test(id, run)`. Run the
   * tests in this order, one at a time. Call `finish` after the last test.
   */
  cases(): TestCase[]
  /**
   * Sends a request without credentials to check that the target responds.
   *
   * @throws Unreachable if nothing responds; Misconfiguration if the control interface doesn't respond.
   */
  expectResponse(): Promise<Exchange>
  /**
   * Finds the operations that the target doesn't implement, and excludes them from the run. The kit sends one
   * probe for each selected operation. Probes don't change anything.
   *
   * @throws Misconfiguration if the target implements none of the selected operations.
   */
  probe(): Promise<readonly TestedOperation[]>
  /** Finds names in the target file that don't match an existing resource. Call `probe` first. */
  findStaleIds(): Promise<readonly StaleId[]>
  /**
   * If an earlier run in the journal moved the clock, restores the clock. Returns what couldn't be restored.
   *
   * @throws Misconfiguration if another run on this machine is moving the clock.
   */
  restoreClock(): Promise<readonly Leftover[]>
  /** Removes what the tests have created, and closes the kit. */
  finish(): Promise<readonly Leftover[]>
  /**
   * Runs all checks, removes what they created, and closes the kit.
   *
   * @throws Interrupted if `signal` is aborted, or Unreachable if the target stops responding. Both errors contain
   *   the results so far.
   */
  run(): Promise<FinishedRun>
  close(): void
}

/** Removes the hooks and the control interface, so that a read-only run can't use them to change anything. */
const untouched = ({ control: _, hooks: __, ...target }: Target): Target => target

const checked = (api: Api, target: Target): Target => {
  addressOf('the service', target.baseUrl)
  if (target.control !== undefined) addressOf('the control interface', target.control)
  if (target.things.groupId === undefined)
    throw new Misconfiguration("the target file doesn't specify a project: things.groupId is missing")
  expectPossible(api, target)
  return target.readOnly ? untouched(target) : target
}

/** Seeds the copy of the demo organization. If the copy isn't visible at the tested address, removes the copy. */
const seedCopy = async (context: RunContext, demo: OwnDemo, selection: Selection): Promise<void> => {
  await context.prerequisites.seed(demo.rows)
  try {
    await expectCopy(context, selection)
  } catch (error) {
    await context.cleanUp()
    throw error
  }
}

/**
 * Ends the conditions of an earlier run. Otherwise, checks could mistake alerts from the earlier run for alerts from
 * this run.
 */
const endEarlier = async (context: RunContext, { onEnded = () => {} }: KitOptions): Promise<void> => {
  for (const condition of await context.endConditions()) onEnded(condition)
}

/** Prepares the resources that checks share. Records requests that get no response. */
const prepareFor = async (
  context: RunContext,
  cases: readonly Case[],
  unanswered: string[],
): Promise<void> => {
  const cells = cases.map(({ cell }) => cell)
  await prepare(context, cells, ({ request: { method, path } }) => {
    unanswered.push(`${method} ${path} (sent to prepare the run)`)
  })
  if (cases.some(({ cell }) => cell.operation.area === 'Access Tracking'))
    await ifPossible(() => arrangeAccessLogs(context))
}

const nothing: RunResults = { results: [], coverage: [] }

/** If a run is interrupted before its first check, it has no results. */
const nothingIfBroken = (error: unknown): RunResults => {
  if (error instanceof Interrupted) return nothing
  throw error
}

/** Locks the journal for this run. The returned function releases the lock and closes the connections. */
const closing = (transport: Transport, { journalFile }: KitOptions): (() => void) => {
  const release = journalFile === undefined ? () => {} : lockFile('the journal', journalFile)
  return () => {
    transport.close()
    release()
  }
}

const progressText = ({ results }: RunResults, { cases }: Plan): string => {
  const planned = new Set(cases.map(({ id }) => id))
  const made = results.filter(({ id }) => planned.has(id)).length
  return `after ${formatNumber(made)} of ${formatCount(cases.length, 'check')}`
}

/** An error message lists at most this many requests, because no more can be in flight when the target goes down. */
const maxNamed = defaults.parallel

/** Returns the error for a run that can't remove its resources, because the target stopped responding. */
const abandoned = (
  { ended, unanswered = [], ...run }: Omit<FinishedRun, 'leftovers'>,
  plan: Plan,
  { journalFile, target }: KitOptions,
): Unreachable => {
  const cleanup =
    journalFile === undefined
      ? 'there is no record of what the run created, because --journal was not used'
      : `once the server is running again, run contract cleanup --journal ${journalFile} to remove what the run created`
  const why = `${target.baseUrl} stopped responding (${ended?.message})`
  const [before, ...others] = unanswered.slice(-maxNamed).reverse()
  const last =
    before === undefined ? '' : `; the last requests without a response: ${[before, ...others].join(', ')}`
  return new Unreachable(`stopped ${progressText(run, plan)}: ${why}${last}; ${cleanup}`, {
    ...run,
    leftovers: [],
  })
}

const cleanupText = (left: readonly Leftover[], { keep }: KitOptions): string => {
  if (keep) return 'its resources were kept'
  return left.length === 0
    ? 'its resources were removed'
    : `${formatCount(left.length, 'resource')} could not be removed`
}

const interrupted = (made: FinishedRun, plan: Plan, options: KitOptions): Interrupted =>
  new Interrupted(`interrupted ${progressText(made, plan)}; ${cleanupText(made.leftovers, options)}`, made)

/** Adds the result of the cleanup to the message of an error from a hook or the control interface. */
const failed = (error: unknown, left: readonly Leftover[], options: KitOptions): unknown =>
  error instanceof NotArranged ? new NotArranged(`${error.message}; ${cleanupText(left, options)}`) : error

/** Prepares everything that a run needs before its first request. */
const opened = async (options: KitOptions) => {
  if (options.keep && options.journalFile === undefined)
    throw new Misconfiguration(
      '--keep needs a journal, so that contract cleanup can remove the resources later: name a file with --journal',
    )
  const api = loadApi()
  const { selection = {}, timer = systemTimer, onWait = () => {} } = options
  const journal = openJournal(options.journalFile)
  const before = options.resume ? toResume(journal, options) : undefined
  const runTag = before?.run.runTag ?? options.runTag ?? `contract-${randomBytes(4).toString('hex')}`
  const given = checked(api, options.target)
  const about = { strict: options.strict ?? false, target: given.baseUrl, selection }
  const run: JournaledRun = { runTag, seed: before?.run.seed ?? options.seed ?? 1, ...about }
  expectSameTarget(journal, options.journalFile, given)
  const demo = isDemo(given) ? copyOfDemo(runTag) : undefined
  const target = demo ? targetOn(given, demo) : given
  const chosen = target.readOnly ? { ...selection, readOnly: true } : selection
  const plan = planOf(api, await loadRules(), chosen)
  const secrets = secretsOf(target)
  const interruption = createInterruption(options.signal)
  const transport = transportTo(api, target, chosen, interruption)
  const unauthenticatedProbes = createUnauthenticatedProbes(
    unauthenticatedProbesOf(api, target, {
      tested: [...new Set(plan.cases.map(({ cell }) => cell))],
      left: [...journal.left(), ...journal.changed()].map(({ operation }) => operation),
      ...(chosen.readOnly && { readOnly: true }),
    }),
  )
  const context = openRunContext({
    api,
    target,
    secrets,
    transport,
    interruption,
    journal,
    runTag,
    demo,
    unauthenticatedProbes,
    timer: { ...timer, sleep: interruption.sleeping(timer.sleep) },
    onWait,
    versions: selection.versions,
  })
  const noted = { earlier: before?.done ?? [], ...(options.journalFile && { onDone: journal.done }) }
  const settings = { ...options, ...noted, context, secrets, plan, selection: chosen, seed: run.seed }
  return { before, demo, unauthenticatedProbes, interruption, journal, run, settings, transport }
}

const inPhases = ({ cases }: Plan): Case[] =>
  phases.flatMap((phase) => cases.filter((one) => one.phase === phase))

/**
 * Returns the cases in the order in which the run executes them. After the run is prepared, each case can run alone.
 */
const separately = (
  plan: Plan,
  settings: Parameters<typeof runAlone>[1],
  prepared: () => Promise<void>,
): TestCase[] =>
  inPhases(plan).map((one) => ({
    id: one.id,
    run: async () => {
      await prepared()
      throwRed(await runAlone(one, settings))
    },
  }))

/**
 * Opens the kit for a target.
 *
 * @example
 * const kit = await openKit({ target })
 * const { results } = await kit.run()
 * @throws Misconfiguration if the target isn't usable.
 * @throws Unreachable from `run` if nothing responds.
 */
export const openKit = async (options: KitOptions): Promise<Kit> => {
  const { before, demo, unauthenticatedProbes, interruption, journal, run, settings, transport } =
    await opened(options)
  const { context, plan } = settings
  const closeAll = closing(transport, options)
  const unanswered: string[] = []
  let begun: Promise<void> | undefined
  const clock = clockOf(context, journal, options)
  const { facts, findStaleIds, probe } = createProbe(context, settings.selection, demo !== undefined)
  const close = (): void => {
    closeAll()
    clock.release()
  }
  const expectReady = (): Promise<void> =>
    expectFirstResponse(transport, unauthenticatedProbes).then(clock.lock)
  const begin = async (): Promise<void> => {
    await endEarlier(context, options)
    if (before === undefined) journal.began(run)
    else await context.cleanUp()
    if (demo) await seedCopy(context, demo, settings.selection)
    await probe()
    await findStaleIds()
    await prepareFor(context, implementedPart(plan, context).cases, unanswered)
  }
  const end = async (): Promise<readonly Leftover[]> => {
    interruption.cleanUp()
    const left = options.keep ? [] : await context.cleanUp()
    return [...left, ...(await clock.restore())]
  }
  // Prepares the run and runs the checks. If that fails, cleans up before throwing the error.
  const work = async (): Promise<RunResults> => {
    try {
      await begin()
      return await runPlan({ ...settings, plan: implementedPart(plan, context), unanswered })
    } catch (error) {
      if (error instanceof Unreachable) return { ...nothing, ended: error, unanswered }
      if (error instanceof Interrupted) throw error
      throw failed(error, await end(), options)
    }
  }
  return {
    plan,
    context,
    seed: run.seed,
    close,
    async expectResponse() {
      const exchange = await expectFirstResponse(transport, unauthenticatedProbes)
      await expectControl(context)
      const send = (probe: RawRequest): Promise<Exchange> => context.session.send(probe, { kind: 'none' })
      return unauthenticatedProbes.challengeAfter(exchange, (probe) =>
        expectResponse({ ...transport, send }, probe),
      )
    },
    cases: () =>
      separately(plan, settings, () => {
        begun ??= expectReady().then(begin)
        return begun
      }),
    probe,
    findStaleIds,
    restoreClock: clock.restoreEarlier,
    async finish() {
      const leftovers = await end()
      close()
      return leftovers
    },
    async run() {
      try {
        const run = await expectReady().then(work).catch(nothingIfBroken)
        if (run.ended) throw abandoned({ ...run, ...facts() }, plan, options)
        const finished = { ...run, ...facts(), leftovers: await end() }
        if (options.signal?.aborted) throw interrupted(finished, plan, options)
        return finished
      } finally {
        close()
      }
    },
  }
}
