import type { SchemaLocation } from './document.ts'
import { isArray, isObject, type Json, withValue } from './json.ts'
import type { Validator } from './validator.ts'

/** A value that isn't an object or array, and its path in the body. */
interface Leaf {
  readonly path: readonly string[]
  readonly value: Json
}

const leavesOf = (value: Json, path: readonly string[] = []): Leaf[] => {
  if (isArray(value) || isObject(value))
    return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]))
  return [{ path, value }]
}

const othersOf = (value: Json): Json[] => {
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return [value + 1, value - 1]
  return typeof value === 'string' ? [`${value}2`] : []
}

/**
 * Returns valid bodies that each differ from a valid body in one boolean, number or string. Flags come first, because
 * servers are least likely to reject them.
 */
export const changedBodies = (validator: Validator, { pointer }: SchemaLocation, body: Json): Json[] => {
  const leaves = leavesOf(body)
  const isFlag = ({ value }: Leaf): boolean => typeof value === 'boolean'
  return [...leaves.filter(isFlag), ...leaves.filter((leaf) => !isFlag(leaf))]
    .flatMap(({ path, value }) => othersOf(value).map((other) => withValue(body, path, other)))
    .filter((changed) => validator.check(pointer, changed).length === 0)
}
