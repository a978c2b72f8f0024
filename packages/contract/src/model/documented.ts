import { loadDocument } from '@svc-admin/spec'
import { versions } from '@svc-admin/types'
import { isArray, isObject, type Json } from '../document/json.ts'

const namesIn = (value: unknown, names: Set<string>): void => {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) names.add(name)
    namesIn(inner, names)
  }
}

let known: ReadonlySet<string> | undefined

/** Returns all names in all documents, including the names in examples. */
const knownNames = (): ReadonlySet<string> => {
  if (known !== undefined) return known
  const names = new Set<string>()
  for (const { id } of versions) namesIn(loadDocument(id), names)
  known = names
  return names
}

/**
 * Returns a copy without fields whose names occur nowhere in the documents. Servers may add such fields to any object,
 * and their values may differ in each response.
 */
export const documentedOnly = (value: Json): Json => {
  if (isArray(value)) return value.map(documentedOnly)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      knownNames().has(name) ? [[name, documentedOnly(inner)]] : [],
    ),
  )
}
