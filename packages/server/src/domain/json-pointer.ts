import { limits } from '@svc-admin/types'

/** Encodes a field name or array index as a JSON Pointer segment with a leading slash (RFC 6901 §3). */
export const pointerPart = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

/**
 * Returns the JSON Pointer to the first value that passes a test, which can be the given value itself. The
 * test also receives each value's field name or array index.
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

/**
 * Returns a pointer that is short enough for a response. If the pointer is too long, returns the pointer to
 * its nearest short enough ancestor, because a truncated pointer would be invalid.
 */
export function truncatedPointer(pointer: string, longest: number = limits.text.maxLength): string {
  let truncated = pointer
  while (truncated.length > longest) truncated = truncated.slice(0, truncated.lastIndexOf('/'))
  return truncated
}
