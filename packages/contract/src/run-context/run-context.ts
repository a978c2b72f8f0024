import type { OperationId } from '@svc-admin/types'
import { type Json, jsonBody } from '../document/json.ts'
import type { Exchange } from '../http/exchange.ts'
import type { HttpSession } from '../http/session.ts'
import type { Api, Cell } from '../model/api.ts'
import { buildCall, type Call, type CallChanges, requestOf, valuesIn } from '../model/call.ts'
import { describeResponse } from '../model/expect.ts'
import type { Leftover, Removal } from '../model/leftover.ts'
import { NotArranged, Untestable } from '../model/signals.ts'
import type { StaleId } from '../model/stale-id.ts'
import { type OwnDemo, publicDemo } from '../target/own-demo.ts'
import type { Target } from '../target/target.ts'
import { type Conditions, createConditions } from './conditions.ts'
import { allowedHolder, anyAuthorizationOf } from './holders.ts'
import type { Journal } from './journal.ts'
import { createLeftoverFinder, type LeftoverFinder } from './leftovers.ts'
import { safeMethods } from './only-reads.ts'
import type { EventCondition, Prerequisites } from './prerequisites.ts'
import {
  createProvidedResources,
  type ProvidedResources,
  type ProvidedResourcesOptions,
  reasonOf,
} from './provided.ts'
import { namesIn, removerOf } from './removers.ts'

/** The resources that a run can use on the target, and those that it has created. */
export interface RunContext {
  readonly api: Api
  readonly target: Target
  /** The demo organization, with this target's names. */
  readonly demo: OwnDemo
  readonly session: HttpSession
  readonly prerequisites: Prerequisites
  /** A tag that is part of everything the run creates. */
  readonly runTag: string
  /** The cells whose operations the target lacks. The run doesn't call them. */
  readonly notImplemented: Set<Cell>
  /** Names in the target file that no longer exist. The run ignores them. */
  readonly staleIds: readonly StaleId[]
  /** Removes a stale name from the target. */
  withdraw(stale: StaleId): void
  /** @throws Untestable if the target doesn't implement the cell's operation. */
  expectImplemented(cell: Cell): void
  /** Creates a value once and shares it within the run. If a hook fails, the next call tries again. */
  once<T>(name: string, make: () => Promise<T>): Promise<T>
  /** Calls an operation for the kit itself, with credentials that allow it. Throws `Untestable` if the call fails. */
  perform(
    operation: OperationId,
    parameters: Readonly<Record<string, string>>,
    changes?: CallChanges,
  ): Promise<Json>
  /** Records the resources that a call created, so that they are removed at the end. */
  watch(call: Call, exchange: Exchange): void
  /** Records a provided resource's state before a call may change it. */
  beforeChange(call: Call): Promise<void>
  /** Ends conditions that may be active, and returns those that ended. `cleanUp` also does this. */
  endConditions(): Promise<readonly EventCondition[]>
  /**
   * Removes everything that the run created, and restores everything it changed. Returns what couldn't be removed or
   * restored.
   */
  cleanUp(): Promise<Leftover[]>
}

const parametersOf = (call: Call): Record<string, string> => valuesIn(call.path, call.cell.operation.path)

/** A restore job that has ended can't be canceled, so there is nothing to remove. */
const isGone = (status: number, { operation }: Removal): boolean =>
  status === 404 || (status === 409 && operation === 'cancelRestoreJob')

export interface RunContextOptions {
  readonly api: Api
  readonly target: Target
  readonly session: HttpSession
  readonly prerequisites: Prerequisites
  readonly journal: Journal
  readonly runTag: string
  readonly demo?: OwnDemo
  /** The versions to test. By default, all versions. */
  readonly versions?: readonly string[] | undefined
  /** Values that earlier runs created and shared on the same target. */
  readonly shared?: Map<string, Promise<unknown>>
}

/** Shorter clock jumps don't affect tokens or nonces. */
const shortJump = 60

/** Records seeded resources, and renews tokens and nonces when the target's clock jumps. */
const watchful = (
  { prerequisites, session, journal }: RunContextOptions,
  { event }: Conditions,
): Prerequisites => ({
  ...prerequisites,
  event,
  seed(content) {
    // Resources are recorded before they are seeded, so that the cleanup can remove them after a crash.
    if (prerequisites.canSeed) journal.seeded(content)
    return prerequisites.seed(content)
  },
  async advanceClock(seconds) {
    await prerequisites.advanceClock(seconds)
    if (seconds > shortJump) session.forget()
  },
})

/**
 * The cell for the kit's own calls. This is the operation's newest tested version or, if there is none, the newest
 * version in its generation. The target may lack all others.
 */
const workingCell = ({ api, versions }: RunContextOptions, operation: OperationId): Cell => {
  const all = api.cells.filter((one) => one.operation.id === operation)
  const tested = all.filter(({ version }) => versions?.includes(version.id))
  const generations = new Set(
    api.versions.filter(({ id }) => versions?.includes(id)).map(({ generation }) => generation),
  )
  const akin = all.filter(({ version }) => generations.has(version.generation))
  const cell = tested.at(-1) ?? akin.at(-1) ?? all.at(-1)
  if (cell === undefined) throw new TypeError(`${operation} has no version`)
  return cell
}

const removeSeeded = async ({ journal, prerequisites }: RunContextOptions): Promise<Leftover[]> => {
  const seeded = journal.seedLeft()
  if (seeded === undefined) return []
  try {
    await prerequisites.unseed(seeded)
    journal.unseeded()
    return []
  } catch (error) {
    // The journal still contains the resources, and the results must still be reported.
    const reason = error instanceof Error ? error.message : String(error)
    return [{ operation: 'unseed', parameters: {}, reason }]
  }
}

/** Removes one resource, or returns the reason if that fails. */
const remove = async (
  removal: Removal,
  request: ProvidedResourcesOptions['request'],
): Promise<string | undefined> => {
  const exchange = await request(removal.operation, removal.parameters, {})
  const { status } = exchange.response
  return status < 300 || isGone(status, removal) ? undefined : describeResponse(exchange)
}

const cleanUp = async (
  options: RunContextOptions,
  request: ProvidedResourcesOptions['request'],
  {
    provided,
    conditions,
    leftoverFinder,
  }: { provided: ProvidedResources; conditions: Conditions; leftoverFinder: LeftoverFinder },
): Promise<Leftover[]> => {
  const { journal, demo } = options
  const failed = await removeSeeded(options)
  if (demo !== undefined) {
    // Resources in a copy of the demo organization were removed with the copy.
    if (failed.length === 0) {
      for (const removal of journal.left()) journal.removed(removal)
      for (const condition of journal.activeConditions()) journal.ended(condition)
    }
    return failed
  }
  // When a condition ends, its alerts close, but only if their configurations still exist. Conditions are therefore
  // ended first.
  failed.push(...(await conditions.end()).left)
  failed.push(...(await provided.restore()))
  await leftoverFinder.note()
  for (const removal of journal.left()) {
    const reason = await remove(removal, request).catch(reasonOf)
    if (reason === undefined) journal.removed(removal)
    else failed.push({ ...removal, reason })
  }
  return failed
}

/** The names that a run uses, without stale names. */
const currentNames = (given: Target) => {
  const things: Record<string, string> = { ...given.things }
  const clusters = [...(given.clusters ?? [])]
  const staleIds: StaleId[] = []
  return {
    target: { ...given, things, ...(given.clusters && { clusters }) } satisfies Target,
    staleIds,
    withdraw(stale: StaleId): void {
      staleIds.push(stale)
      delete things[stale.field.replace('things.', '')]
      const place = clusters.findIndex(({ name }) => stale.field === 'clusters' && name === stale.value)
      if (place >= 0) clusters.splice(place, 1)
    },
  }
}

/** Describes what a check lacks if a resource is missing from the target file or doesn't exist. */
export const missingId = (
  { staleIds }: Pick<RunContext, 'staleIds'>,
  name: string,
  what = `the ${name} of an existing resource`,
): string =>
  staleIds.some(({ field }) => field === `things.${name}`)
    ? `${what} (things.${name} in the target file is stale)`
    : what

/** Records in the journal which resource a successful request has created or removed. */
const recordChange = (journal: RunContextOptions['journal'], call: Call, { response }: Exchange): void => {
  if (response.status < 200 || response.status >= 300 || call.offRoute) return
  const { operation } = call.cell
  const parameters = valuesIn(call.path, operation.path)
  const remover = removerOf(operation)
  const thing = remover && namesIn(remover, jsonBody(response))
  if (remover && thing) journal.created({ operation: remover.id, parameters: { ...parameters, ...thing } })
  if (call.method === 'DELETE') journal.removed({ operation: operation.id, parameters })
}

export const createRunContext = (options: RunContextOptions): RunContext => {
  const { session, journal } = options
  const { target, staleIds, withdraw } = currentNames(options.target)
  const conditions = createConditions(options)
  const made = options.shared ?? new Map<string, Promise<unknown>>()

  const notImplemented = new Set<Cell>()
  const expectImplemented = (cell: Cell): void => {
    if (notImplemented.has(cell)) throw new Untestable(`${cell.operation.id}, which is not implemented`)
  }

  const request = async (
    operation: OperationId,
    parameters: Readonly<Record<string, string>>,
    changes: CallChanges,
  ) => {
    const cell = workingCell(options, operation)
    expectImplemented(cell)
    const as = anyAuthorizationOf(allowedHolder(target, cell), operation)
    const call = buildCall(cell, { parameters, body: undefined, as }, changes)
    await leftoverFinder.beforeChange(call, parameters)
    const exchange = await session.send(requestOf(call), call.as)
    watch(call, exchange)
    return exchange
  }

  const cellOf = (operation: OperationId): Cell => workingCell(options, operation)
  const provided = createProvidedResources({ target, journal, request, cellOf })
  const leftoverFinder = createLeftoverFinder({ ...options, request, cellOf })

  const watch = (call: Call, exchange: Exchange): void => recordChange(journal, call, exchange)

  return {
    ...options,
    ...{ target, staleIds, withdraw },
    demo: options.demo ?? publicDemo(),
    prerequisites: watchful(options, conditions),
    notImplemented,
    expectImplemented,
    watch,
    once(name, make) {
      const known = made.get(name)
      // The name determines the type, because all callers that use a name create the same kind of value.
      if (known) return known as ReturnType<typeof make>
      const value = make()
      made.set(name, value)
      // If a hook fails once, the next attempt may succeed.
      value.catch((error: unknown) => {
        if (error instanceof NotArranged) made.delete(name)
      })
      return value
    },
    async perform(operation, parameters, changes = {}) {
      const exchange = await request(operation, parameters, changes)
      const { status } = exchange.response
      if (status < 200 || status >= 300)
        throw new Untestable(`${operation} to work (${describeResponse(exchange)})`)
      return jsonBody(exchange.response) ?? null
    },
    async beforeChange(call) {
      // Nothing else uses a copy of the demo organization, so there is nothing to restore.
      if (options.demo !== undefined || safeMethods.includes(call.method)) return
      await provided.beforeChange(call.cell.operation.path, parametersOf(call))
      await leftoverFinder.beforeChange(call, parametersOf(call))
    },
    // Conditions in a copy of the demo organization end with the copy.
    endConditions: async () => (options.demo === undefined ? (await conditions.end()).ended : []),
    cleanUp: () => cleanUp(options, request, { provided, conditions, leftoverFinder }),
  }
}
