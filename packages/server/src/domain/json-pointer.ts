import { limits } from '@svc-admin/types'

/** A member's name or an element's index as a part of a JSON Pointer (RFC 6901 §3), with the slash before it. */
export const pointerPart = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

/**
 * JSON Pointer to the first value within a value that something holds of, itself included; the test is given the name
 * that the value has where it stands.
 */
export function pointerTo(
  value: unknown,
  holds: (one: unknown, name: string) => boolean,
  name = '',
): string | undefined {
  if (holds(value, name)) return ''
  if (typeof value !== 'object' || value === null) return undefined
  for (const [field, one] of Object.entries(value)) {
    const within = pointerTo(one, holds, field)
    if (within !== undefined) return pointerPart(field) + within
  }
  return undefined
}

/** A pointer as it is told: one that is too long leads to what is around, since a part of it would lead nowhere. */
export function truncatedPointer(pointer: string, longest: number = limits.text.maxLength): string {
  let truncated = pointer
  while (truncated.length > longest) truncated = truncated.slice(0, truncated.lastIndexOf('/'))
  return truncated
}
