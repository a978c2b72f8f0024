import { inspect, type Json } from '../document/json.ts'
import { anotherValue } from '../model/difference.ts'
import type { Breach } from '../model/signals.ts'

/** The maximum length of a value in a headline. The expected and actual texts can show more. */
const longest = 40

/** The values of a field, each with its origin: `sent` or the name of an operation. */
export type Origins = readonly (readonly [origin: string, value: Json | undefined])[]

/** Returns a headline for fields with wrong values, and a difference that breaches with the same cause share. */
export const fieldHeadline = (
  [name = '', ...others]: readonly string[],
  origins: Origins,
): Pick<Breach, 'headline' | 'difference'> => {
  const values = origins.map(([origin, value]) => `${origin} ${inspect(value, longest)}`)
  const more = others.length === 0 ? '' : ` (and ${others.join(', ')})`
  return { headline: `\`${name}\`${more}: ${values.join(', ')}`, difference: anotherValue(name) }
}
