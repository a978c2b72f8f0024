import { states } from '@svc-admin/types'
import { contrast } from '../document/contrast.ts'
import { inspect, isArray, isObject, type Json, type JsonObject, sameJson } from '../document/json.ts'
import { parseTimestamp } from '../document/timestamp.ts'
import { bodyOf, describeResponse, expectRefusal, expectSuccess, expectThat } from '../engine/expect.ts'
import { Lenience, Violation } from '../engine/signals.ts'
import type { Strength } from '../engine/verdict.ts'
import type { Exchange } from '../http/exchange.ts'

/** An answer with what is in it. */
export interface SuccessfulResponse {
  readonly exchange: Exchange
  readonly body: Json
}

/** The body of a success. */
export const successfulResponse = (exchange: Exchange, what?: string): SuccessfulResponse => {
  expectSuccess(exchange, what)
  return { exchange, body: bodyOf(exchange) }
}

export const fieldOf = (value: Json | undefined, name: string): Json | undefined =>
  isObject(value) ? value[name] : undefined

/** Members of an object, but for some. */
export const without = (value: Json | undefined, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(isObject(value) ? value : {}).filter(([name]) => !names.includes(name)))

/** Some members of an object: an answer may have members of its own besides. */
export const only = (value: Json | undefined, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(isObject(value) ? value : {}).filter(([name]) => names.includes(name)))

export const expectSame = (
  exchange: Exchange,
  what: string,
  actual: Json | undefined,
  expected: Json | undefined,
  strength: Strength = 'stated',
): void => {
  if (sameJson(actual, expected)) return
  const difference = contrast(actual, expected)
  throw new Violation({ ...difference, expected: `${what} ${difference.expected}`, exchange, strength })
}

/**
 * A member of the answer has a value, or is not there.
 *
 * @param strength of that, where it is weaker than the requirement.
 */
export const expectField = (
  { body, exchange }: SuccessfulResponse,
  name: string,
  expected: Json | undefined,
  strength: Strength = 'stated',
): void => expectSame(exchange, name, fieldOf(body, name), expected, strength)

/** A member of the answer names a moment, however it spells it. */
export const expectTimestamp = (
  { body, exchange }: SuccessfulResponse,
  name: string,
  expected: string,
): void => {
  const actual = fieldOf(body, name)
  const right = typeof actual === 'string' && parseTimestamp(actual) === parseTimestamp(expected)
  expectThat(right, { expected: `${name} ${inspect(expected)}`, actual: inspect(actual), exchange })
}

/** A member of the answer has its default. That it is there at all, is decided. */
export const expectDefault = (seen: SuccessfulResponse, name: string, value: Json): void =>
  expectField(seen, name, value, fieldOf(seen.body, name) === undefined ? 'decided' : 'stated')

/** Members that the answer must have, whatever their values. That an answer always has them, is decided. */
export const expectFields = ({ body, exchange }: SuccessfulResponse, ...names: readonly string[]): void => {
  const missing = names.filter((name) => fieldOf(body, name) === undefined)
  expectThat(missing.length === 0, {
    expected: `the members ${names.join(', ')}`,
    actual: `none called ${missing.join(', ')}`,
    exchange,
    strength: 'decided',
  })
}

/** A string that is not empty, whichever it is: the values are open. That an answer always has it, is decided. */
export const expectText = (seen: SuccessfulResponse, name: string): void => {
  expectFields(seen, name)
  const value = fieldOf(seen.body, name)
  expectThat(typeof value === 'string' && value !== '', {
    expected: `${name}, a string`,
    actual: inspect(value),
    exchange: seen.exchange,
  })
}

/** Whether every member that was sent is answered as it was sent; an answer may have more. */
const contains = (actual: Json | undefined, sent: Json): boolean => {
  if (isArray(sent))
    return (
      isArray(actual) &&
      actual.length === sent.length &&
      sent.every((item, index) => contains(actual[index], item))
    )
  if (!isObject(sent)) return sameJson(actual, sent)
  return (
    isObject(actual) && Object.entries(sent).every(([name, value]) => contains(fieldOf(actual, name), value))
  )
}

export const expectContains = (
  exchange: Exchange,
  actual: Json | undefined,
  sent: Json,
  strength: Strength = 'stated',
): void => {
  if (contains(actual, sent)) return
  throw new Violation({ ...contrast(actual, sent, { mayHaveMore: true, longest: 300 }), exchange, strength })
}

/** One of some values; which one, is a matter of time. */
export const expectOneOf = (
  { body, exchange }: SuccessfulResponse,
  name: string,
  values: readonly string[],
): void => {
  const value = fieldOf(body, name)
  expectThat(typeof value === 'string' && values.includes(value), {
    expected: `${name} ${values.join(' or ')}`,
    actual: inspect(value),
    exchange,
  })
}

/** The specification leaves it open whether this is taken, so that not taking it is no more than unusual. */
export const accepted = (exchange: Exchange, what: string): SuccessfulResponse => {
  if (exchange.response.status >= 400)
    throw new Lenience({ expected: `${what} to be taken`, actual: describeResponse(exchange), exchange })
  return successfulResponse(exchange)
}

/** The answer is a bare array, of objects. */
export const arrayOf = (exchange: Exchange): readonly Json[] => {
  const { body } = successfulResponse(exchange)
  expectThat(isArray(body) && body.every(isObject), {
    expected: 'an array of objects',
    actual: inspect(body),
    exchange,
  })
  return isArray(body) ? body : []
}

/** A value that the request's schema does not let through. */
export const refused = (exchange: Exchange, why: string): void =>
  expectRefusal(exchange, 'VALIDATION_ERROR', why)

type MachineId = keyof typeof states

/** How long something stays in a state of the sandbox before it moves on by itself, and a second more. */
export const secondsIn = (machine: MachineId, ...through: readonly string[]): number => {
  const transitions: readonly { from: string; trigger: string; afterSeconds?: number }[] =
    states[machine].transitions
  const stays = through.map(
    (state) => transitions.find((one) => one.from === state && one.trigger === 'time')?.afterSeconds ?? 0,
  )
  return stays.reduce((sum, stay) => sum + stay, 1)
}
