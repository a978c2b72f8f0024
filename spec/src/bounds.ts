import type { Schema } from './model.ts'

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 })

/** A number with its unit: `1 item`, `20,000 items`. */
export function counted(count: number, unit: string): string {
  return unit === '' ? number.format(count) : `${number.format(count)} ${unit}${count === 1 ? '' : 's'}`
}

/** Bounds in words; undefined where there are none. */
export function rangeText(low: number | undefined, high: number | undefined, unit = ''): string | undefined {
  if (low !== undefined && low === high) return `exactly ${counted(low, unit)}`
  if (low !== undefined && high !== undefined) return `${number.format(low)} to ${counted(high, unit)}`
  if (low !== undefined) return `at least ${counted(low, unit)}`
  return high === undefined ? undefined : `at most ${counted(high, unit)}`
}

/** The widest that the integer formats allow, or wider, is no bound that a reader has to know. */
const isWidest = (bound: number): boolean =>
  bound === 2147483647 || bound === Number.MAX_SAFE_INTEGER || bound >= 2 ** 63

/** The bounds of a number in words; undefined where there are none that a reader has to know. */
export function numberBounds({ minimum, maximum }: Schema): string | undefined {
  const low = typeof minimum === 'number' && !isWidest(-minimum - 1) ? minimum : undefined
  const high = typeof maximum === 'number' && !isWidest(maximum) ? maximum : undefined
  return rangeText(low, high)
}

/**
 * What a type does not tell whoever sends a value: the bounds of a number and the default, as a sentence.
 *
 * @example
 * console.log(boundsSentence({ type: 'integer', minimum: 1, maximum: 500, default: 100 })) // 1 to 500, default 100.
 */
export function boundsSentence(schema: Schema): string | undefined {
  const { default: otherwise } = schema
  const shown = typeof otherwise === 'number' ? counted(otherwise, '') : JSON.stringify(otherwise)
  const parts = [numberBounds(schema), shown && `default ${shown}`]
  const text = parts.filter((part) => part !== undefined).join(', ')
  return text === '' ? undefined : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
