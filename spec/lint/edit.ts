import { isNode, type JsonPath, pathOf as pathOfPointer, pointerOf, valueAt } from '../rules/read/json.ts'

/** An edit to a document, at a JSON Pointer. Tests use edits to create defective or changed documents. */
export interface Edit {
  set?: Record<string, unknown>
  /** Appends an item to an array. */
  push?: Record<string, unknown>
  drop?: string[]
  /** Renames a field without changing its position. */
  rename?: Record<string, string>
}

/**
 * Returns a copy of the document with the edit applied. `expand` can replace abbreviations in pointers.
 *
 * @throws Error if a pointer has no target, because the edit would then have no effect.
 */
export function edited(
  document: unknown,
  { set = {}, push = {}, drop = [], rename = {} }: Edit,
  expand = (pointer: string): string => pointer,
): unknown {
  const copy: unknown = structuredClone(document)
  const pathOf = (pointer: string): JsonPath => pathOfPointer(expand(pointer))
  for (const [pointer, value] of Object.entries(set)) assign(copy, pathOf(pointer), structuredClone(value))
  for (const [pointer, value] of Object.entries(push)) {
    const list = valueAt(copy, pathOf(pointer))
    if (!Array.isArray(list)) throw new Error(`${pointer} is not an array.`)
    list.push(structuredClone(value))
  }
  for (const pointer of drop) remove(copy, pathOf(pointer))
  for (const [pointer, key] of Object.entries(rename)) renameKey(copy, pathOf(pointer), key)
  return copy
}

function parentOf(document: unknown, path: JsonPath): Record<string, unknown> | unknown[] {
  const parent = valueAt(document, path.slice(0, -1))
  if (!isNode(parent) && !Array.isArray(parent)) throw new Error(`${pointerOf(path)} has no parent.`)
  return parent
}

function assign(document: unknown, path: JsonPath, value: unknown): void {
  const parent = parentOf(document, path)
  const key = String(path.at(-1))
  if (Array.isArray(parent)) parent[Number(key)] = value
  else parent[key] = value
}

function remove(document: unknown, path: JsonPath): void {
  const parent = parentOf(document, path)
  const key = String(path.at(-1))
  if (!Object.hasOwn(parent, key)) throw new Error(`Nothing found at ${pointerOf(path)}.`)
  if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else delete parent[key]
}

function renameKey(document: unknown, path: JsonPath, key: string): void {
  const parent = parentOf(document, path)
  const old = String(path.at(-1))
  if (Array.isArray(parent) || !Object.hasOwn(parent, old))
    throw new Error(`${pointerOf(path)} is not a field.`)
  const fields = Object.entries(parent)
  for (const [name] of fields) delete parent[name]
  for (const [name, value] of fields) parent[name === old ? key : name] = value
}
