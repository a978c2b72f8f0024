import { isArray, isObject, type Json, objectAt, sameJson, valueAt } from '../document/json.ts'
import { flatten } from '../document/probes.ts'
import type { Cell } from '../model/api.ts'
import { normalized, shownAs } from './resource-state.ts'
import { schemaOf } from './views.ts'

/** Returns the fields of a body that responses also contain. */
export const visibleIn = (cell: Cell, body: Json): Json => {
  const schema = schemaOf(cell)
  const { document } = cell.version
  const shown = schema === undefined ? {} : objectAt(flatten(document, document.follow(schema)), 'properties')
  return Object.fromEntries(
    Object.entries(isObject(body) ? body : {}).filter(([name]) => (shownAs[name] ?? name) in shown),
  )
}

const isIndex = (token: string): boolean => /^\d+$/.test(token)

/**
 * Returns the values at a location in a resource. The order of array items doesn't matter, so an index selects all
 * items.
 */
const valuesAt = (value: Json | undefined, [token, ...rest]: readonly string[]): readonly Json[] => {
  if (value === undefined) return []
  if (token === undefined) return [value]
  if (isArray(value) && isIndex(token)) return value.flatMap((item) => valuesAt(item, rest))
  return isObject(value) ? valuesAt(value[token], rest) : []
}

/** Returns whether a stored value contains everything that was sent, in any order. */
const hasAll = (stored: Json, sent: Json): boolean => {
  if (isArray(sent))
    return (
      isArray(stored) &&
      stored.length === sent.length &&
      // Most targets keep the order, and comparing all pairs takes long.
      sent.every(
        (item, index) => hasAll(stored[index] ?? null, item) || stored.some((one) => hasAll(one, item)),
      )
    )
  if (!isObject(sent)) return sameJson(stored, sent)
  return (
    isObject(stored) &&
    Object.entries(sent).every(([name, value]) => {
      const own = stored[name]
      return own === undefined || hasAll(own, value)
    })
  )
}

/** Returns the response's values at a location in the request. The location may have another name in responses. */
export const shownValues = (
  cell: Cell,
  body: Json,
  at: string,
  response: Json | undefined,
): readonly Json[] => {
  const [name = '', ...rest] = at.split('/').slice(1)
  const isVisible = valuesAt(visibleIn(cell, body), [name, ...rest]).length > 0
  return isVisible ? valuesAt(response, [shownAs[name] ?? name, ...rest]) : []
}

/**
 * Compares the value at a location in the request with the response. Returns the response's values if none of them
 * matches the sent value. Returns `undefined` if the value was stored, or if the response lacks the field.
 */
export const otherThanSent = (
  cell: Cell,
  body: Json,
  at: string,
  response: Json | undefined,
): readonly Json[] | undefined => {
  const sent = valueAt(body, at)
  const stored = shownValues(cell, body, at, response)
  if (sent === undefined || stored.length === 0) return undefined
  return stored.some((one) => hasAll(normalized(one), normalized(sent))) ? undefined : stored
}
