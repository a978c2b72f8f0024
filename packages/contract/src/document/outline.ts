import type { Document } from './document.ts'
import { isArray, isObject, type Json, listAt, objectAt, stringAt, valueAt } from './json.ts'

/** Returns the strength of a schema. A strength next to a reference takes precedence over the target's strength. */
const strengthAt = (document: Document, pointer: string): string | undefined =>
  stringAt(valueAt(document.root, pointer), 'x-strength') ??
  stringAt(document.follow(pointer).value, 'x-strength')

/** Returns whether the specification doesn't show the fields of an object. */
const isOpen = (document: Document, pointer: string): boolean => {
  const place = document.follow(pointer)
  const kinds = ['anyOf', 'oneOf'].flatMap((keyword) =>
    listAt(place.value, keyword).map((_, index) => `${place.pointer}/${keyword}/${index}`),
  )
  return [pointer, ...kinds].some((one) => strengthAt(document, one) === 'open')
}

/**
 * Returns a copy of a value without the fields that the specification doesn't show, such as the fields of a
 * notification. Objects with such fields stay in the copy, so arrays have the same number of items.
 *
 * @param pointer The location of the value's schema.
 */
export const outlineOf = (document: Document, pointer: string, value: Json): Json => {
  const place = document.follow(pointer)
  if (isArray(value)) return value.map((item) => outlineOf(document, `${place.pointer}/items`, item))
  if (!isObject(value)) return value
  const open = isOpen(document, pointer)
  const shown = Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
    const at = `${place.pointer}/properties/${name}`
    if (!(name in objectAt(place.value, 'properties'))) return open ? [] : [[name, inner]]
    return open && strengthAt(document, at) !== 'stated' ? [] : [[name, outlineOf(document, at, inner)]]
  })
  return Object.fromEntries(shown)
}
