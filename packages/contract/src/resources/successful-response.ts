import { states } from '@svc-admin/types'
import { contrast } from '../document/contrast.ts'
import type { SchemaLocation } from '../document/document.ts'
import { inspect, isArray, isObject, type Json, type JsonObject, sameJson } from '../document/json.ts'
import { outlineOf } from '../document/outline.ts'
import { type Strength, weakest } from '../document/strength.ts'
import { parseTimestamp } from '../document/timestamp.ts'
import type { Exchange } from '../http/exchange.ts'
import { type Cell, successSchemaOf } from '../model/api.ts'
import { anotherValue } from '../model/difference.ts'
import { documentedOnly } from '../model/documented.ts'
import { bodyOf, describeResponse, expectRefusal, expectSuccess, expectThat } from '../model/expect.ts'
import { type Breach, Lenience, Violation } from '../model/signals.ts'

export interface SuccessfulResponse {
  readonly exchange: Exchange
  readonly body: Json
}

/** Expects a successful response, and returns it with its body. */
export const successfulResponse = (exchange: Exchange, what?: string): SuccessfulResponse => {
  expectSuccess(exchange, what)
  return { exchange, body: bodyOf(exchange) }
}

export const fieldOf = (value: Json | undefined, name: string): Json | undefined =>
  isObject(value) ? value[name] : undefined

/** Returns a copy of the object without the given fields. */
export const without = (value: Json | undefined, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(isObject(value) ? value : {}).filter(([name]) => !names.includes(name)))

/** Returns a copy of the object with only the given fields, because a response may contain additional fields. */
export const only = (value: Json | undefined, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(isObject(value) ? value : {}).filter(([name]) => names.includes(name)))

/** Expects two values to be the same, except for undocumented fields. */
export const expectSame = (
  exchange: Exchange,
  what: string,
  actual: Json | undefined,
  expected: Json | undefined,
  more: Pick<Breach, 'strength' | 'headline' | 'difference'> = {},
): void => {
  const [found, wanted] = [actual, expected].map((value) => value && documentedOnly(value))
  if (sameJson(found, wanted)) return
  const shown = contrast(found, wanted)
  throw new Violation({ ...shown, expected: `${what} ${shown.expected}`, exchange, ...more })
}

/**
 * Expects a field to have the given value or, if the value is `undefined`, to be absent.
 *
 * @param strength The strength of this expectation, if it is weaker than the requirement.
 */
export const expectField = (
  { body, exchange }: SuccessfulResponse,
  name: string,
  expected: Json | undefined,
  strength: Strength = 'stated',
): void => {
  const difference = anotherValue(name)
  expectSame(exchange, name, fieldOf(body, name), expected, { strength, difference })
}

/**
 * Expects a seeded resource to have the expected state. The specification names only some of the states, so the names
 * of all other states are our decision.
 */
export const expectState = (seen: SuccessfulResponse, machine: MachineId, expected: string): void => {
  const { field, shown = [] }: { field: string; shown?: readonly string[] } = states[machine]
  const actual = fieldOf(seen.body, field)
  const isOther = [expected, actual].every((state) => !shown.some((one) => one === state))
  expectField(seen, field, expected, isOther && typeof actual === 'string' ? 'decided' : 'stated')
}

/** Expects a field to contain the given time, in any format. */
export const expectTimestamp = (
  { body, exchange }: SuccessfulResponse,
  name: string,
  expected: string,
): void => {
  const actual = fieldOf(body, name)
  const right = typeof actual === 'string' && parseTimestamp(actual) === parseTimestamp(expected)
  expectThat(right, { expected: `${name} ${inspect(expected)}`, actual: inspect(actual), exchange })
}

/** Expects a field to have its default value. Including the field in responses is our decision. */
export const expectDefault = (seen: SuccessfulResponse, name: string, value: Json): void =>
  expectField(seen, name, value, fieldOf(seen.body, name) === undefined ? 'decided' : 'stated')

/**
 * Expects the response to contain these fields, with any value. Including these fields in responses is our decision.
 */
export const expectFields = ({ body, exchange }: SuccessfulResponse, ...names: readonly string[]): void => {
  const missing = names.filter((name) => fieldOf(body, name) === undefined)
  expectThat(missing.length === 0, {
    expected: `the ${names.length === 1 ? 'field' : 'fields'} ${names.join(', ')}`,
    actual: `a resource without ${missing.join(', ')}`,
    exchange,
    strength: 'decided',
  })
}

/** Expects a field to be a string that isn't empty. Including the field in responses is our decision. */
export const expectText = (seen: SuccessfulResponse, name: string): void => {
  expectFields(seen, name)
  const value = fieldOf(seen.body, name)
  expectThat(typeof value === 'string' && value !== '', {
    expected: `${name}, a string`,
    actual: inspect(value),
    exchange: seen.exchange,
  })
}

const isEmptyArray = (value: Json): boolean => isArray(value) && value.length === 0

/**
 * Returns whether the response contains every value that was sent. The response may also have other fields.
 *
 * @param mayOmit Whether the response may omit a field with this value.
 */
const contains = (actual: Json | undefined, sent: Json, mayOmit: (value: Json) => boolean): boolean => {
  if (isArray(sent))
    return (
      isArray(actual) &&
      actual.length === sent.length &&
      sent.every((item, index) => contains(actual[index], item, mayOmit))
    )
  if (!isObject(sent)) return sameJson(actual, sent)
  return (
    isObject(actual) &&
    Object.entries(sent).every(([name, value]) => {
      const found = fieldOf(actual, name)
      return (found === undefined && mayOmit(value)) || contains(found, value, mayOmit)
    })
  )
}

/** Expects a response to contain every value that was sent. Including empty arrays in responses is our decision. */
export const expectContains = (
  exchange: Exchange,
  actual: Json | undefined,
  sent: Json,
  more: Pick<Breach, 'strength' | 'headline' | 'difference'> = {},
): void => {
  if (contains(actual, sent, () => false)) return
  const strength = contains(actual, sent, isEmptyArray) ? weakest(more.strength, 'decided') : more.strength
  const shown = contrast(actual, sent, { mayHaveMore: true, longest: 300 })
  throw new Violation({ ...shown, exchange, ...more, ...(strength && { strength }) })
}

/**
 * Expects a resource to contain every value that was sent. Fields in shapes that the specification doesn't show are at
 * most our decision.
 *
 * @param place The schema of both values.
 */
export const expectStoredAs = (
  { document }: Cell['version'],
  place: SchemaLocation | undefined,
  { body, exchange }: SuccessfulResponse,
  sent: Json,
  more: Pick<Breach, 'headline' | 'difference'> = {},
): void => {
  const [shown, expected] = [body, sent].map((value) => outlineOf(document, place?.pointer ?? '', value))
  const isInner = contains(shown, expected ?? null, isEmptyArray)
  expectContains(exchange, body, sent, { ...more, strength: isInner ? 'decided' : 'stated' })
}

/** Expects a response to contain the seeded values. */
export const expectSeeded = (cell: Cell, seen: SuccessfulResponse, sent: Json): void =>
  expectStoredAs(cell.version, successSchemaOf(cell), seen, sent)

/** Expects an array to contain the given items in any order. Items with the same `key` are compared. */
export const expectItems = (
  exchange: Exchange,
  actual: Json | undefined,
  sent: readonly JsonObject[],
  key: string,
): void => {
  const place = (item: Json): number => {
    const found = sent.findIndex((one) => sameJson(one[key], fieldOf(item, key)))
    return found < 0 ? sent.length : found
  }
  const ordered = isArray(actual) ? [...actual].sort((one, other) => place(one) - place(other)) : actual
  expectContains(exchange, ordered, sent)
}

/** Expects a field to have one of several values. The value depends on timing. */
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

/**
 * Expects the target to accept a request. The specification doesn't require the target to accept the request,
 * so a rejection is only a warning.
 */
export const accepted = (exchange: Exchange, what: string): SuccessfulResponse => {
  if (exchange.response.status >= 400)
    throw new Lenience({ expected: `${what} to be accepted`, actual: describeResponse(exchange), exchange })
  return successfulResponse(exchange)
}

/** Expects an array of objects, and returns it. */
export const arrayOf = (exchange: Exchange): readonly Json[] => {
  const { body } = successfulResponse(exchange)
  expectThat(isArray(body) && body.every(isObject), {
    expected: 'an array of objects',
    actual: inspect(body),
    exchange,
  })
  return isArray(body) ? body : []
}

/** Expects the target to reject the request because a value is invalid. */
export const refused = (exchange: Exchange, why: string): void =>
  expectRefusal(exchange, 'VALIDATION_ERROR', why)

type MachineId = keyof typeof states

/** Returns the number of seconds that a sandbox resource stays in the given states, plus one. */
export const secondsIn = (machine: MachineId, ...through: readonly string[]): number => {
  const transitions: readonly { from: string; trigger: string; afterSeconds?: number }[] =
    states[machine].transitions
  const stays = through.map(
    (state) => transitions.find((one) => one.from === state && one.trigger === 'time')?.afterSeconds ?? 0,
  )
  return stays.reduce((sum, stay) => sum + stay, 1)
}
