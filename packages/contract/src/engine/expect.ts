import type { ErrorCode, TokenErrorCode } from '@svc-admin/types'
import { errorCodes, tokenErrors } from '@svc-admin/types'
import { inspect, type Json, jsonBody, listAt, stringAt } from '../document/json.ts'
import type { Exchange } from '../http/exchange.ts'
import { type Sighted, Violation } from './signals.ts'
import type { Strength } from './verdict.ts'

/** Breaks off with a violation unless the condition holds. */
export function expectThat(condition: boolean, sighted: Sighted): asserts condition {
  if (!condition) throw new Violation(sighted)
}

/** What an answer was, in a few words. */
export const tellResponse = ({ response }: Exchange): string => {
  const body = jsonBody(response)
  const code = stringAt(body, 'errorCode') ?? stringAt(body, 'error')
  const detail = stringAt(body, 'detail') ?? stringAt(body, 'error_description')
  return [`status ${response.status}`, code, detail && inspect(detail, 100)].filter(Boolean).join(' ')
}

/** The JSON body of an answer. */
export const bodyOf = (exchange: Exchange): Json => {
  const body = jsonBody(exchange.response)
  expectThat(body !== undefined, {
    expected: 'a JSON body',
    actual: inspect(exchange.response.body, 80),
    exchange,
  })
  return body
}

export const isSuccess = ({ response }: Exchange): boolean => response.status >= 200 && response.status < 300

/**
 * The answer is a success; which one the document of the version says is judged on every exchange anyway.
 *
 * @param strength of what makes the request a good one, where that is weaker than the requirement.
 */
export const expectSuccess = (exchange: Exchange, what = 'a success', strength: Strength = 'stated'): void =>
  expectThat(isSuccess(exchange), {
    expected: what,
    actual: tellResponse(exchange),
    exchange,
    strength,
  })

/** Whether the request was refused, with whichever status: which one is mostly a decision. */
export const isRefusal = ({ status }: Exchange['response']): boolean => status >= 400 && status < 500

interface Refusal {
  readonly status: number
  readonly strength: Strength
}

const refusals: Readonly<Record<string, Refusal>> = { ...errorCodes, ...tokenErrors }

const rowOf = (code: ErrorCode | TokenErrorCode): Refusal => {
  const row = refusals[code]
  if (row === undefined) throw new TypeError(`${code} is in no catalogue`)
  return row
}

const codeOf = (exchange: Exchange): string | undefined => {
  const body = jsonBody(exchange.response)
  return stringAt(body, 'errorCode') ?? stringAt(body, 'error')
}

/**
 * The request is refused. That it is refused is the promise; with which status and code is the catalogue's,
 * which mostly is a decision: a refusal of another kind binds no more than that.
 *
 * @param strength of what makes the request a bad one, where that is weaker than the requirement.
 */
export const expectRefusal = (
  exchange: Exchange,
  code: ErrorCode | TokenErrorCode,
  why: string,
  strength: Strength = 'stated',
): void => {
  const { status } = exchange.response
  const row = rowOf(code)
  const expected = `${row.status} ${code}: ${why}`
  expectThat(isRefusal(exchange.response), { expected, actual: tellResponse(exchange), exchange, strength })
  const right = status === row.status && codeOf(exchange) === code
  expectThat(right, { expected, actual: tellResponse(exchange), exchange, strength: 'decided' })
}

/** Like `expectRefusal`, where the status or code is itself what the requirement promises. */
export const expectError = (exchange: Exchange, code: ErrorCode | TokenErrorCode, why: string): void => {
  const row = rowOf(code)
  const right = exchange.response.status === row.status && codeOf(exchange) === code
  expectThat(right, { expected: `${row.status} ${code}: ${why}`, actual: tellResponse(exchange), exchange })
}

/** The call is refused, whatever the error is called: that is another promise. */
export const expectRefused = (exchange: Exchange, why: string): void =>
  expectThat(isRefusal(exchange.response), {
    expected: `a refusal: ${why}`,
    actual: tellResponse(exchange),
    exchange,
  })

/** A place as those call it, too, who leave out the beginning of a pointer. */
const stepsOf = (place: string): readonly string[] =>
  place
    .replace(/^#?\/?/, '')
    .split(/[/.]/)
    .filter(Boolean)

/** Whether one of two places is the other one, or in it: what a member lacks may be told of the whole. */
const meets = (one: string, other: string): boolean => {
  const [steps, others] = [stepsOf(one), stepsOf(other)]
  return steps.every((step, index) => index >= others.length || step === others[index])
}

/**
 * A refusal that names places names one that is at fault: else it was for another reason, and says nothing of the fault
 * that is tried. Which names there are, is decided; one that names none is a refusal all the same.
 *
 * @param places JSON Pointers to what is at fault.
 */
export const expectAt = (exchange: Exchange, places: readonly string[]): void => {
  const named = listAt(jsonBody(exchange.response), 'parameters').filter((name) => typeof name === 'string')
  const isAt = named.some((name) => places.some((place) => meets(name, place)))
  expectThat(named.length === 0 || isAt, {
    expected: `parameters that name ${[...new Set(places)].map((place) => place || 'the body').join(' or ')}`,
    actual: inspect(named),
    exchange,
    strength: 'decided',
  })
}
