import { randomBytes } from 'node:crypto'
import { type Api, loadApi } from './engine/api.ts'
import { defaults } from './engine/defaults.ts'
import type { FinishedRun, RunResults } from './engine/finished-run.ts'
import { loadRules } from './engine/modules.ts'
import type { Case, Plan, Selection } from './engine/plan.ts'
import type { Result } from './engine/result.ts'
import { phases } from './engine/rule.ts'
import { runAlone, run as runPlan } from './engine/runner.ts'
import { describeSelection, planOf } from './engine/selection.ts'
import { Interrupted, Misconfiguration, NotArranged, Unreachable } from './engine/signals.ts'
import { type TestCase, throwRed } from './engine/test-case.ts'
import { arrangeAccessLogs } from './given/access-logs.ts'
import { ifPossible, prepare } from './given/given.ts'
import type { Exchange, RawRequest } from './http/exchange.ts'
import { createInterruption } from './http/interruption.ts'
import type { Transport } from './http/transport.ts'
import { createUnauthenticatedProbes } from './http/unauthenticated-probes.ts'
import { formatCount, formatNumber } from './report/text.ts'
import { expectCopy } from './run-context/credentials.ts'
import { type Journal, type JournalledRun, type Leftover, openJournal } from './run-context/journal.ts'
import {
  expectControl,
  expectResponse,
  type OpenRunContext,
  openRunContext,
  secretsOf,
  systemTimer,
  type Timer,
  trackClock,
  transportTo,
  unauthenticatedProbesOf,
} from './run-context/open.ts'
import type { EventCondition } from './run-context/prerequisites.ts'
import type { RunContext } from './run-context/run-context.ts'
import { addressOf } from './target/address.ts'
import { lockClockOf, lockFile } from './target/files.ts'
import { copyOfDemo, isDemo, type OwnDemo, targetOn } from './target/own-demo.ts'
import type { Target } from './target/target.ts'
import { expectPossible } from './target/values.ts'

export interface KitOptions {
  readonly target: Target
  readonly selection?: Selection
  readonly seed?: number
  readonly parallel?: number
  readonly strict?: boolean
  /** Keeps an exchange of what passed too, for reports that show all. */
  readonly keepPasses?: boolean
  /** Where a run writes down what it made, for `contract cleanup`. */
  readonly journalFile?: string
  /** Takes up the run of the journal where it was interrupted: what it left is removed, and what it found is kept. */
  readonly resume?: boolean
  /** Leaves what the run made and changed, for somebody who looks on; `contract cleanup` takes it away. */
  readonly keep?: boolean
  /** What this run alone is called: where it is lent a project, whatever is marked so is removed at its end. */
  readonly runTag?: string
  /** Breaks a run off: checks under way are ended, no other is begun, and what was made is removed. */
  readonly signal?: AbortSignal
  /** How the kit waits: for its own rate, and for a target that asks for patience. */
  readonly timer?: Timer
  readonly onResult?: (result: Result) => void
  /** Hears for how many seconds the target has asked to be left alone. */
  readonly onWait?: (seconds: number) => void
  /** Hears of each condition that an earlier run of the journal had raised, once it is over. */
  readonly onEnded?: (condition: EventCondition) => void
  /** Hears of the moment to which the clock was put back that an earlier run of the journal had moved. */
  readonly onClockRestored?: (now: number) => void
}

/** A run over one target. */
export interface Kit {
  readonly plan: Plan
  readonly context: RunContext
  readonly seed: number
  /**
   * Every check as a test, for `for (const { id, run } of kit.cases()) test(id, run)`. They run in this order, one
   * after the other; `finish` belongs after the last.
   */
  cases(): TestCase[]
  /**
   * Asks for what somebody without credentials may ask for.
   *
   * @throws Unreachable when nothing answers; Misconfiguration when the control interface does not.
   */
  expectResponse(): Promise<Exchange>
  /**
   * Puts back the clock, if an earlier run of the journal has moved it; returns why it could not.
   *
   * @throws Misconfiguration when another run of this machine moves it.
   */
  restoreClock(): Promise<readonly Leftover[]>
  /** Removes what the tests made, and closes. */
  finish(): Promise<readonly Leftover[]>
  /**
   * Runs everything, removes what it made, and closes.
   *
   * @throws Interrupted when `signal` broke it off, Unreachable when nothing answers any more: with what was found out
   *   by then.
   */
  run(): Promise<FinishedRun>
  close(): void
}

/** Nothing may be arranged either where nothing may be changed. */
const untouched = ({ control: _, hooks: __, ...target }: Target): Target => target

const checked = (api: Api, target: Target): Target => {
  addressOf('the service', target.baseUrl)
  if (target.control !== undefined) addressOf('the control interface', target.control)
  if (target.things.groupId === undefined)
    throw new Misconfiguration('the target names no project that may be used: things.groupId is missing')
  expectPossible(api, target)
  return target.readOnly ? untouched(target) : target
}

/** Puts the copy of the demo organisation in place, unless it would be in some other place than what is tested. */
const seedCopy = async (context: RunContext, demo: OwnDemo, selection: Selection): Promise<void> => {
  await context.prerequisites.seed(demo.rows)
  try {
    await expectCopy(context, selection)
  } catch (error) {
    await context.cleanUp()
    throw error
  }
}

/** Alerts of a condition that goes on would count as the run's own. */
const endEarlier = async (context: RunContext, { onEnded = () => {} }: KitOptions): Promise<void> => {
  for (const condition of await context.endConditions()) onEnded(condition)
}

/** Prepares what checks share, and notes the requests for it that had no answer. */
const prepareFor = async (
  context: RunContext,
  cases: readonly Case[],
  unanswered: string[],
): Promise<void> => {
  const cells = cases.map(({ cell }) => cell)
  await prepare(context, cells, ({ request: { method, path } }) => {
    unanswered.push(`${method} ${path}, which prepared the run`)
  })
  if (cases.some(({ cell }) => cell.operation.area === 'Access Tracking'))
    await ifPossible(() => arrangeAccessLogs(context))
}

/** Two addresses that differ in their writing alone are one. */
const sameAddress = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href

/** What a run left somewhere is not looked for elsewhere: there, it would count as gone. */
const expectSameTarget = (journal: Journal, file: string | undefined, { baseUrl }: Target): void => {
  const { run } = journal.progress()
  if (run === undefined || sameAddress(run.target, baseUrl)) return
  const remaining = [journal.left(), journal.changed(), journal.allExisting(), journal.activeConditions()]
  const alone = [journal.seedLeft(), journal.clock()]
  if (remaining.some((all) => all.length > 0) || alone.some((one) => one !== undefined))
    throw new Misconfiguration(`${file} tells of things at ${run.target}, and the target is ${baseUrl}`)
}

const nothing: RunResults = { results: [], coverage: [] }

/** A run that is broken off before its first check has found out nothing. */
const nothingIfBroken = (error: unknown): RunResults => {
  if (error instanceof Interrupted) return nothing
  throw error
}

/** What the journal tells of the run that is to be taken up. */
const toResume = (journal: Journal, { journalFile, seed, target, ...options }: KitOptions) => {
  if (journalFile === undefined)
    throw new Misconfiguration('name the journal of the run that is to be resumed with --journal')
  const { run, done } = journal.progress()
  if (run === undefined)
    throw new Misconfiguration(`${journalFile} tells of no run: one is resumed that was begun with --journal`)
  if (seed !== undefined && seed !== run.seed)
    throw new Misconfiguration(
      `the run was begun with the seed ${run.seed}, and cannot be resumed with ${seed}`,
    )
  const { strict = false, selection = {} } = options
  if (strict !== run.strict)
    throw new Misconfiguration(`the run was begun ${run.strict ? 'strict' : 'not strict'}, and stays so`)
  if (!sameAddress(run.target, target.baseUrl))
    throw new Misconfiguration(
      `the run was begun at ${run.target}, and cannot be resumed at ${target.baseUrl}`,
    )
  const [begun, now] = [describeSelection(run.selection), describeSelection(selection)]
  if (begun !== now)
    throw new Misconfiguration(`the run was begun with ${begun}, and cannot be resumed with ${now}`)
  return { run, done }
}

/** Holds the journal for this run; what is returned lets go of it, and of the connections. */
const closing = (transport: Transport, { journalFile }: KitOptions): (() => void) => {
  const release = journalFile === undefined ? () => {} : lockFile('the journal', journalFile)
  return () => {
    transport.close()
    release()
  }
}

/** Holds the clock that a run moves. */
const lockClock = ({ control, baseUrl }: Target): (() => void) =>
  control === undefined
    ? lockClockOf(baseUrl, '')
    : lockClockOf(control, ', give each run a world of its own with --own-world')

/** The target's clock, held for as long as this run may move it. */
const clockOf = (context: OpenRunContext, journal: Journal, { onClockRestored = () => {} }: KitOptions) => {
  let release = (): void => {}
  let restore = async (): Promise<readonly Leftover[]> => []
  const lockIfMovable = (): void => {
    if (context.prerequisites.canMoveClock) release = lockClock(context.target)
  }
  return {
    async lock() {
      lockIfMovable()
      restore = await trackClock(context, journal, onClockRestored)
    },
    restore: () => restore(),
    async restoreEarlier(): Promise<readonly Leftover[]> {
      if (journal.clock() === undefined) return []
      lockIfMovable()
      const { now, left } = await context.clock.restore()
      if (now !== undefined) onClockRestored(now)
      return left
    },
    release: () => release(),
  }
}

/** How far a run came. */
const progressText = ({ results }: RunResults, { cases }: Plan): string => {
  const planned = new Set(cases.map(({ id }) => id))
  const made = results.filter(({ id }) => planned.has(id)).length
  return `after ${formatNumber(made)} of ${formatCount(cases.length, 'check')}`
}

/** So many requests may have been under way when a target went down. */
const maxNamed = defaults.parallel

/** A target that is gone in the midst of a run keeps what the run made there. */
const abandoned = (
  { ended, unanswered = [], ...run }: RunResults,
  plan: Plan,
  { journalFile, target }: KitOptions,
): Unreachable => {
  const cleanup =
    journalFile === undefined
      ? 'what the run made there was not written down, since no --journal was named'
      : `contract cleanup --journal ${journalFile} removes what the run made, once it answers`
  const why = `nothing answers at ${target.baseUrl} any more (${ended?.message})`
  const [before, ...others] = unanswered.slice(-maxNamed).reverse()
  const last =
    before === undefined ? '' : `; before that, no answer came to ${[before, ...others].join(', nor to ')}`
  return new Unreachable(`broken off ${progressText(run, plan)}: ${why}${last}; ${cleanup}`, {
    ...run,
    leftovers: [],
  })
}

const cleanupText = (left: readonly Leftover[], { keep }: KitOptions): string => {
  if (keep) return 'what it made is kept'
  return left.length === 0
    ? 'what it made is removed'
    : `${formatCount(left.length, 'thing')} could not be removed`
}

const interrupted = (made: FinishedRun, plan: Plan, options: KitOptions): Interrupted =>
  new Interrupted(`interrupted ${progressText(made, plan)}; ${cleanupText(made.leftovers, options)}`, made)

/** What could not be arranged, with what became of what had been made by then. */
const failed = (error: unknown, left: readonly Leftover[], options: KitOptions): unknown =>
  error instanceof NotArranged ? new NotArranged(`${error.message}; ${cleanupText(left, options)}`) : error

/** What a run needs, before anything is sent. */
const opened = async (options: KitOptions) => {
  if (options.keep && options.journalFile === undefined)
    throw new Misconfiguration(
      'what a run keeps has to be written down for contract cleanup: name a file with --journal',
    )
  const api = loadApi()
  const { selection = {}, timer = systemTimer, onWait = () => {} } = options
  const journal = openJournal(options.journalFile)
  const before = options.resume ? toResume(journal, options) : undefined
  const runTag = before?.run.runTag ?? options.runTag ?? `contract-${randomBytes(4).toString('hex')}`
  const given = checked(api, options.target)
  const about = { strict: options.strict ?? false, target: given.baseUrl, selection }
  const run: JournalledRun = { runTag, seed: before?.run.seed ?? options.seed ?? 1, ...about }
  expectSameTarget(journal, options.journalFile, given)
  const demo = isDemo(given) ? copyOfDemo(runTag) : undefined
  const target = demo ? targetOn(given, demo) : given
  const chosen = target.readOnly ? { ...selection, readOnly: true } : selection
  const plan = planOf(api, await loadRules(), chosen)
  const secrets = secretsOf(target)
  const interruption = createInterruption(options.signal)
  const transport = transportTo(target, chosen, interruption)
  const unauthenticatedProbes = createUnauthenticatedProbes(
    unauthenticatedProbesOf(api, target, {
      tested: [...new Set(plan.cases.map(({ cell }) => cell))],
      left: [...journal.left(), ...journal.changed()].map(({ operation }) => operation),
      ...(chosen.readOnly && { readOnly: true }),
    }),
  )
  const context = openRunContext({
    ...{ api, target, secrets, transport, interruption, journal, runTag, demo },
    unauthenticatedProbes,
    timer: { ...timer, sleep: interruption.sleeping(timer.sleep) },
    onWait,
    versions: selection.versions,
  })
  const noted = { earlier: before?.done ?? [], ...(options.journalFile && { onDone: journal.done }) }
  const settings = { ...options, ...noted, context, secrets, plan, selection: chosen, seed: run.seed }
  return { before, demo, unauthenticatedProbes, interruption, journal, run, settings, transport }
}

/**
 * Opens the kit on a target.
 *
 * @example
 * const kit = await openKit({ target })
 * const { results } = await kit.run()
 * @throws Misconfiguration when the target is not a usable one.
 * @throws Unreachable from `run` when nothing answers.
 */
export const openKit = async (options: KitOptions): Promise<Kit> => {
  const { before, demo, unauthenticatedProbes, interruption, journal, run, settings, transport } =
    await opened(options)
  const { context, plan } = settings
  const closeAll = closing(transport, options)
  const unanswered: string[] = []
  let begun: Promise<void> | undefined
  const clock = clockOf(context, journal, options)
  const close = (): void => {
    closeAll()
    clock.release()
  }
  const expectReady = async (): Promise<void> => {
    await expectResponse(transport, unauthenticatedProbes.current())
    await clock.lock()
  }
  const begin = async (): Promise<void> => {
    await endEarlier(context, options)
    if (before === undefined) journal.began(run)
    else await context.cleanUp()
    if (demo) await seedCopy(context, demo, settings.selection)
    await prepareFor(context, plan.cases, unanswered)
  }
  const end = async (): Promise<readonly Leftover[]> => {
    interruption.cleanUp()
    const left = options.keep ? [] : await context.cleanUp()
    return [...left, ...(await clock.restore())]
  }
  /** Whatever goes wrong once it has begun, what it made is removed. */
  const work = async (): Promise<RunResults> => {
    try {
      await begin()
      return await runPlan({ ...settings, unanswered })
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
      const exchange = await expectResponse(transport, unauthenticatedProbes.current())
      await expectControl(context)
      const send = (probe: RawRequest): Promise<Exchange> => context.session.send(probe, { kind: 'none' })
      return unauthenticatedProbes.challengeAfter(exchange, (probe) =>
        expectResponse({ ...transport, send }, probe),
      )
    },
    cases() {
      const inOrder = phases.flatMap((phase) => plan.cases.filter((one) => one.phase === phase))
      return inOrder.map((one) => ({
        id: one.id,
        run: async () => {
          begun ??= expectReady().then(begin)
          await begun
          throwRed(await runAlone(one, settings))
        },
      }))
    },
    restoreClock: clock.restoreEarlier,
    async finish() {
      const leftovers = await end()
      close()
      return leftovers
    },
    async run() {
      try {
        const run = await expectReady().then(work).catch(nothingIfBroken)
        if (run.ended) throw abandoned(run, plan, options)
        const finished = { ...run, leftovers: await end() }
        if (options.signal?.aborted) throw interrupted(finished, plan, options)
        return finished
      } finally {
        close()
      }
    },
  }
}
