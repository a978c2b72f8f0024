import { phases } from '../check/rule.ts'
import { createTrial } from '../check/trial.ts'
import { type Authorization, isGenuine } from '../http/authorization.ts'
import { curlLine } from '../http/curl.ts'
import { abbreviated, type Exchange } from '../http/exchange.ts'
import { createPatience } from '../http/patience.ts'
import type { Secrets } from '../http/secrets.ts'
import { isSlow, NoResponse } from '../http/transport.ts'
import { type Recorded, requestOf, type Unanswered } from '../model/call.ts'
import { defaults } from '../model/defaults.ts'
import { noResponse } from '../model/difference.ts'
import type { RunResults } from '../model/finished-run.ts'
import { createRandom } from '../model/random.ts'
import { requirementOf } from '../model/requirement.ts'
import { byId, type Coverage, type Result } from '../model/result.ts'
import { inputsOf, type Selection } from '../model/selection.ts'
import { Unreachable } from '../model/signals.ts'
import { prevailing, verdictOnBreach } from '../model/verdict.ts'
import { nameOf } from '../run-context/holders.ts'
import type { Done } from '../run-context/journal.ts'
import { silentReason } from '../run-context/patient.ts'
import type { RunContext } from '../run-context/run-context.ts'
import { createJudging, type Tally } from './judging.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import type { Case, Outside, Plan } from './plan.ts'
import { createUnusedResources, type Lease } from './unused-resources.ts'

export interface RunOptions {
  readonly context: RunContext
  readonly secrets: Secrets
  readonly plan: Plan
  readonly selection?: Selection
  readonly seed?: number
  /** The number of checks that run in parallel. */
  readonly parallel?: number
  readonly strict?: boolean
  /** Whether to keep an exchange for each passed check. Full reports need these exchanges. */
  readonly keepPasses?: boolean
  readonly onResult?: (result: Result) => void
  /** Called after each check, with its result and what the judges observed. */
  readonly onDone?: (done: Done) => void
  /** When the signal is aborted, no more checks start and unfinished checks are discarded. */
  readonly signal?: AbortSignal
  /** Results of an interrupted run. Checks that have a result don't run again. */
  readonly earlier?: readonly Done[]
  /** Requests that got no response while the run was being prepared. */
  readonly unanswered?: readonly string[]
}

const cellFields = ({ requirement, cell }: { requirement: string; cell: Case['cell'] }) => ({
  requirement,
  operation: cell.operation.id,
  version: cell.version.id,
})

type Evidence = Pick<Result, 'exchange' | 'curl'>

const isRead = ({ exchange }: Recorded): boolean => exchange.request.method === 'GET'

/** Returns the last change before a read. Without the change, the read might not show the wrong value. */
const changeBefore = (recorded: readonly Recorded[], index: number): Recorded | undefined => {
  const read = recorded[index]
  return read && isRead(read) ? recorded.slice(0, index).findLast((one) => !isRead(one)) : undefined
}

/** Returns an exchange and the `curl` commands that reproduce it for the report, without secrets. */
const evidenceOf = (
  { secrets, context }: Pick<RunOptions, 'secrets' | 'context'>,
  exchange: Exchange | undefined,
  recorded: readonly Recorded[],
): Evidence => {
  if (exchange === undefined) return {}
  const found = recorded.findIndex((one) => one.exchange === exchange)
  const masked = secrets.maskExchange(exchange)
  const lineOf = (shown: Exchange, as: Authorization | undefined): string =>
    curlLine(shown, {
      genuine: as !== undefined && isGenuine(as),
      holder: as && nameOf(context.target, as),
    })
  const change = changeBefore(recorded, found)
  const lines = [
    ...(change ? [lineOf(secrets.maskExchange(change.exchange), change.call.as)] : []),
    lineOf(masked, recorded[found]?.call.as),
  ]
  return { exchange: masked, curl: lines.join('\n') }
}

/** Returns the `curl` command for a request that got no response. */
const evidenceOfLost = (
  { secrets, context }: Pick<RunOptions, 'secrets' | 'context'>,
  { call, request }: LostRequest,
): Evidence => {
  // The lost request may not be the call itself, but a request for a challenge or a token.
  const as = call && requestOf(call).path === request.path ? call.as : undefined
  const { origin, pathname } = new URL(context.target.baseUrl)
  const masked = secrets.maskRequest(request)
  const url = origin + pathname.replace(/\/$/, '') + masked.path
  const holder = as && nameOf(context.target, as)
  return { curl: curlLine({ url, request: masked }, { genuine: as !== undefined && isGenuine(as), holder }) }
}

/** Shortens the bodies of passed checks. Otherwise, pages with 500 items would fill the report. */
const withShortBodies = ({ exchange, ...evidence }: Evidence): Evidence =>
  exchange ? { ...evidence, exchange: abbreviated(exchange) } : evidence

const resultOfOutside = ({ id, reason, ...place }: Outside): Result => {
  const { strength } = requirementOf(place.requirement)
  return { id, ...cellFields(place), variant: '', verdict: 'NOT APPLICABLE', strength, reason, exchanges: 0 }
}

const resultOfTally = (
  { id, observation, judged, passing, ...place }: Tally,
  options: Pick<RunOptions, 'secrets' | 'context' | 'strict'>,
): Result => {
  const base = { id, ...cellFields(place), variant: '', exchanges: judged }
  if (observation === undefined) {
    const { strength } = requirementOf(place.requirement)
    const evidence = passing ? withShortBodies(evidenceOf(options, passing.exchange, [passing])) : {}
    return { ...base, verdict: 'PASS', strength, ...evidence }
  }
  const { strength, expected, actual, difference, recorded } = observation
  const evidence = evidenceOf(options, recorded.exchange, [recorded])
  return {
    ...base,
    verdict: verdictOnBreach(strength, options.strict ?? false),
    strength,
    expected,
    actual,
    ...(difference && { difference }),
    ...evidence,
  }
}

const masked = (outcome: Outcome, secrets: Secrets): Outcome => ({
  ...outcome,
  ...(outcome.actual !== undefined && { actual: secrets.maskText(outcome.actual) }),
  ...(outcome.expected !== undefined && { expected: secrets.maskText(outcome.expected) }),
  ...(outcome.headline !== undefined && { headline: secrets.maskText(outcome.headline) }),
  ...(outcome.reason !== undefined && { reason: secrets.maskText(outcome.reason) }),
})

/**
 * Processes all items, several at a time, until the signal is aborted or an item fails. Waits for work that has already
 * started, and returns the first failure.
 */
const runParallel = async <T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<unknown> => {
  const queue = items[Symbol.iterator]()
  const failures: unknown[] = []
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (signal?.aborted || failures.length > 0) return
      await work(item).catch((error) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, width) }, worker))
  return failures[0]
}

/**
 * If the target went down, the results so far still count. All other failures are errors in the kit, so they are
 * rethrown.
 */
const endOf = (failure: unknown): Unreachable | undefined => {
  if (failure === undefined || failure instanceof Unreachable) return failure
  throw failure
}

/** A request without a response. While the run is being prepared, requests don't belong to a call. */
type LostRequest = Pick<Unanswered, 'request'> & Partial<Unanswered>

interface FinishedCase {
  readonly result: Result
  /** The last request that got no response, if the missing response determined the result. */
  readonly lost: LostRequest | undefined
  /** Whether the check waited a long time for a response that never arrived. */
  readonly isSlow: boolean
}

/** Runs a case and passes its exchanges to the judges. */
const runCase = async (
  one: Case,
  options: RunOptions,
  { parameters: parametersFrom, end }: Lease,
  judge: (recorded: Recorded[]) => void,
): Promise<FinishedCase> => {
  const { context, secrets, selection = {}, seed = 1, strict = false, keepPasses = false } = options
  const { strength } = requirementOf(one.requirement)
  const record: Recorded[] = []
  let outcome: Outcome = { verdict: 'PASS', strength }
  let lost: LostRequest | undefined
  let waitedInVain = false
  const onUnanswered = (now: Unanswered): void => {
    lost = now
  }
  try {
    const random = createRandom(seed, one.id)
    const inputs = inputsOf(selection)
    await one.check(
      createTrial({ context, cell: one.cell, random, inputs, record, parametersFrom, onUnanswered }),
    )
    lost = undefined
  } catch (error) {
    outcome = outcomeOf(error, strength, strict)
    if (error instanceof NoResponse) lost ??= { request: error.request }
    else if (outcome.exchange) lost = undefined
    waitedInVain = isSlow(error) || outcome.difference === noResponse('TIMEOUT')
  }
  end(outcome.verdict === 'PASS', record)
  judge(record)
  const { exchange: decisive, ...rest } = masked(outcome, secrets)
  const last = keepPasses ? record.at(-1)?.exchange : undefined
  const result = {
    id: one.id,
    ...cellFields(one),
    variant: one.variant,
    ...rest,
    ...evidenceOfCase(options, record, { decisive, lost, last }),
    exchanges: record.length,
  }
  return { result, lost, isSlow: waitedInVain }
}

interface Shown {
  readonly decisive: Exchange | undefined
  readonly lost: LostRequest | undefined
  readonly last: Exchange | undefined
}

/**
 * Returns the evidence for a verdict: the exchange that determined it, the request without a
 * response, or the last exchange.
 */
const evidenceOfCase = (
  options: Pick<RunOptions, 'secrets' | 'context'>,
  record: readonly Recorded[],
  { decisive, lost, last }: Shown,
): Evidence => {
  if (decisive)
    return { ...evidenceOf(options, decisive, record), ...(lost && evidenceOfLost(options, lost)) }
  return lost ? evidenceOfLost(options, lost) : withShortBodies(evidenceOf(options, last, record))
}

/** Records requests without a response. Once a later check gets a response, earlier lost requests no longer matter. */
const trackLostRequests = (secrets: Secrets, before: readonly string[] = []) => {
  let open = [...before]
  return {
    open: (): readonly string[] => open,
    /** Call this function when a check starts, and call the returned function when the check ends. */
    watch() {
      const known = new Set(open)
      return ({ result, lost }: FinishedCase): void => {
        if (lost !== undefined) {
          const { method, path } = secrets.maskRequest(lost.request)
          open.push(`${method} ${path} of ${result.id}`)
        } else if (result.exchanges > 0) open = open.filter((one) => !known.has(one))
      }
    },
  }
}

/**
 * Learns which variants of a requirement time out every time. These variants send similar requests for all
 * operations, so hundreds of checks would have to wait for the timeout.
 */
const skipSilent = () => {
  const patience = createPatience()
  const kindOf = ({ requirement, variant }: Case): string =>
    variant === '' ? requirement : `${requirement}#${variant}`
  return {
    /** Returns the result of a check that would only time out, or `undefined` if the check should run. */
    skipped(one: Case): FinishedCase | undefined {
      const count = patience.exhausted(kindOf(one))
      if (count === undefined) return undefined
      const { strength } = requirementOf(one.requirement)
      const place = { id: one.id, ...cellFields(one), variant: one.variant }
      const reason = silentReason(`requests of ${kindOf(one)}`, count)
      const result: Result = { ...place, verdict: 'UNTESTABLE', strength, reason, exchanges: 0 }
      return { result, lost: undefined, isSlow: true }
    },
    note(one: Case, { isSlow: inVain, result }: FinishedCase): void {
      if (result.verdict === 'UNTESTABLE' || result.verdict === 'NOT APPLICABLE') return
      patience.note(kindOf(one), !inVain)
    },
  }
}

/** Runs a single case. Returns the case's result, and the violations that the judges found in its exchanges. */
export const runAlone = async (one: Case, options: RunOptions): Promise<readonly Result[]> => {
  const judging = createJudging({ ...options, selection: {} })
  const { result } = await runCase(one, options, createUnusedResources().lease(one), (recorded) =>
    judging.judge(one.id, recorded),
  )
  const judged = judging.tallies().map((tally) => resultOfTally(tally, options))
  return [result, ...judged.filter(({ verdict }) => verdict !== 'PASS')]
}

const distinctCoverage = (coverage: readonly Coverage[]): Coverage[] => {
  const places = new Map(coverage.map((place) => [JSON.stringify(place), place]))
  return [...places.keys()].sort().flatMap((key) => places.get(key) ?? [])
}

/**
 * Reports each finished check to `onDone`. If a judge passes the same operation version several times, only the first
 * pass is reported. Otherwise, the journal would be larger than all reports together.
 */
const createDoneReporter = (options: RunOptions) => {
  const { onDone } = options
  const reported = new Set<string>()
  const isNew = (key: string): boolean => {
    const known = reported.has(key)
    reported.add(key)
    return !known
  }
  return (result: Result, recorded: readonly Recorded[]): void => {
    if (onDone === undefined) return
    const judging = createJudging(options)
    judging.judge(result.id, recorded)
    const judged = judging.tallies().map((tally) => resultOfTally(tally, options))
    onDone({
      result,
      judged: judged.filter(({ id, verdict }) => verdict !== 'PASS' || isNew(id)),
      coverage: judging.coverage().filter((place) => isNew(JSON.stringify(place))),
    })
  }
}

/**
 * Merges the results of a judge and a rule that test the same requirement for the same operation version. The worse
 * verdict counts, and the numbers of exchanges are added together.
 */
const merged = (results: readonly Result[]): Result[] => {
  const byKey = new Map<string, Result>()
  for (const result of results) {
    const before = byKey.get(result.id)
    if (before === undefined) byKey.set(result.id, result)
    else {
      const prevailed = prevailing(before.verdict, result.verdict) === before.verdict ? before : result
      byKey.set(result.id, { ...prevailed, exchanges: before.exchanges + result.exchanges })
    }
  }
  return [...byKey.values()].sort(byId)
}

/**
 * Runs all cases in a plan and judges every exchange. The results are sorted by ID, because the order in
 * which checks finish varies. If the target goes down, the run ends and returns the results so far.
 */
export const run = async (options: RunOptions): Promise<RunResults> => {
  const { plan, parallel = defaults.parallel, onResult = () => {}, earlier = [] } = options
  const judging = createJudging(options)
  const results: Result[] = earlier.flatMap(({ result, judged }) => [result, ...judged])
  const made = new Set(earlier.map(({ result }) => result.id))
  const reportDone = createDoneReporter(options)
  const lostRequests = trackLostRequests(options.secrets, options.unanswered)
  const silent = skipSilent()
  const resources = createUnusedResources()
  let ended: Unreachable | undefined
  for (const phase of phases) {
    if (ended) break
    const cases = plan.cases.filter((one) => one.phase === phase && !made.has(one.id))
    const make = async (one: Case): Promise<void> => {
      let seen: readonly Recorded[] = []
      const note = lostRequests.watch()
      const judge = (recorded: readonly Recorded[]): void => {
        seen = recorded
      }
      const finishedCase = silent.skipped(one) ?? (await runCase(one, options, resources.lease(one), judge))
      silent.note(one, finishedCase)
      note(finishedCase)
      const { result } = finishedCase
      // Ignore the result, because an interrupted check says nothing about the target.
      if (options.signal?.aborted) return
      judging.judge(one.id, seen)
      results.push(result)
      reportDone(result, seen)
      onResult(result)
    }
    ended = endOf(await runParallel(cases, phase === 'alone' ? 1 : parallel, make, options.signal))
  }
  const judged = judging.tallies().map((tally) => resultOfTally(tally, options))
  for (const result of judged) if (result.verdict !== 'PASS') onResult(result)
  return {
    results: merged([...plan.outside.map(resultOfOutside), ...results, ...judged]),
    coverage: distinctCoverage([...earlier.flatMap(({ coverage }) => coverage), ...judging.coverage()]),
    ...(ended && { ended, unanswered: lostRequests.open() }),
  }
}
