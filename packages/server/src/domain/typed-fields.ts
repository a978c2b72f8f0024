/**
 * Members of shapes that are open, which may have any type whatever the usual one is: what does not have the usual one
 * counts as absent.
 */
export const numberIn = (field: unknown): number | undefined =>
  typeof field === 'number' && Number.isFinite(field) ? field : undefined

export const textIn = (field: unknown): string | undefined => (typeof field === 'string' ? field : undefined)

/** The objects of a list; none of what is no list. */
export function objectsIn<T extends object>(field: readonly T[] | undefined): readonly T[] {
  if (!Array.isArray(field)) return []
  return field.every(isObject) ? field : field.filter(isObject)
}

const isObject = (field: unknown): boolean => typeof field === 'object' && field !== null
