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

/** What a run can use on the target, and what it has created there. */
export interface RunContext {
  readonly api: Api
  readonly target: Target
  /** The demo organization, with the names that it has on this target. */
  readonly demo: OwnDemo
  readonly session: HttpSession
  readonly prerequisites: Prerequisites
  /** A tag in everything that the run creates. */
  readonly runTag: string
  /** The operation versions that the target doesn't implement. The run doesn't call missing operations. */
  readonly notImplemented: Set<Cell>
  /** Names in the target file that don't match an existing resource. The run doesn't use these names. */
  readonly staleIds: readonly StaleId[]
  /** Records a stale name, so that the run no longer uses it. */
  withdraw(stale: StaleId): void
  /** @throws Untestable if the target doesn't implement the operation in this version. */
  expectImplemented(cell: Cell): void
  /** Creates a value once and shares it with the entire run. If a hook fails, the next call tries again. */
  once<T>(name: string, make: () => Promise<T>): Promise<T>
  /**
   * Calls an operation on behalf of the kit, with credentials that allow the call. Throws `Untestable` if the
   * call fails.
   */
  perform(
    operation: OperationId,
    parameters: Readonly<Record<string, string>>,
    changes?: CallChanges,
  ): Promise<Json>
  /** Records what a call has created, so that it can be removed at the end. */
  watch(call: Call, exchange: Exchange): void
  /** Records the state of a provided resource before a call that may change it. */
  beforeChange(call: Call): Promise<void>
  /** Ends all conditions that may be active, and returns those that have ended. `cleanUp` also ends conditions. */
  endConditions(): Promise<readonly EventCondition[]>
  /**
   * Removes what the run has created and restores what it has changed. Returns what couldn't be removed or restored.
   */
  cleanUp(): Promise<Leftover[]>
}

const parametersOf = (call: Call): Record<string, string> => valuesIn(call.path, call.cell.operation.path)

/** Returns whether a resource is already gone. A restore job that has ended can't be canceled. */
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
  /** The versions that the run tests. By default, the run tests all versions. */
  readonly versions?: readonly string[] | undefined
  /** Values that earlier runs on the same target have created and shared. */
  readonly shared?: Map<string, Promise<unknown>>
}

/** A clock jump that is no longer than this many seconds doesn't affect tokens and nonces. */
const shortJump = 60

/** Records what is seeded. If the clock jumps, renews tokens and nonces. */
const watchful = (
  { prerequisites, session, journal }: RunContextOptions,
  { event }: Conditions,
): Prerequisites => ({
  ...prerequisites,
  event,
  seed(content) {
    // Record the resources before they are seeded, so that they can be removed after a crash.
    if (prerequisites.canSeed) journal.seeded(content)
    return prerequisites.seed(content)
  },
  async advanceClock(seconds) {
    await prerequisites.advanceClock(seconds)
    if (seconds > shortJump) session.forget()
  },
})

/**
 * Returns the operation version that the kit uses for its own calls. This is the newest tested version of the
 * operation, or else the newest version in the tested generations. The target may lack all other versions.
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
    // The journal still contains the resources, so the error isn't thrown and the results can be reported.
    const reason = error instanceof Error ? error.message : String(error)
    return [{ operation: 'unseed', parameters: {}, reason }]
  }
}

/** Removes a resource. Returns the reason if the removal fails. */
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
    // If this run used a copy of the demo organization, removing the copy has also removed the resources in it.
    if (failed.length === 0) {
      for (const removal of journal.left()) journal.removed(removal)
      for (const condition of journal.activeConditions()) journal.ended(condition)
    }
    return failed
  }
  // End the conditions first. When a condition ends, its alerts close, but only if their configurations still exist.
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

/** Provides the names that the run uses, without stale names. */
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

/** Describes the missing prerequisite if a resource isn't in the target file or doesn't exist. */
export const missingId = (
  { staleIds }: Pick<RunContext, 'staleIds'>,
  name: string,
  what = `the ${name} of an existing resource`,
): string =>
  staleIds.some(({ field }) => field === `things.${name}`)
    ? `${what} (the resource in things.${name} of the target file no longer exists)`
    : what

/** Records which resource a successful request has created or removed. */
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
    target,
    staleIds,
    withdraw,
    demo: options.demo ?? publicDemo(),
    prerequisites: watchful(options, conditions),
    notImplemented,
    expectImplemented,
    watch,
    once(name, make) {
      const known = made.get(name)
      // All callers that use a name create the same kind of value, so the name determines the type.
      if (known) return known as ReturnType<typeof make>
      const value = make()
      made.set(name, value)
      // If a hook fails once, another attempt may succeed.
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
      // The copy of the demo organization is removed after the run, so nothing in it has to be restored.
      if (options.demo !== undefined || safeMethods.includes(call.method)) return
      await provided.beforeChange(call.cell.operation.path, parametersOf(call))
      await leftoverFinder.beforeChange(call, parametersOf(call))
    },
    // The copy of the demo organization is removed after the run, together with its conditions.
    endConditions: async () => (options.demo === undefined ? (await conditions.end()).ended : []),
    cleanUp: () => cleanUp(options, request, { provided, conditions, leftoverFinder }),
  }
}
