import { defaultOf } from './default.ts'
import type { Schema } from './model.ts'

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 })

/** Formats a number with its unit, such as `1 item` or `20,000 items`. */
export function counted(count: number, unit: string): string {
  return unit === '' ? number.format(count) : `${number.format(count)} ${unit}${count === 1 ? '' : 's'}`
}

/** Describes a lower and an upper limit in words. Returns `undefined` if there is no limit. */
export function rangeText(low: number | undefined, high: number | undefined, unit = ''): string | undefined {
  if (low !== undefined && low === high) return `exactly ${counted(low, unit)}`
  if (low !== undefined && high !== undefined) return `${number.format(low)} to ${counted(high, unit)}`
  if (low !== undefined) return `at least ${counted(low, unit)}`
  return high === undefined ? undefined : `at most ${counted(high, unit)}`
}

/** Returns whether a limit comes only from the integer format. Descriptions don't mention these limits. */
const isWidest = (bound: number): boolean =>
  bound === 2147483647 || bound === Number.MAX_SAFE_INTEGER || bound >= 2 ** 63

/**
 * Describes the limits of a number in words. Returns `undefined` if the number has no limits, or only the limits of its
 * format.
 */
export function numberBounds({ minimum, maximum }: Schema): string | undefined {
  const low = typeof minimum === 'number' && !isWidest(-minimum - 1) ? minimum : undefined
  const high = typeof maximum === 'number' && !isWidest(maximum) ? maximum : undefined
  return rangeText(low, high)
}

/**
 * Returns a sentence with a number's limits and default value, because TypeScript types can't express them.
 *
 * @example
 * console.log(boundsSentence({ type: 'integer', minimum: 1, maximum: 500, default: 100 })) // 1 to 500, default 100.
 */
export function boundsSentence(schema: Schema): string | undefined {
  const otherwise = defaultOf(schema)
  const shown = typeof otherwise === 'number' ? counted(otherwise, '') : JSON.stringify(otherwise)
  const parts = [numberBounds(schema), shown && `default ${shown}`]
  const text = parts.filter((part) => part !== undefined).join(', ')
  return text === '' ? undefined : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
