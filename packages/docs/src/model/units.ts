import { counted } from '@svc-admin/spec'

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 })

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Formats a duration in words, such as `5 days 1 minute`. */
export function durationText(seconds: number): string {
  let left = seconds
  const parts = units.flatMap(([unit, length]) => {
    const count = Math.floor(left / length)
    left -= count * length
    return count > 0 ? [counted(count, unit)] : []
  })
  return parts.join(' ') || counted(0, 'second')
}

/** Formats a size in the largest binary unit that results in an integer. */
export function sizeText(bytes: number): string {
  const unit = (['GiB', 'MiB', 'KiB'] as const).find((_, index) => bytes % 1024 ** (3 - index) === 0)
  const exact = counted(bytes, 'byte')
  if (!unit || bytes === 0) return exact
  return `${number.format(bytes / 1024 ** { GiB: 3, MiB: 2, KiB: 1 }[unit])} ${unit} (${exact})`
}
