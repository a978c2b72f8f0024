import type { SqliteFile, Values } from './sqlite-driver.ts'

/** The start of a page, which consists of a key and the number of rows to skip after it. */
export interface PageStart {
  readonly after: Values
  readonly offset: number
}

/** Finds the start of pages deep in a list. */
export interface Anchors {
  /**
   * Returns the start of a page, or undefined if the page is near the beginning of the list. Call this method in the
   * transaction that reads the page.
   */
  startOf(values: Values): PageStart | undefined
}

/** The maximum number of lists with anchors. The anchors for a list of a million rows take up 100 kB. */
const listLimit = 20

const page =
  /^select "id", "document" from "(\w+)" where (.*) order by "created_at", "id" limit \? offset \?$/

/**
 * Changes a statement that reads a page to make the page start after a given key. The values of the key are bound
 * before the limit and the offset.
 *
 * @returns undefined if the statement sorts the page in a different order.
 */
export const statementAfterKey = (sql: string): string | undefined =>
  page.test(sql) ? sql.replace(' order by ', ' and ("created_at", "id") > (?, ?) order by ') : undefined

/**
 * Stores a list's keys at regular intervals, because SQLite would otherwise step through all earlier index entries to
 * read a page deep in the list. An anchor remains valid until a row is inserted or deleted before it. Triggers count
 * these changes in `row_counts.moved`. Rows that are added at the end of the list aren't counted.
 */
export function createAnchors(file: SqliteFile, sql: string, stride: number): Anchors {
  const [, table = '', where = ''] = page.exec(sql) ?? []
  const list = [table, ...where.matchAll(/"(\w+)" = \?/g)]
    .map((part) => (Array.isArray(part) ? part[1] : part))
    .join(' ')
  const first = `select created_at, id from ${table} where ${where} order by created_at, id limit 1 offset ${stride - 1}`
  const beginning = file.prepareRow(first)
  const next = file.prepareRow(first.replace(' order by ', ' and (created_at, id) > (?, ?) order by '))
  const moved = file.prepareRow(`select moved from row_counts where list = ? and owner = ?`)
  const known = new Map<string, { readonly moved: unknown; readonly keys: Values[] }>()
  const keysOf = (owner: Values): Values[] | undefined => {
    const name = owner.join(' ')
    const now = moved([list, name])?.[0]
    if (now === undefined) return undefined
    const before = known.get(name)
    if (before?.moved === now) return before.keys
    if (known.size >= listLimit) known.clear()
    const keys: Values[] = []
    known.set(name, { moved: now, keys })
    return keys
  }
  return {
    startOf: (values) => {
      const owner = values.slice(0, -2)
      const offset = Number(values.at(-1))
      const wanted = Math.floor(offset / stride)
      const keys = wanted > 0 ? keysOf(owner) : undefined
      if (!keys) return undefined
      while (keys.length < wanted) {
        const last = keys.at(-1)
        const key = last ? next([...owner, ...last]) : beginning(owner)
        if (!key) break
        keys.push(key)
      }
      const at = Math.min(wanted, keys.length)
      const after = keys[at - 1]
      return after && { after, offset: offset - at * stride }
    },
  }
}
