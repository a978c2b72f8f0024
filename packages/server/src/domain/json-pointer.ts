import { limits } from '@svc-admin/types'

/** Encodes a field name or array index as a segment of a JSON Pointer, including the leading slash (RFC 6901 §3). */
export const pointerPart = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

/**
 * Returns a JSON Pointer to the first value that passes a test, which can be the given value itself. The test function
 * also receives the value's field name or array index.
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
 * Shortens a pointer that is too long for a response by removing whole segments from its end. A pointer that ends in
 * the middle of a segment would be invalid.
 */
export function truncatedPointer(pointer: string, longest: number = limits.text.maxLength): string {
  let truncated = pointer
  while (truncated.length > longest) truncated = truncated.slice(0, truncated.lastIndexOf('/'))
  return truncated
}
