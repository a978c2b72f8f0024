import { isGenuine } from '../http/authorization.ts'
import { curlLine } from '../http/curl.ts'
import { type Exchange, shortened } from '../http/exchange.ts'
import type { Secrets } from '../http/secrets.ts'
import { NoResponse } from '../http/transport.ts'
import { nameOf } from '../world/holders.ts'
import type { Done } from '../world/journal.ts'
import type { World } from '../world/world.ts'
import { type Coverage, createBench, type Tally } from './bench.ts'
import { requestOf } from './call.ts'
import type { Run } from './made.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { type Case, inputsOf, type Outside, type Plan, type Selection } from './plan.ts'
import { createRandom } from './random.ts'
import { requirementOf } from './requirement.ts'
import { byId, type Result } from './result.ts'
import { phases } from './rule.ts'
import { Unreachable } from './signals.ts'
import { createTrial, type Recorded, type Unanswered } from './trial.ts'
import { usual } from './usual.ts'
import { prevailing, verdictOnBreach } from './verdict.ts'

export interface RunOptions {
  readonly world: World
  readonly secrets: Secrets
  readonly plan: Plan
  readonly selection?: Selection
  readonly seed?: number
  /** Checks that run side by side. */
  readonly parallel?: number
  readonly strict?: boolean
  /** Keeps an exchange of what passed too, for reports that show all. */
  readonly keepPasses?: boolean
  readonly onResult?: (result: Result) => void
  /** Hears of each check that is done, with what judges saw in it. */
  readonly onDone?: (done: Done) => void
  /** Once it is aborted, no check is begun, and those under way count for nothing. */
  readonly signal?: AbortSignal
  /** What an interrupted run found: its checks are not made again. */
  readonly earlier?: readonly Done[]
  /** Requests that had no answer while the run was prepared. */
  readonly unanswered?: readonly string[]
}

const placeOf = ({ requirement, cell }: { requirement: string; cell: Case['cell'] }) => ({
  requirement,
  operation: cell.operation.id,
  version: cell.version.id,
})

type Evidence = Pick<Result, 'exchange' | 'curl'>

/** An exchange as a report may show it. */
const evidenceOf = (
  { secrets, world }: Pick<RunOptions, 'secrets' | 'world'>,
  exchange: Exchange | undefined,
  recorded: readonly Recorded[],
): Evidence => {
  if (exchange === undefined) return {}
  const as = recorded.find((one) => one.exchange === exchange)?.call.as
  const masked = secrets.maskExchange(exchange)
  return {
    exchange: masked,
    curl: curlLine(masked, {
      genuine: as !== undefined && isGenuine(as),
      holder: as && nameOf(world.target, as),
    }),
  }
}

/** A request that had no answer, as a report may show it. */
const evidenceOfLost = (
  { secrets, world }: Pick<RunOptions, 'secrets' | 'world'>,
  { call, request }: Lost,
): Evidence => {
  // For a call may be asked for a challenge or a token, too.
  const as = call && requestOf(call).path === request.path ? call.as : undefined
  const { origin, pathname } = new URL(world.target.baseUrl)
  const masked = secrets.maskRequest(request)
  const url = origin + pathname.replace(/\/$/, '') + masked.path
  const holder = as && nameOf(world.target, as)
  return { curl: curlLine({ url, request: masked }, { genuine: as !== undefined && isGenuine(as), holder }) }
}

/** What passed is shown in short: pages of five hundred things would fill the report. */
const inShort = ({ exchange, ...evidence }: Evidence): Evidence =>
  exchange ? { ...evidence, exchange: shortened(exchange) } : evidence

const resultOfOutside = ({ id, reason, ...place }: Outside): Result => {
  const { strength } = requirementOf(place.requirement)
  return { id, ...placeOf(place), variant: '', verdict: 'NOT APPLICABLE', strength, reason, exchanges: 0 }
}

const resultOfTally = (
  { id, sighting, seen, kept, ...place }: Tally,
  options: Pick<RunOptions, 'secrets' | 'world' | 'strict'>,
): Result => {
  const base = { id, ...placeOf(place), variant: '', exchanges: seen }
  if (sighting === undefined) {
    const { strength } = requirementOf(place.requirement)
    const evidence = kept ? inShort(evidenceOf(options, kept.exchange, [kept])) : {}
    return { ...base, verdict: 'PASS', strength, ...evidence }
  }
  const { strength, expected, actual, recorded } = sighting
  const evidence = evidenceOf(options, recorded.exchange, [recorded])
  return {
    ...base,
    verdict: verdictOnBreach(strength, options.strict ?? false),
    strength,
    expected,
    actual,
    ...evidence,
  }
}

const masked = (outcome: Outcome, secrets: Secrets): Outcome => ({
  ...outcome,
  ...(outcome.actual !== undefined && { actual: secrets.maskText(outcome.actual) }),
  ...(outcome.expected !== undefined && { expected: secrets.maskText(outcome.expected) }),
  ...(outcome.reason !== undefined && { reason: secrets.maskText(outcome.reason) }),
})

/**
 * Does work for each thing, so many at a time, until somebody breaks it off or one fails; all have ended then.
 *
 * @returns the first failure.
 */
const sideBySide = async <T>(
  things: readonly T[],
  width: number,
  work: (thing: T) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<unknown> => {
  const queue = things[Symbol.iterator]()
  const failures: unknown[] = []
  const worker = async (): Promise<void> => {
    for (const thing of queue) {
      if (signal?.aborted || failures.length > 0) return
      await work(thing).catch((error) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, width) }, worker))
  return failures[0]
}

/** The target is gone: what was found out before still holds. Anything else is no end, but a fault. */
const endOf = (failure: unknown): Unreachable | undefined => {
  if (failure === undefined || failure instanceof Unreachable) return failure
  throw failure
}

/** Where a run prepares, no call of a check had no answer. */
type Lost = Pick<Unanswered, 'request'> & Partial<Unanswered>

interface CaseMade {
  readonly result: Result
  /** The last request that had no answer, if that is what came of it. */
  readonly lost: Lost | undefined
}

/** Runs one case to its result, and shows its exchanges to the judges. */
const runCase = async (
  one: Case,
  options: RunOptions,
  judge: (recorded: Recorded[]) => void,
): Promise<CaseMade> => {
  const { world, secrets, selection = {}, seed = 1, strict = false, keepPasses = false } = options
  const { strength } = requirementOf(one.requirement)
  const record: Recorded[] = []
  let outcome: Outcome = { verdict: 'PASS', strength }
  let lost: Lost | undefined
  const onUnanswered = (now: Unanswered): void => {
    lost = now
  }
  try {
    const random = createRandom(seed, one.id)
    const inputs = inputsOf(selection)
    await one.check(createTrial({ world, cell: one.cell, random, inputs, record, onUnanswered }))
    lost = undefined
  } catch (error) {
    outcome = outcomeOf(error, strength, strict)
    if (error instanceof NoResponse) lost ??= { request: error.request }
  }
  judge(record)
  const { exchange: decisive, ...rest } = masked(outcome, secrets)
  if (decisive) lost = undefined
  const last = keepPasses ? record.at(-1)?.exchange : undefined
  const result = {
    ...{ id: one.id, ...placeOf(one), variant: one.variant, ...rest },
    ...evidenceOfCase(options, record, { decisive, lost, last }),
    exchanges: record.length,
  }
  return { result, lost }
}

interface Shown {
  readonly decisive: Exchange | undefined
  readonly lost: Lost | undefined
  readonly last: Exchange | undefined
}

/** What shows a verdict: the exchange that decided, the request that had no answer, or else the last exchange. */
const evidenceOfCase = (
  options: Pick<RunOptions, 'secrets' | 'world'>,
  record: readonly Recorded[],
  { decisive, lost, last }: Shown,
): Evidence => {
  if (decisive) return evidenceOf(options, decisive, record)
  return lost ? evidenceOfLost(options, lost) : inShort(evidenceOf(options, last, record))
}

/** Requests that had no answer, and of which nobody has been answered since. */
const createLosses = (secrets: Secrets, before: readonly string[] = []) => {
  let open = [...before]
  return {
    open: (): readonly string[] => open,
    /** What is returned hears of a check that begins now, once it has ended. */
    watch() {
      const known = new Set(open)
      return ({ result, lost }: CaseMade): void => {
        if (lost !== undefined) {
          const { method, path } = secrets.maskRequest(lost.request)
          open.push(`${method} ${path} of ${result.id}`)
        } else if (result.exchanges > 0) open = open.filter((one) => !known.has(one))
      }
    },
  }
}

/** Runs one case alone; returns its result, and those of judges who saw a broken promise in its exchanges. */
export const runAlone = async (one: Case, options: RunOptions): Promise<readonly Result[]> => {
  const bench = createBench({ ...options, selection: {} })
  const { result } = await runCase(one, options, (recorded) => bench.judge(one.id, recorded))
  const judged = bench.tallies().map((tally) => resultOfTally(tally, options))
  return [result, ...judged.filter(({ verdict }) => verdict !== 'PASS')]
}

const together = (coverage: readonly Coverage[]): Coverage[] => {
  const places = new Map(coverage.map((place) => [JSON.stringify(place), place]))
  return [...places.keys()].sort().flatMap((key) => places.get(key) ?? [])
}

/**
 * Tells `onDone` of checks. What judges saw kept at one place is told once, or else a journal would be larger than
 * all reports.
 */
const teller = (options: RunOptions) => {
  const { onDone } = options
  const told = new Set<string>()
  const news = (key: string): boolean => {
    const known = told.has(key)
    told.add(key)
    return !known
  }
  return (result: Result, recorded: readonly Recorded[]): void => {
    if (onDone === undefined) return
    const bench = createBench(options)
    bench.judge(result.id, recorded)
    const judged = bench.tallies().map((tally) => resultOfTally(tally, options))
    onDone({
      result,
      judged: judged.filter(({ id, verdict }) => verdict !== 'PASS' || news(id)),
      coverage: bench.coverage().filter((place) => news(JSON.stringify(place))),
    })
  }
}

/** A judge and a rule may look at one requirement at one place: the graver verdict stays, with both counts. */
const merged = (results: readonly Result[]): Result[] => {
  const byKey = new Map<string, Result>()
  for (const result of results) {
    const before = byKey.get(result.id)
    if (before === undefined) byKey.set(result.id, result)
    else {
      const kept = prevailing(before.verdict, result.verdict) === before.verdict ? before : result
      byKey.set(result.id, { ...kept, exchanges: before.exchanges + result.exchanges })
    }
  }
  return [...byKey.values()].sort(byId)
}

/**
 * Runs every case of a plan and judges every exchange. Results come in the order of their ids, whatever the order
 * or the parallelism in which they were found. A target that is gone ends the run with what was found out by then.
 */
export const run = async (options: RunOptions): Promise<Run> => {
  const { plan, parallel = usual.parallel, onResult = () => {}, earlier = [] } = options
  const bench = createBench(options)
  const results: Result[] = earlier.flatMap(({ result, judged }) => [result, ...judged])
  const made = new Set(earlier.map(({ result }) => result.id))
  const tell = teller(options)
  const losses = createLosses(options.secrets, options.unanswered)
  let ended: Unreachable | undefined
  for (const phase of phases) {
    if (ended) break
    const cases = plan.cases.filter((one) => one.phase === phase && !made.has(one.id))
    const make = async (one: Case): Promise<void> => {
      let seen: readonly Recorded[] = []
      const note = losses.watch()
      const caseMade = await runCase(one, options, (recorded) => {
        seen = recorded
      })
      note(caseMade)
      const { result } = caseMade
      // What was broken off in its midst says nothing of the target.
      if (options.signal?.aborted) return
      bench.judge(one.id, seen)
      results.push(result)
      tell(result, seen)
      onResult(result)
    }
    ended = endOf(await sideBySide(cases, phase === 'alone' ? 1 : parallel, make, options.signal))
  }
  const judged = bench.tallies().map((tally) => resultOfTally(tally, options))
  for (const result of judged) if (result.verdict !== 'PASS') onResult(result)
  return {
    results: merged([...plan.outside.map(resultOfOutside), ...results, ...judged]),
    coverage: together([...earlier.flatMap(({ coverage }) => coverage), ...bench.coverage()]),
    ...(ended && { ended, unanswered: losses.open() }),
  }
}
