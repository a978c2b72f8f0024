import type { OperationId } from '@svc-admin/types'
import { givenParameters, pretendedBody, pretendedParameters } from '../given/given.ts'
import { expectReleased } from '../given/target-day.ts'
import { usableBody } from '../given/usable-body.ts'
import { type Authorization, isGenuine, type ServiceAccount } from '../http/authorization.ts'
import type { Exchange, RawRequest } from '../http/exchange.ts'
import type { SendOptions } from '../http/session.ts'
import { NoResponse } from '../http/transport.ts'
import { allowedHolder, anyAuthorizationOf } from '../world/holders.ts'
import type { World } from '../world/world.ts'
import type { Cell } from './api.ts'
import { buildCall, type Call, type CallChanges, type CallIngredients, requestOf } from './call.ts'
import type { Random } from './random.ts'
import { NotApplicable, Untestable } from './signals.ts'

/** What one check may touch. */
export interface Trial {
  readonly cell: Cell
  readonly world: World
  readonly random: Random
  /** How many inputs a check that generates them tries. */
  readonly inputs: number
  /** What a good call of the cell needs. The same within one trial. */
  good(): Promise<CallIngredients>
  /** A good call of the cell, but for the changes. */
  call(changes?: CallChanges): Promise<Call>
  /** A good call of another operation in the version of the cell. */
  callOf(operation: OperationId, changes?: CallChanges): Promise<Call>
  send(call: Call, options?: SendOptions): Promise<Exchange>
  /** Takes what another check was answered for evidence of this one. */
  note(seen: Recorded): void
  /** Sends a good call of the cell, but for the changes. */
  try(changes?: CallChanges, options?: SendOptions): Promise<Exchange>
}

/** A limit says nothing of what the check is about, whether it counts as a refusal or as no success. */
const noLimit =
  'an answer other than 429, however long it is waited for (--rate n sends fewer requests a second)'

/** A call with its answer, for the judges. */
export interface Recorded {
  readonly call: Call
  readonly exchange: Exchange
}

/** A call that had no answer, with the request that was sent for it last. */
export interface Unanswered {
  readonly call: Call
  readonly request: RawRequest
}

/** The service account that asks for tokens. */
export const tokenAccount = (world: World): ServiceAccount => {
  const holders = Object.values(world.target.roles)
  const account = holders.find((holder) => holder.serviceAccount)?.serviceAccount
  if (account === undefined) throw new Untestable('a service account')
  return account
}

const authorizationFor = (world: World, cell: Cell): Authorization =>
  cell.operation.security === 'client-credentials'
    ? { kind: 'basic', account: tokenAccount(world), genuine: true }
    : anyAuthorizationOf(allowedHolder(world.target, cell), cell.operation.id)

const ingredients = async (world: World, cell: Cell): Promise<CallIngredients> => ({
  parameters: await givenParameters(world, cell),
  body: await usableBody(world, cell),
  as: authorizationFor(world, cell),
})

export interface TrialParts {
  readonly world: World
  readonly cell: Cell
  readonly random: Random
  readonly inputs: number
  /** What is sent goes here. */
  readonly record: Recorded[]
  /** Hears of calls that had no answer. */
  readonly onUnanswered?: (lost: Unanswered) => void
}

/** Creates what one check may touch, and records what it sends. */
export const createTrial = (parts: TrialParts): Trial => {
  const { world, cell, random, inputs, record, onUnanswered } = parts
  let good: Promise<CallIngredients> | undefined
  const needs = async (changes: CallChanges): Promise<CallIngredients> => {
    if (changes.as === undefined || isGenuine(changes.as)) return trial.good()
    const body = pretendedBody(world, cell)
    return { parameters: pretendedParameters(world, cell), body, as: changes.as }
  }
  const trial: Trial = {
    cell,
    world,
    random,
    inputs,
    good() {
      good ??= ingredients(world, cell)
      return good
    },
    call: async (changes = {}) => buildCall(cell, await needs(changes), changes),
    async callOf(operation, changes) {
      const other = world.api.cell(operation, cell.version.id)
      if (other === undefined) throw new NotApplicable(`${operation} is not in ${cell.version.id}`)
      return buildCall(other, await ingredients(world, other), changes)
    },
    async send(call, options) {
      await world.beforeChange(call)
      const note = (exchange: Exchange): void => trial.note({ call, exchange })
      const exchange = await world.session
        .send(requestOf(call), call.as, { onUntimed: note, ...options })
        .catch((error) => {
          if (error instanceof NoResponse) onUnanswered?.({ call, request: error.request })
          throw error
        })
      note(exchange)
      world.watch(call, exchange)
      if (exchange.response.status === 429 && !options?.takeLimit) throw new Untestable(noLimit)
      if (exchange.response.status === 406) await expectReleased(world, call.cell)
      return exchange
    },
    note(seen) {
      record.push(seen)
    },
    try: async (changes, options) => trial.send(await trial.call(changes), options),
  }
  return trial
}
