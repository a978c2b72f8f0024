/**
 * Members of shapes that are open, which may have any type whatever the usual one is: what does not have the usual one
 * counts as absent.
 */
export const numberIn = (member: unknown): number | undefined =>
  typeof member === 'number' && Number.isFinite(member) ? member : undefined

export const textIn = (member: unknown): string | undefined =>
  typeof member === 'string' ? member : undefined

/** The objects of a list; none of what is no list. */
export function objectsIn<T extends object>(member: readonly T[] | undefined): readonly T[] {
  if (!Array.isArray(member)) return []
  return member.every(isObject) ? member : member.filter(isObject)
}

const isObject = (member: unknown): boolean => typeof member === 'object' && member !== null
