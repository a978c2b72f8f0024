import { randomBytes } from 'node:crypto'
import { type Api, loadApi } from './engine/api.ts'
import type { Made, Run } from './engine/made.ts'
import { loadRules } from './engine/modules.ts'
import type { Case, Plan, Selection } from './engine/plan.ts'
import type { Result } from './engine/result.ts'
import { phases } from './engine/rule.ts'
import { runAlone, run as runPlan } from './engine/runner.ts'
import { planOf, tellSelection } from './engine/selection.ts'
import { Interrupted, Misconfiguration, NotArranged, Unreachable } from './engine/signals.ts'
import { type TestCase, throwRed } from './engine/test-case.ts'
import { usual } from './engine/usual.ts'
import { arrangeAccessLogs } from './given/access-logs.ts'
import { ifPossible, prepare } from './given/given.ts'
import { createDoors } from './http/doors.ts'
import type { Exchange, RawRequest } from './http/exchange.ts'
import { createInterruption } from './http/interruption.ts'
import type { Transport } from './http/transport.ts'
import { counted, thousands } from './report/text.ts'
import { addressOf } from './target/address.ts'
import { holdClockOf, holdFile } from './target/files.ts'
import { copyOfDemo, isDemo, type OwnDemo, targetOn } from './target/own-demo.ts'
import type { Target } from './target/target.ts'
import { expectPossible } from './target/values.ts'
import { expectCopy } from './world/credentials.ts'
import { type Journal, type JournalledRun, type Left, openJournal } from './world/journal.ts'
import {
  byTheWall,
  doorsOf,
  expectControl,
  expectResponse,
  holdClock,
  type OpenWorld,
  openWorld,
  secretsOf,
  transportTo,
  type Waiting,
} from './world/open.ts'
import type { EventCondition } from './world/prerequisites.ts'
import type { World } from './world/world.ts'

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
  readonly waiting?: Waiting
  readonly onResult?: (result: Result) => void
  /** Hears for how many seconds the target has asked to be left alone. */
  readonly onWait?: (seconds: number) => void
  /** Hears of each condition that an earlier run of the journal had raised, once it is over. */
  readonly onEnded?: (condition: EventCondition) => void
  /** Hears of the moment to which the clock was put back that an earlier run of the journal had moved. */
  readonly onClockBack?: (now: number) => void
}

/** A run over one target. */
export interface Kit {
  readonly plan: Plan
  readonly world: World
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
  putClockBack(): Promise<readonly Left[]>
  /** Removes what the tests made, and closes. */
  finish(): Promise<readonly Left[]>
  /**
   * Runs everything, removes what it made, and closes.
   *
   * @throws Interrupted when `signal` broke it off, Unreachable when nothing answers any more: with what was found out
   *   by then.
   */
  run(): Promise<Made>
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
const seedCopy = async (world: World, demo: OwnDemo, selection: Selection): Promise<void> => {
  await world.prerequisites.seed(demo.rows)
  try {
    await expectCopy(world, selection)
  } catch (error) {
    await world.cleanUp()
    throw error
  }
}

/** Alerts of a condition that goes on would count as the run's own. */
const endEarlier = async (world: World, { onEnded = () => {} }: KitOptions): Promise<void> => {
  for (const condition of await world.endConditions()) onEnded(condition)
}

/** Prepares what checks share, and notes the requests for it that had no answer. */
const prepareFor = async (world: World, cases: readonly Case[], unanswered: string[]): Promise<void> => {
  const cells = cases.map(({ cell }) => cell)
  await prepare(world, cells, ({ request: { method, path } }) => {
    unanswered.push(`${method} ${path}, which prepared the run`)
  })
  if (cases.some(({ cell }) => cell.operation.area === 'Access Tracking'))
    await ifPossible(() => arrangeAccessLogs(world))
}

/** Two addresses that differ in their writing alone are one. */
const sameAddress = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href

/** What a run left somewhere is not looked for elsewhere: there, it would count as gone. */
const expectSameTarget = (journal: Journal, file: string | undefined, { baseUrl }: Target): void => {
  const { run } = journal.progress()
  if (run === undefined || sameAddress(run.target, baseUrl)) return
  const kept = [journal.left(), journal.changed(), journal.standing(), journal.holding()]
  const alone = [journal.seedLeft(), journal.clock()]
  if (kept.some((all) => all.length > 0) || alone.some((one) => one !== undefined))
    throw new Misconfiguration(`${file} tells of things at ${run.target}, and the target is ${baseUrl}`)
}

const nothing: Run = { results: [], coverage: [] }

/** A run that is broken off before its first check has found out nothing. */
const nothingIfBroken = (error: unknown): Run => {
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
  const [begun, now] = [tellSelection(run.selection), tellSelection(selection)]
  if (begun !== now)
    throw new Misconfiguration(`the run was begun with ${begun}, and cannot be resumed with ${now}`)
  return { run, done }
}

/** Holds the journal for this run; what is returned lets go of it, and of the connections. */
const closing = (transport: Transport, { journalFile }: KitOptions): (() => void) => {
  const letGo = journalFile === undefined ? () => {} : holdFile('the journal', journalFile)
  return () => {
    transport.close()
    letGo()
  }
}

/** Holds the clock that a run moves. */
const holdClockAt = ({ control, baseUrl }: Target): (() => void) =>
  control === undefined
    ? holdClockOf(baseUrl, '')
    : holdClockOf(control, ', give each run a world of its own with --own-world')

/** The target's clock, held for as long as this run may move it. */
const clockOf = (world: OpenWorld, journal: Journal, { onClockBack = () => {} }: KitOptions) => {
  let letGo = (): void => {}
  let putBack = async (): Promise<readonly Left[]> => []
  const take = (): void => {
    if (world.prerequisites.canMoveClock) letGo = holdClockAt(world.target)
  }
  return {
    async hold() {
      take()
      putBack = await holdClock(world, journal, onClockBack)
    },
    putBack: () => putBack(),
    async putBackEarlier(): Promise<readonly Left[]> {
      if (journal.clock() === undefined) return []
      take()
      const { now, left } = await world.clock.putBack()
      if (now !== undefined) onClockBack(now)
      return left
    },
    letGo: () => letGo(),
  }
}

/** How far a run came. */
const farOf = ({ results }: Run, { cases }: Plan): string => {
  const planned = new Set(cases.map(({ id }) => id))
  const made = results.filter(({ id }) => planned.has(id)).length
  return `after ${thousands(made)} of ${counted(cases.length, 'check')}`
}

/** So many requests may have been under way when a target went down. */
const mostNamed = usual.parallel

/** A target that is gone in the midst of a run keeps what the run made there. */
const abandoned = (
  { ended, unanswered = [], ...run }: Run,
  plan: Plan,
  { journalFile, target }: KitOptions,
): Unreachable => {
  const cleanup =
    journalFile === undefined
      ? 'what the run made there was not written down, since no --journal was named'
      : `contract cleanup --journal ${journalFile} removes what the run made, once it answers`
  const why = `nothing answers at ${target.baseUrl} any more (${ended?.message})`
  const [before, ...others] = unanswered.slice(-mostNamed).reverse()
  const last =
    before === undefined ? '' : `; before that, no answer came to ${[before, ...others].join(', nor to ')}`
  return new Unreachable(`broken off ${farOf(run, plan)}: ${why}${last}; ${cleanup}`, { ...run, left: [] })
}

const fateOf = (left: readonly Left[], { keep }: KitOptions): string => {
  if (keep) return 'what it made is kept'
  return left.length === 0
    ? 'what it made is removed'
    : `${counted(left.length, 'thing')} could not be removed`
}

const interrupted = (made: Made, plan: Plan, options: KitOptions): Interrupted =>
  new Interrupted(`interrupted ${farOf(made, plan)}; ${fateOf(made.left, options)}`, made)

/** What could not be arranged, with what became of what had been made by then. */
const failed = (error: unknown, left: readonly Left[], options: KitOptions): unknown =>
  error instanceof NotArranged ? new NotArranged(`${error.message}; ${fateOf(left, options)}`) : error

/** What a run needs, before anything is sent. */
const opened = async (options: KitOptions) => {
  if (options.keep && options.journalFile === undefined)
    throw new Misconfiguration(
      'what a run keeps has to be written down for contract cleanup: name a file with --journal',
    )
  const api = loadApi()
  const { selection = {}, waiting = byTheWall, onWait = () => {} } = options
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
  const doors = createDoors(
    doorsOf(api, target, {
      asked: [...new Set(plan.cases.map(({ cell }) => cell))],
      left: [...journal.left(), ...journal.changed()].map(({ operation }) => operation),
      ...(chosen.readOnly && { readOnly: true }),
    }),
  )
  const world = openWorld({
    ...{ api, target, secrets, transport, interruption, journal, runTag, demo },
    doors,
    waiting: { ...waiting, sleep: interruption.sleeping(waiting.sleep) },
    onWait,
    versions: selection.versions,
  })
  const noted = { earlier: before?.done ?? [], ...(options.journalFile && { onDone: journal.done }) }
  const settings = { ...options, ...noted, world, secrets, plan, selection: chosen, seed: run.seed }
  return { before, demo, doors, interruption, journal, run, settings, transport }
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
  const { before, demo, doors, interruption, journal, run, settings, transport } = await opened(options)
  const { world, plan } = settings
  const closeAll = closing(transport, options)
  const unanswered: string[] = []
  let begun: Promise<void> | undefined
  const clock = clockOf(world, journal, options)
  const close = (): void => {
    closeAll()
    clock.letGo()
  }
  const expectReady = async (): Promise<void> => {
    await expectResponse(transport, doors.current())
    await clock.hold()
  }
  const begin = async (): Promise<void> => {
    await endEarlier(world, options)
    if (before === undefined) journal.began(run)
    else await world.cleanUp()
    if (demo) await seedCopy(world, demo, settings.selection)
    await prepareFor(world, plan.cases, unanswered)
  }
  const end = async (): Promise<readonly Left[]> => {
    interruption.cleanUp()
    const left = options.keep ? [] : await world.cleanUp()
    return [...left, ...(await clock.putBack())]
  }
  /** Whatever goes wrong once it has begun, what it made is removed. */
  const work = async (): Promise<Run> => {
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
    world,
    seed: run.seed,
    close,
    async expectResponse() {
      const exchange = await expectResponse(transport, doors.current())
      await expectControl(world)
      const send = (door: RawRequest): Promise<Exchange> => world.session.send(door, { kind: 'none' })
      return doors.answered(exchange, (door) => expectResponse({ ...transport, send }, door))
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
    putClockBack: clock.putBackEarlier,
    async finish() {
      const left = await end()
      close()
      return left
    },
    async run() {
      try {
        const run = await expectReady().then(work).catch(nothingIfBroken)
        if (run.ended) throw abandoned(run, plan, options)
        const made = { ...run, left: await end() }
        if (options.signal?.aborted) throw interrupted(made, plan, options)
        return made
      } finally {
        close()
      }
    },
  }
}
