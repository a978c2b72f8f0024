import { inspect, type Json } from '../document/json.ts'
import { anotherValue } from '../model/difference.ts'
import type { Breach } from '../model/signals.ts'

/** A headline has no space for longer values. The expected and actual texts show more of them. */
const longest = 40

/** A field's values, each with its origin, such as `sent` or an operation. */
export type Origins = readonly (readonly [origin: string, value: Json | undefined])[]

/** The headline of a breach in which fields have a wrong value, and the cause that it shares with other breaches. */
export const fieldHeadline = (
  [name = '', ...others]: readonly string[],
  origins: Origins,
): Pick<Breach, 'headline' | 'difference'> => {
  const values = origins.map(([origin, value]) => `${origin} ${inspect(value, longest)}`)
  const more = others.length === 0 ? '' : ` (and ${others.join(', ')})`
  return { headline: `\`${name}\`${more}: ${values.join(', ')}`, difference: anotherValue(name) }
}
