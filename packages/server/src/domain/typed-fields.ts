/**
 * Returns a field's value if it is a number. The field's schema also allows other types, but values of these types are
 * treated as missing.
 */
export const numberIn = (field: unknown): number | undefined =>
  typeof field === 'number' && Number.isFinite(field) ? field : undefined

export const textIn = (field: unknown): string | undefined => (typeof field === 'string' ? field : undefined)

/** Returns the objects in a list, or an empty list if the field isn't an array. */
export function objectsIn<T extends object>(field: readonly T[] | undefined): readonly T[] {
  if (!Array.isArray(field)) return []
  return field.every(isObject) ? field : field.filter(isObject)
}

const isObject = (field: unknown): boolean => typeof field === 'object' && field !== null
