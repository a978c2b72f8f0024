import type { SqliteFile, Values } from './sqlite-driver.ts'

/** Where a page begins: after the row of a key, so many rows further on. */
export interface PageStart {
  readonly after: Values
  readonly offset: number
}

/** Finds where deep pages of a list begin. */
export interface Anchors {
  /** Undefined for a page near the beginning. Asked within a transaction that the page is read in as well. */
  startOf(values: Values): PageStart | undefined
}

/** How many lists have anchors at once: those of a list of a million rows take a hundred kilobytes. */
const listLimit = 20

const page =
  /^select "id", "document" from "(\w+)" where (.*) order by "created_at", "id" limit \? offset \?$/

/**
 * The statement of a page that reads on after a key; the key comes before limit and offset.
 *
 * @returns undefined for a page of another order.
 */
export const statementAfterKey = (sql: string): string | undefined =>
  page.test(sql) ? sql.replace(' order by ', ' and ("created_at", "id") > (?, ?) order by ') : undefined

/**
 * Remembers every so many keys of a list, so that a deep page need not walk all the entries of the index before it. They
 * are good until a row comes or goes before them, which triggers count (`row_counts.moved`): rows that come at the end,
 * as new ones do, move none.
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
