import type { OperationId } from '@svc-admin/types'
import { type Json, jsonBody } from '../document/json.ts'
import type { Api, Cell } from '../engine/api.ts'
import { buildCall, type Call, type CallChanges, requestOf } from '../engine/call.ts'
import { describeResponse } from '../engine/expect.ts'
import { safeMethods } from '../engine/only-reads.ts'
import { NotArranged, Untestable } from '../engine/signals.ts'
import type { Exchange } from '../http/exchange.ts'
import type { HttpSession } from '../http/session.ts'
import { type OwnDemo, publicDemo } from '../target/own-demo.ts'
import type { Target } from '../target/target.ts'
import { type Conditions, createConditions } from './conditions.ts'
import { allowedHolder, anyAuthorizationOf } from './holders.ts'
import type { Journal, Leftover, Removal } from './journal.ts'
import { createLeftoverFinder, type LeftoverFinder } from './leftovers.ts'
import type { EventCondition, Prerequisites } from './prerequisites.ts'
import {
  createProvidedResources,
  type ProvidedResources,
  type ProvidedResourcesOptions,
  reasonOf,
} from './provided.ts'
import { namesIn, removerOf } from './removers.ts'

/** What a run may use on the target, and what it made there. */
export interface RunContext {
  readonly api: Api
  readonly target: Target
  /** The demo organisation, as this target calls it. */
  readonly demo: OwnDemo
  readonly session: HttpSession
  readonly prerequisites: Prerequisites
  /** In everything that the run creates. */
  readonly runTag: string
  /** A value that is made once and then shared by the whole run, unless a hook did not do its part of it. */
  once<T>(name: string, make: () => Promise<T>): Promise<T>
  /** Calls an operation for the kit's own needs, as somebody who may. Throws `Untestable` when it fails. */
  perform(
    operation: OperationId,
    parameters: Readonly<Record<string, string>>,
    changes?: CallChanges,
  ): Promise<Json>
  /** Notes whatever an exchange created, so that it is removed in the end. */
  watch(call: Call, exchange: Exchange): void
  /** Notes how something that was lent is, before a call may change it. */
  beforeChange(call: Call): Promise<void>
  /** Ends conditions that were raised and may still hold; returns those that it ended. `cleanUp` does so too. */
  endConditions(): Promise<readonly EventCondition[]>
  /** Removes everything that the run made and puts back what it changed; returns what could not be. */
  cleanUp(): Promise<Leftover[]>
}

const parametersOf = (call: Call): Record<string, string> => {
  const template = call.cell.operation.path.split('/').reverse()
  const actual = call.path.split('/').reverse()
  const values: Record<string, string> = {}
  template.forEach((segment, index) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name !== undefined) values[name] = decodeURIComponent(actual[index] ?? '')
  })
  return values
}

/** A restore that has ended cannot be cancelled, and is kept: there is nothing more to remove. */
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
  /** The versions that are tested; without it, all. */
  readonly versions?: readonly string[] | undefined
  /** What earlier runs on the same target have made to be shared. */
  readonly shared?: Map<string, Promise<unknown>>
}

/** Shorter jumps of the clock let neither tokens nor nonces expire. */
const shortJump = 60

/** Notes what is put in place; after a jump of the target's clock, tokens and nonces are asked for anew. */
const watchful = (
  { prerequisites, session, journal }: RunContextOptions,
  { event }: Conditions,
): Prerequisites => ({
  ...prerequisites,
  event,
  seed(content) {
    // Written down before it is there, so that a crash leaves nothing behind; but only where it can be there.
    if (prerequisites.canSeed) journal.seeded(content)
    return prerequisites.seed(content)
  },
  async advanceClock(seconds) {
    await prerequisites.advanceClock(seconds)
    if (seconds > shortJump) session.forget()
  },
})

/**
 * The cell through which the kit itself acts: the newest version of the operation, of those that are tested, or else
 * of their generation. A target need not have any other.
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

/** Takes away what was put in place. */
const removeSeeded = async ({ journal, prerequisites }: RunContextOptions): Promise<Leftover[]> => {
  const seeded = journal.seedLeft()
  if (seeded === undefined) return []
  try {
    await prerequisites.unseed(seeded)
    journal.unseeded()
    return []
  } catch (error) {
    // Whatever went wrong there, the journal still tells of it, and a run has results to be told.
    const reason = error instanceof Error ? error.message : String(error)
    return [{ operation: 'unseed', parameters: {}, reason }]
  }
}

/** Removes one thing; returns why it could not be. */
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
    // What was made in a copy of the demo organisation went away with it.
    if (failed.length === 0) {
      for (const removal of journal.left()) journal.removed(removal)
      for (const condition of journal.activeConditions()) journal.ended(condition)
    }
    return failed
  }
  // Alerts close with their conditions, as long as they have their configurations.
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

export const createRunContext = (options: RunContextOptions): RunContext => {
  const { target, session, journal } = options
  const conditions = createConditions(options)
  const made = options.shared ?? new Map<string, Promise<unknown>>()

  const request = async (
    operation: OperationId,
    parameters: Readonly<Record<string, string>>,
    changes: CallChanges,
  ) => {
    const cell = workingCell(options, operation)
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

  const watch = (call: Call, exchange: Exchange): void => {
    const { status } = exchange.response
    if (status < 200 || status >= 300 || call.offRoute) return
    const remover = removerOf(call.cell.operation)
    const thing = remover && namesIn(remover, jsonBody(exchange.response))
    if (remover && thing)
      journal.created({ operation: remover.id, parameters: { ...parametersOf(call), ...thing } })
    if (call.method === 'DELETE')
      journal.removed({ operation: call.cell.operation.id, parameters: parametersOf(call) })
  }

  return {
    ...options,
    demo: options.demo ?? publicDemo(),
    prerequisites: watchful(options, conditions),
    watch,
    once(name, make) {
      const known = made.get(name)
      // The type belongs to the name: every caller of one name makes the same kind of thing.
      if (known) return known as ReturnType<typeof make>
      const value = make()
      made.set(name, value)
      // What a hook has failed to do once, it may do the next time it is asked.
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
      // A copy of the demo organisation is nobody's.
      if (options.demo !== undefined || safeMethods.includes(call.method)) return
      await provided.beforeChange(call.cell.operation.path, parametersOf(call))
      await leftoverFinder.beforeChange(call, parametersOf(call))
    },
    // What was raised in a copy of the demo organisation goes away with it.
    endConditions: async () => (options.demo === undefined ? (await conditions.end()).ended : []),
    cleanUp: () => cleanUp(options, request, { provided, conditions, leftoverFinder }),
  }
}
