import { isObject } from '../document/json.ts'
import type { Cell } from '../model/api.ts'
import { missingField } from '../model/difference.ts'
import { listedNamesOf } from '../model/listed-names.ts'
import type { JudgedExchange, Opinion } from './judge.ts'

/** Converts a name to lowercase and removes separators. */
const plain = (name: string): string => name.replace(/[-_]/g, '').toLowerCase()

const known = new WeakMap<Cell, ReadonlyMap<string, string>>()

/** The fields of a successful response that the specification source lists, keyed by their normalized names. */
const listedNames = (cell: Cell): ReadonlyMap<string, string> => {
  const before = known.get(cell)
  if (before !== undefined) return before
  const fields = new Map(listedNamesOf(cell).map((name) => [plain(name), name]))
  known.set(cell, fields)
  return fields
}

/** A field that differs from a listed field only in case or separators, such as `expires_at`, is the listed field. */
export const spelling = ({ cell, body }: JudgedExchange): Opinion => {
  if (!isObject(body)) return 'passed'
  const fields = listedNames(cell)
  for (const other of Object.keys(body)) {
    const name = fields.get(plain(other))
    if (name !== undefined && body[name] === undefined)
      return { expected: `the field ${name}`, actual: `the field ${other}`, difference: missingField(name) }
  }
  return 'passed'
}
