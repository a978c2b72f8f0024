import { inspect, type Json } from '../document/json.ts'
import { anotherValue } from '../model/difference.ts'
import type { Breach } from '../model/signals.ts'

/** The maximum length of a value in a headline. The expected and actual texts in a finding can be longer. */
const longest = 40

/** A field's wrong value, the response that contains it, and the reason why another value is expected. */
export interface WrongValue {
  /** `response`, or the name of the operation that returned the value. */
  readonly origin: string
  readonly actual: Json | undefined
  readonly expected: Json | undefined
  /**
   * Why the value is expected: the request sent it, an earlier response has it, or the request didn't send the field.
   */
  readonly because: 'sent' | 'not sent' | { readonly earlier: string }
}

const reasonFor = ({ expected, because }: WrongValue): string => {
  const value = inspect(expected, longest)
  if (because === 'sent') return `but the request sent ${value}`
  if (because === 'not sent') return `but should be ${value} because the request didn't send the field`
  return expected === undefined ? `but not in ${because.earlier}` : `but ${value} in ${because.earlier}`
}

const isOrMissing = ({ origin, actual, expected, because }: WrongValue): string => {
  const place = origin === 'response' ? 'the response' : origin
  if (actual === undefined) return `is missing from ${place}`
  const isOnly = expected === undefined && typeof because === 'object'
  return isOnly ? `is in ${place}` : `is ${inspect(actual, longest)} in ${place}`
}

/**
 * Returns a headline for fields with wrong values, and a difference that is the same for all breaches with this cause.
 * The headline shows the values of the first field.
 */
export const fieldHeadline = (
  [name = '', ...others]: readonly string[],
  wrong: WrongValue,
): Pick<Breach, 'headline' | 'difference'> => {
  const also = others.length === 0 ? '' : ` (also wrong: ${others.join(', ')})`
  return {
    headline: `\`${name}\` ${isOrMissing(wrong)}, ${reasonFor(wrong)}${also}`,
    difference: anotherValue(name),
  }
}
