import type { ErrorCode, TokenErrorCode } from '@svc-admin/types'
import { errorCodes, tokenErrors } from '@svc-admin/types'
import { inspect, type Json, jsonBody, listAt, stringAt } from '../document/json.ts'
import type { Strength } from '../document/strength.ts'
import type { Exchange } from '../http/exchange.ts'
import { differenceFromRejection, differenceFromSuccess, notJson } from './difference.ts'
import { type BreachInput, Untestable, Violation } from './signals.ts'

export function expectThat(condition: boolean, sighted: BreachInput): asserts condition {
  if (!condition) throw new Violation(sighted)
}

/** Returns the error code. Many frameworks set `error` to a phrase such as `Not Found`, which isn't a code. */
const codeOf = ({ response }: Exchange): string | undefined => {
  const body = jsonBody(response)
  const tokenError = stringAt(body, 'error')
  return stringAt(body, 'errorCode') ?? (/^[a-z]+(_[a-z]+)*$/.test(tokenError ?? '') ? tokenError : undefined)
}

/** Describes a response by its status, error code and detail. */
export const describeResponse = (exchange: Exchange): string => {
  const { response } = exchange
  const body = jsonBody(response)
  const detail = stringAt(body, 'detail') ?? stringAt(body, 'error_description')
  return [`status ${response.status}`, codeOf(exchange), detail && inspect(detail, 100)]
    .filter(Boolean)
    .join(' ')
}

/** Returns a response's JSON body. If the body isn't JSON, throws a violation. */
export const bodyOf = (exchange: Exchange): Json => {
  const body = jsonBody(exchange.response)
  expectThat(body !== undefined, {
    expected: 'a JSON body',
    actual: inspect(exchange.response.body, 80),
    exchange,
    difference: notJson,
  })
  return body
}

export const isSuccess = ({ response }: Exchange): boolean => response.status >= 200 && response.status < 300

/**
 * Expects a successful response with any status. A separate judge checks whether the document declares the status.
 *
 * @param strength The strength of the fact that makes the request valid. The strength matters only if it is
 * weaker than the requirement.
 */
export const expectSuccess = (exchange: Exchange, what = 'a success', strength: Strength = 'stated'): void =>
  expectThat(isSuccess(exchange), {
    expected: what,
    actual: describeResponse(exchange),
    exchange,
    strength,
    difference: differenceFromSuccess(exchange.response.status, codeOf(exchange)),
  })

/**
 * Expects a successful response to a valid request. If the request changes something, it may conflict with the target's
 * state, for example because an earlier job is still running. The specification doesn't list these conflicts.
 *
 * @throws Untestable if the response is a conflict.
 */
export const expectServed = (exchange: Exchange, what?: string, strength?: Strength): void => {
  const isConflict = exchange.request.method !== 'GET' && exchange.response.status === 409
  if (isConflict) throw new Untestable(`a request without a conflict (${describeResponse(exchange)})`)
  expectSuccess(exchange, what, strength)
}

/** Returns whether the request was rejected. The exact status doesn't matter, because it is usually our decision. */
export const isRefusal = ({ status }: Exchange['response']): boolean => status >= 400 && status < 500

interface Refusal {
  readonly status: number
  readonly strength: Strength
}

const refusals: Readonly<Record<string, Refusal>> = { ...errorCodes, ...tokenErrors }

const rowOf = (code: ErrorCode | TokenErrorCode): Refusal => {
  const row = refusals[code]
  if (row === undefined) throw new TypeError(`${code} is not in the catalog`)
  return row
}

/**
 * Expects a rejection. The requirement itself only says that the request is rejected. A different status or
 * code is at most a *decided* violation, because most of the error catalog is our decision.
 *
 * @param strength The strength of the fact that makes the request invalid. The strength matters only if it is
 * weaker than the requirement.
 */
export const expectRefusal = (
  exchange: Exchange,
  code: ErrorCode | TokenErrorCode,
  why: string,
  strength: Strength = 'stated',
): void => {
  const { status } = exchange.response
  const row = rowOf(code)
  const breach = {
    expected: `${row.status} ${code}: ${why}`,
    actual: describeResponse(exchange),
    exchange,
    difference: differenceFromRejection({ status: row.status, code }, { status, code: codeOf(exchange) }),
  }
  expectThat(isRefusal(exchange.response), { ...breach, strength })
  const right = status === row.status && codeOf(exchange) === code
  expectThat(right, { ...breach, strength: 'decided' })
}

/** Expects an error with this status and code, because the requirement specifies them. */
export const expectError = (exchange: Exchange, code: ErrorCode | TokenErrorCode, why: string): void => {
  const row = rowOf(code)
  const { status } = exchange.response
  expectThat(status === row.status && codeOf(exchange) === code, {
    expected: `${row.status} ${code}: ${why}`,
    actual: describeResponse(exchange),
    exchange,
    difference: differenceFromRejection({ status: row.status, code }, { status, code: codeOf(exchange) }),
  })
}

/** Expects a rejection with any error code. A separate requirement checks the code. */
export const expectRefused = (exchange: Exchange, why: string): void =>
  expectThat(isRefusal(exchange.response), {
    expected: `a rejection: ${why}`,
    actual: describeResponse(exchange),
    exchange,
  })

/** Splits a location into segments. Some servers leave out the beginning of the JSON Pointer. */
const stepsOf = (place: string): readonly string[] =>
  place
    .replace(/^#?\/?/, '')
    .split(/[/.]/)
    .filter(Boolean)

/**
 * Returns whether one location contains the other. For example, if a field is missing, a server may return the location
 * of the object that should contain the field.
 */
const meets = (one: string, other: string): boolean => {
  const [steps, others] = [stepsOf(one), stepsOf(other)]
  return steps.every((step, index) => index >= others.length || step === others[index])
}

const locationsIn = ({ response }: Exchange): readonly string[] =>
  listAt(jsonBody(response), 'parameters').filter((name) => typeof name === 'string')

/** Returns whether an error contains one of the locations. Errors without locations may concern any value. */
const mayConcern = (exchange: Exchange, places: readonly string[]): boolean => {
  const named = locationsIn(exchange)
  return named.length === 0 || named.some((name) => places.some((place) => meets(name, place)))
}

/** Returns whether a request was rejected because the value at the location is invalid. */
export const isInvalidAt = (exchange: Exchange, place: string): boolean =>
  codeOf(exchange) === 'VALIDATION_ERROR' && mayConcern(exchange, [place])

/**
 * If an error contains locations, expects at least one location to match an invalid value. If no location matches, the
 * request was rejected for another reason. Errors without locations also pass, because locations are our decision.
 *
 * @param places JSON Pointers to the invalid values.
 */
export const expectAt = (exchange: Exchange, places: readonly string[]): void =>
  expectThat(mayConcern(exchange, places), {
    expected: `parameters with ${[...new Set(places)].map((place) => place || 'the body').join(' or ')}`,
    actual: inspect(locationsIn(exchange)),
    exchange,
    strength: 'decided',
  })
