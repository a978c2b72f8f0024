import { limits } from '@svc-admin/types'
import { isArray, type Json, valueAt } from '../document/json.ts'
import type { Mutation } from '../document/mutations.ts'

const keywords = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum'] as const

/** The bounds of the limits of one strength, such as `maxLength 256`. */
const boundsOf = (strength: string): Set<string> =>
  new Set(
    Object.values(limits)
      .filter((limit) => limit.strength === strength)
      .flatMap((limit) =>
        Object.entries(limit)
          .filter(([name, value]) => keywords.some((one) => one === name) && typeof value === 'number')
          .map(([name, value]) => `${name} ${value}`),
      ),
  )

const stated = boundsOf('stated')
const decided = boundsOf('decided')

const sizeOf = (value: Json | undefined): number | undefined => {
  if (typeof value === 'number') return value
  if (typeof value === 'string') return [...value].length
  return isArray(value) ? value.length : undefined
}

/**
 * Whether a body is beyond a bound that the specification left open and somebody decided. A document has the number
 * and not whence it came; one that a stated limit has too is taken for stated.
 */
export const isBeyondDecidedBound = ({ label, at, body }: Mutation): boolean => {
  const [, keyword, sign] = /\b(m(?:in|ax)\w*)([+-])1$/.exec(label) ?? []
  const size = sizeOf(valueAt(body, at))
  if (keyword === undefined || size === undefined) return false
  const bound = `${keyword} ${sign === '+' ? size - 1 : size + 1}`
  return decided.has(bound) && !stated.has(bound)
}
