const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 })

const counted = (count: number, unit: string): string =>
  unit === '' ? number.format(count) : `${number.format(count)} ${unit}${count === 1 ? '' : 's'}`

/** Bounds in words; undefined where there are none. */
export function rangeText(low: number | undefined, high: number | undefined, unit = ''): string | undefined {
  if (low !== undefined && low === high) return `exactly ${counted(low, unit)}`
  if (low !== undefined && high !== undefined) return `${number.format(low)} to ${counted(high, unit)}`
  if (low !== undefined) return `at least ${counted(low, unit)}`
  return high === undefined ? undefined : `at most ${counted(high, unit)}`
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Seconds as people count them: `5 days 1 minute`. */
export function durationText(seconds: number): string {
  let left = seconds
  const parts = units.flatMap(([unit, length]) => {
    const count = Math.floor(left / length)
    left -= count * length
    return count > 0 ? [counted(count, unit)] : []
  })
  return parts.join(' ') || counted(0, 'second')
}

/** Bytes, in the largest binary unit that they are a whole number of. */
export function sizeText(bytes: number): string {
  const unit = (['GiB', 'MiB', 'KiB'] as const).find((_, index) => bytes % 1024 ** (3 - index) === 0)
  const exact = counted(bytes, 'byte')
  if (!unit || bytes === 0) return exact
  return `${number.format(bytes / 1024 ** { GiB: 3, MiB: 2, KiB: 1 }[unit])} ${unit} (${exact})`
}
