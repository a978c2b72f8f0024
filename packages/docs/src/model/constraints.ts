import type { Schema } from '@svc-admin/spec'

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 })

/** The bounds of a value in words, as Markdown. */
export function constraintsOf(schema: Schema): string[] {
  return [
    range(schema.minLength, schema.maxLength, 'character'),
    range(schema.minItems, schema.maxItems, 'item'),
    bounds(schema),
    typeof schema.pattern === 'string' ? `pattern \`${schema.pattern}\`` : undefined,
    schema.uniqueItems === true ? 'no item twice' : undefined,
    schema.default === undefined ? undefined : `default \`${JSON.stringify(schema.default)}\``,
    schema.additionalProperties === false ? 'no other members' : undefined,
  ].filter((text) => text !== undefined)
}

function range(least: unknown, most: unknown, unit: string): string | undefined {
  const low = typeof least === 'number' && least > 0 ? least : undefined
  const high = typeof most === 'number' ? most : undefined
  const units = (count: number) => `${number.format(count)} ${unit}${count === 1 ? '' : 's'}`
  if (low !== undefined && low === high) return `exactly ${units(low)}`
  if (low !== undefined && high !== undefined) return `${number.format(low)} to ${units(high)}`
  if (low !== undefined) return `at least ${units(low)}`
  return high === undefined ? undefined : `at most ${units(high)}`
}

/** The widest that the integer formats allow is no bound that a reader has to know. */
const widest = new Set([2147483647, Number.MAX_SAFE_INTEGER, 2 ** 63])

function bounds({ minimum, maximum }: Schema): string | undefined {
  const low = typeof minimum === 'number' && !widest.has(-minimum - 1) ? minimum : undefined
  const high = typeof maximum === 'number' && !widest.has(maximum) ? maximum : undefined
  if (low !== undefined && high !== undefined) return `${number.format(low)} to ${number.format(high)}`
  if (low !== undefined) return `at least ${number.format(low)}`
  return high === undefined ? undefined : `at most ${number.format(high)}`
}
