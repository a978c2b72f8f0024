import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { tokenEndpoint } from '@svc-admin/types'
import { type Api, type Cell, loadApi } from './engine/api.ts'
import { pathOf } from './engine/call.ts'
import { loadRules } from './engine/modules.ts'
import { onlyReads } from './engine/only-reads.ts'
import type { Case, Plan, Selection } from './engine/plan.ts'
import type { Result } from './engine/result.ts'
import { phases } from './engine/rule.ts'
import { type Run, runAlone, run as runPlan } from './engine/runner.ts'
import { planOf, tellSelection } from './engine/selection.ts'
import { Interrupted, Misconfiguration, Unreachable } from './engine/signals.ts'
import { type TestCase, throwRed } from './engine/test-case.ts'
import { arrangeAccessLogs } from './given/access-logs.ts'
import { prepare } from './given/given.ts'
import { headerValue, type RawRequest } from './http/exchange.ts'
import { createPace } from './http/pace.ts'
import { createSecrets, type Secrets } from './http/secrets.ts'
import { createSession } from './http/session.ts'
import { createTransport, NoAnswer, type Transport } from './http/transport.ts'
import { counted, thousands } from './report/text.ts'
import { addressOf } from './target/address.ts'
import { holdFile } from './target/files.ts'
import { copyOfDemo, isDemo, type OwnDemo, targetOn } from './target/own-demo.ts'
import type { Holder, Target } from './target/target.ts'
import { type Journal, type JournalledRun, type Left, openJournal } from './world/journal.ts'
import { createPrerequisites } from './world/prerequisites.ts'
import { createWorld, type World } from './world/world.ts'

export interface KitOptions {
  readonly target: Target
  readonly selection?: Selection
  readonly seed?: number
  readonly parallel?: number
  readonly strict?: boolean
  /** Keeps an exchange of every check that passed too. */
  readonly keepPasses?: boolean
  /** Where a run writes down what it made, for `contract cleanup`. */
  readonly journalFile?: string
  /** Takes up the run of the journal where it was interrupted: what it left is removed, and what it found is kept. */
  readonly resume?: boolean
  readonly runTag?: string
  /** Breaks a run off: no check is begun any more, and what was made is removed. */
  readonly signal?: AbortSignal
  /** How the kit waits: for its own rate, and for a target that asks for patience. */
  readonly waiting?: Waiting
  readonly onResult?: (result: Result) => void
}

/** A clock of the kit's own, in milliseconds. */
export interface Waiting {
  now(): number
  sleep(milliseconds: number): Promise<void>
}

const byTheWall: Waiting = {
  now: () => performance.now(),
  sleep: (milliseconds) => sleep(milliseconds),
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
  /** @throws Unreachable when nothing answers. */
  expectAnswer(): Promise<void>
  /** Removes what the tests made, and closes. */
  finish(): Promise<readonly Left[]>
  /**
   * Runs everything, removes what it made, and closes.
   *
   * @throws Interrupted when `signal` broke it off.
   */
  run(): Promise<Run & { readonly left: readonly Left[] }>
  close(): void
}

/** Everything in a target file that no report may show. */
export const secretsOf = (target: Target): Secrets => {
  const holders: Holder[] = [...Object.values(target.roles), ...Object.values(target.others ?? {})]
  return createSecrets(
    holders.flatMap(({ apiKey, serviceAccount }) => [
      ...(apiKey ? [apiKey.privateKey] : []),
      ...(serviceAccount ? [serviceAccount.clientSecret] : []),
    ]),
  )
}

/**
 * What anybody may ask for, who then is asked for credentials: of what is to be tested, or else of the same areas, or
 * else of anything. A server need not have more than is tried of it, nor a thing for every name.
 */
export const challengedBy = (api: Api, target: Target, asked: readonly Cell[] = []): RawRequest => {
  const tried = api.cells.filter((cell) => asked.includes(cell))
  const readable = ({ operation }: Cell): boolean =>
    operation.method === 'GET' &&
    operation.security === 'api' &&
    operation.pathParameters.every((name) => target.things[name] !== undefined)
  const areas = new Set(tried.map(({ operation }) => operation.area))
  const nearby = api.cells.filter(({ operation }) => areas.has(operation.area))
  const cell = [tried, nearby, api.cells].map((cells) => cells.filter(readable).at(-1)).find(Boolean)
  if (cell === undefined) throw new TypeError('the API has nothing to read')
  return { method: 'GET', path: pathOf(cell, target.things), headers: [['Accept', cell.row.mediaType]] }
}

/** Nothing may be arranged either where nothing may be changed. */
const untouched = ({ control: _, hooks: __, ...target }: Target): Target => target

const checked = (target: Target): Target => {
  addressOf('the service', target.baseUrl)
  if (target.control !== undefined) addressOf('the control interface', target.control)
  if (target.things.groupId === undefined)
    throw new Misconfiguration('the target names no project that may be used: things.groupId is missing')
  return target.readOnly ? untouched(target) : target
}

/** Nothing is said about a target that does not answer. */
const expectAnswer = async (transport: Transport, request: RawRequest): Promise<void> => {
  try {
    await transport.send(request)
  } catch (error) {
    if (error instanceof NoAnswer)
      throw new Unreachable(
        `nothing answers at ${transport.baseUrl} (${error.code}): is that its address, and has it been started?`,
      )
    throw error
  }
}

const transportTo = ({ baseUrl, timeoutMs }: Target, { readOnly }: Selection): Transport => {
  const sender = createTransport({ baseUrl, ...(timeoutMs !== undefined && { timeoutMs }) })
  return readOnly ? onlyReads(sender, tokenEndpoint.path) : sender
}

interface WorldParts {
  readonly api: Api
  readonly target: Target
  readonly secrets: Secrets
  readonly transport: Transport
  readonly journal: Journal
  readonly runTag: string
  readonly demo: OwnDemo | undefined
  readonly challengedBy: RawRequest
  readonly waiting: Waiting
  readonly versions: readonly string[] | undefined
}

const openWorld = ({ target, transport, secrets, demo, waiting, ...parts }: WorldParts): World => {
  const dated = async (): Promise<number | undefined> => {
    const { response } = await transport.send(parts.challengedBy)
    const date = Date.parse(headerValue(response.headers, 'Date') ?? '')
    return Number.isNaN(date) ? undefined : date
  }
  const prerequisites = createPrerequisites(target, { dated })
  const session = createSession({
    transport,
    secrets,
    pace: createPace({ requestsPerSecond: target.requestsPerSecond, ...waiting }),
    challengedBy: parts.challengedBy,
    tokenPath: tokenEndpoint.path,
    now: Date.now,
    wait: async (seconds) => {
      if (prerequisites.canMoveClock) await prerequisites.advanceClock(seconds + 1)
      else await waiting.sleep(seconds * 1000)
    },
  })
  return createWorld({ ...parts, target, session, prerequisites, ...(demo && { demo }) })
}

/** Notes where the target's clock stands; what it returns puts it back, as if it had run on from there. */
const holdClock = async ({ prerequisites }: World): Promise<() => Promise<void>> => {
  const began = performance.now()
  const found = await prerequisites.readClock()
  return async () => {
    if (found === undefined) return
    const now = found.now + (performance.now() - began) * found.rate
    await prerequisites.setClock({ now, rate: found.rate })
  }
}

const prepareFor = async (world: World, cases: readonly Case[]): Promise<void> => {
  await prepare(
    world,
    cases.map(({ cell }) => cell),
  )
  if (cases.some(({ cell }) => cell.operation.area === 'Access Tracking')) await arrangeAccessLogs(world)
}

/** Two addresses that differ in their writing alone are one. */
const sameAddress = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href

/** What a run left somewhere is not looked for elsewhere: there, it would count as gone. */
const expectSameTarget = (journal: Journal, file: string | undefined, { baseUrl }: Target): void => {
  const { run } = journal.progress()
  if (run === undefined || sameAddress(run.target, baseUrl)) return
  const left = journal.left().length + journal.changed().length > 0 || journal.seedLeft() !== undefined
  if (left)
    throw new Misconfiguration(`${file} tells of things at ${run.target}, and the target is ${baseUrl}`)
}

/** What the journal tells of the run that is to be taken up. */
const interrupted = (journal: Journal, { journalFile, seed, target, ...options }: KitOptions) => {
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

/** A target that is gone in the midst of a run keeps what the run made there. */
const abandoned = (error: unknown, { journalFile, target }: KitOptions): never => {
  if (!(error instanceof Unreachable)) throw error
  const cleanup =
    journalFile === undefined
      ? 'what the run made there was not written down, since no --journal was named'
      : `contract cleanup --journal ${journalFile} removes what the run made, once it answers`
  throw new Unreachable(`nothing answers at ${target.baseUrl} any more (${error.message}); ${cleanup}`)
}

const interruption = ({ results }: Run, left: readonly Left[], { cases }: Plan): Interrupted => {
  const planned = new Set(cases.map(({ id }) => id))
  const made = results.filter(({ id }) => planned.has(id)).length
  const gone =
    left.length === 0 ? 'what it made is removed' : `${counted(left.length, 'thing')} could not be removed`
  return new Interrupted(`interrupted after ${thousands(made)} of ${counted(cases.length, 'check')}; ${gone}`)
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
  const api = loadApi()
  const { selection = {} } = options
  const journal = openJournal(options.journalFile)
  const before = options.resume ? interrupted(journal, options) : undefined
  const runTag = before?.run.runTag ?? options.runTag ?? `contract-${randomBytes(4).toString('hex')}`
  const given = checked(options.target)
  const about = { strict: options.strict ?? false, target: given.baseUrl, selection }
  const run: JournalledRun = { runTag, seed: before?.run.seed ?? options.seed ?? 1, ...about }
  expectSameTarget(journal, options.journalFile, given)
  const demo = isDemo(given) ? copyOfDemo(runTag) : undefined
  const target = demo ? targetOn(given, demo) : given
  const chosen = target.readOnly ? { ...selection, readOnly: true } : selection
  const plan = planOf(api, await loadRules(), chosen)
  const secrets = secretsOf(target)
  const transport = transportTo(target, chosen)
  const door = challengedBy(api, target, [...new Set(plan.cases.map(({ cell }) => cell))])
  const world = openWorld({
    api,
    target,
    secrets,
    transport,
    journal,
    runTag,
    demo,
    challengedBy: door,
    waiting: options.waiting ?? byTheWall,
    versions: selection.versions,
  })
  const close = closing(transport, options)
  let putClockBack = async (): Promise<void> => {}
  const begin = async (): Promise<void> => {
    await expectAnswer(transport, door)
    putClockBack = await holdClock(world)
    if (before === undefined) journal.began(run)
    else await world.cleanUp()
    if (demo) await world.prerequisites.seed(demo.rows)
    await prepareFor(world, plan.cases)
  }
  const end = async (): Promise<readonly Left[]> => {
    const left = await world.cleanUp()
    await putClockBack()
    return left
  }
  const noted = { earlier: before?.done ?? [], ...(options.journalFile && { onDone: journal.done }) }
  const settings = { ...options, ...noted, world, secrets, plan, selection: chosen, seed: run.seed }
  return {
    plan,
    world,
    seed: run.seed,
    close,
    expectAnswer: () => expectAnswer(transport, door),
    cases() {
      const inOrder = phases.flatMap((phase) => plan.cases.filter((one) => one.phase === phase))
      return inOrder.map((one) => ({
        id: one.id,
        run: async () => {
          await world.once('begin', begin)
          throwRed(await runAlone(one, settings))
        },
      }))
    },
    async finish() {
      const left = await end()
      close()
      return left
    },
    async run() {
      try {
        await begin()
        const made = await runPlan(settings).catch((error) => abandoned(error, options))
        const left = await end()
        if (options.signal?.aborted) throw interruption(made, left, plan)
        return { ...made, left }
      } finally {
        close()
      }
    },
  }
}
