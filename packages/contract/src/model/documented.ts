import { loadDocument } from '@svc-admin/spec'
import { versions } from '@svc-admin/types'
import { isArray, isObject, type Json } from '../document/json.ts'

const collectNames = (value: unknown, found: Set<string>): void => {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) found.add(name)
    collectNames(inner, found)
  }
}

let names: ReadonlySet<string> | undefined

/** Returns all names in all documents, including the names in examples. */
const knownNames = (): ReadonlySet<string> => {
  if (names !== undefined) return names
  const found = new Set<string>()
  for (const { id } of versions) collectNames(loadDocument(id), found)
  names = found
  return found
}

/**
 * Returns a copy without fields whose names occur nowhere in the documents. Servers may add such fields to any object,
 * and their values may differ in each response. An object with only such fields stays unchanged, because it may be a
 * value that a client chose, such as a filter.
 */
export const documentedOnly = (value: Json): Json => {
  if (isArray(value)) return value.map(documentedOnly)
  if (!isObject(value)) return value
  const fields = Object.entries(value)
  const known = fields.filter(([name]) => knownNames().has(name))
  return Object.fromEntries(
    (known.length > 0 ? known : fields).map(([name, inner]) => [name, documentedOnly(inner)]),
  )
}
