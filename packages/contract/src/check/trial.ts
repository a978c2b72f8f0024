import type { OperationId } from '@svc-admin/types'
import { jsonBody, stringAt } from '../document/json.ts'
import { exampleBody, exampleParameters, givenParameters } from '../given/given.ts'
import { expectNotWithdrawn, expectReleased } from '../given/target-day.ts'
import { usableBody } from '../given/usable-body.ts'
import { type Authorization, isGenuine, type ServiceAccount } from '../http/authorization.ts'
import type { Exchange } from '../http/exchange.ts'
import type { SendOptions } from '../http/session.ts'
import { NoResponse, withoutResponse } from '../http/transport.ts'
import type { Cell } from '../model/api.ts'
import {
  buildCall,
  type Call,
  type CallChanges,
  type CallIngredients,
  type Recorded,
  requestOf,
  type Unanswered,
} from '../model/call.ts'
import type { Random } from '../model/random.ts'
import { NotApplicable, Untestable } from '../model/signals.ts'
import { allowedHolder, anyAuthorizationOf } from '../run-context/holders.ts'
import type { RunContext } from '../run-context/run-context.ts'

export interface TrialOptions extends SendOptions {
  /** Whether to return the response if the target no longer supports the operation. */
  readonly returnWithdrawn?: boolean
  /** Whether to return a 503 response, because the check has made the operation unavailable. */
  readonly returnUnavailable?: boolean
}

/**
 * Everything that a check can use: the operation version under test, the run context, and functions that send requests.
 */
export interface Trial {
  readonly cell: Cell
  readonly context: RunContext
  readonly random: Random
  /** The number of inputs for a check with generated inputs. */
  readonly inputs: number
  /** Returns the parts of a valid call to the operation under test. The parts stay the same during the trial. */
  good(): Promise<CallIngredients>
  /** Returns a valid call to the operation under test, with the given changes. */
  call(changes?: CallChanges): Promise<Call>
  /** Returns a valid call to another operation, in the version under test. */
  callOf(operation: OperationId, changes?: CallChanges): Promise<Call>
  /** @throws NotApplicable if the target no longer supports the operation after its sunset date. */
  send(call: Call, options?: TrialOptions): Promise<Exchange>
  /** Adds the request and response of another check to the evidence of this check. */
  note(seen: Recorded): void
  /** Sends a valid call to the operation under test, with the given changes. */
  try(changes?: CallChanges, options?: TrialOptions): Promise<Exchange>
}

/** A rate-limited response doesn't show whether the target meets the requirement. */
const rateLimitedReason =
  'a response other than 429, even after waiting (use --rate <n> to send fewer requests per second)'

/** Returns the service account that the kit uses for token requests. */
export const tokenAccount = (context: RunContext): ServiceAccount => {
  const holders = Object.values(context.target.roles)
  const account = holders.find((holder) => holder.serviceAccount)?.serviceAccount
  if (account === undefined) throw new Untestable('a service account')
  return account
}

/**
 * Returns whether the response of an overloaded target has a documented status and the API's error format. Other
 * responses aren't judged, because they may come from a gateway or an HTTP library that doesn't know the format.
 */
const isOwnError = ({ definition, operation }: Cell, { response }: Exchange): boolean =>
  definition.responses.has(response.status) &&
  stringAt(jsonBody(response), operation.security === 'api' ? 'errorCode' : 'error') !== undefined

const authorizationFor = (context: RunContext, cell: Cell): Authorization =>
  cell.operation.security === 'client-credentials'
    ? { kind: 'basic', account: tokenAccount(context), genuine: true }
    : anyAuthorizationOf(allowedHolder(context.target, cell), cell.operation.id)

type Parameters = Readonly<Record<string, string>>

const ingredients = async (
  context: RunContext,
  cell: Cell,
  parametersFrom = (create: () => Promise<Parameters>) => create(),
): Promise<CallIngredients> => ({
  parameters: await parametersFrom(() => givenParameters(context, cell)),
  body: await usableBody(context, cell),
  as: authorizationFor(context, cell),
})

export interface TrialParts {
  readonly context: RunContext
  readonly cell: Cell
  readonly random: Random
  readonly inputs: number
  /** The check's calls are added here, each with its exchange. */
  readonly record: Recorded[]
  /** Returns the path parameters of a valid call: parameters from an earlier check, or new ones. */
  readonly parametersFrom?: (create: () => Promise<Parameters>) => Promise<Parameters>
  /** Called for each request that gets no response. */
  readonly onUnanswered?: (lost: Unanswered) => void
}

/** Creates a trial that records everything that its check sends. */
export const createTrial = (parts: TrialParts): Trial => {
  const { context, cell, random, inputs, record, parametersFrom, onUnanswered } = parts
  let good: Promise<CallIngredients> | undefined
  const needs = async (changes: CallChanges): Promise<CallIngredients> => {
    if (changes.as === undefined || isGenuine(changes.as)) return trial.good()
    const body = exampleBody(context, cell)
    return { parameters: exampleParameters(context, cell), body, as: changes.as }
  }
  const trial: Trial = {
    cell,
    context,
    random,
    inputs,
    good() {
      good ??= ingredients(context, cell, parametersFrom)
      return good
    },
    call: async (changes = {}) => buildCall(cell, await needs(changes), changes),
    async callOf(operation, changes) {
      const other = context.api.cell(operation, cell.version.id)
      if (other === undefined) throw new NotApplicable(`${operation} doesn't exist in ${cell.version.id}`)
      return buildCall(other, await ingredients(context, other), changes)
    },
    async send(call, options) {
      context.expectImplemented(call.cell)
      await context.beforeChange(call)
      const note = (exchange: Exchange): void => trial.note({ call, exchange })
      const noteOwn = (exchange: Exchange): void => {
        if (isOwnError(call.cell, exchange)) note(exchange)
      }
      const exchange = await context.session
        .send(requestOf(call), call.as, { onMissingRetryAfter: noteOwn, ...options })
        .catch((error) => {
          if (error instanceof NoResponse) onUnanswered?.({ call, request: error.request })
          throw error
        })
      const failure = options?.returnUnavailable ? undefined : withoutResponse(exchange)
      if (failure !== undefined) {
        noteOwn(exchange)
        onUnanswered?.({ call, request: exchange.request })
        throw failure
      }
      const isLimited = exchange.response.status === 429 && !options?.returnRateLimited
      if (isLimited) noteOwn(exchange)
      else note(exchange)
      context.watch(call, exchange)
      if (isLimited) throw new Untestable(rateLimitedReason)
      if (exchange.response.status === 406) await expectReleased(context, call.cell)
      if (!options?.returnWithdrawn) await expectNotWithdrawn(context, call.cell, exchange)
      return exchange
    },
    note(seen) {
      record.push(seen)
    },
    try: async (changes, options) => trial.send(await trial.call(changes), options),
  }
  return trial
}
