/** The parts of a link before and after an item's ID. */
export interface LinkText {
  readonly before: string
  readonly after: string
}

/**
 * A page of stored documents as text for a response. Documents are separated by commas, and each document contains a
 * `self` link.
 */
export interface PageText {
  readonly rows: number
  readonly text: Buffer
  /** The size of the page's last row, in bytes. */
  readonly last: number
}

/** A page from a list that is sorted by creation time. `newest` is the creation time of the page's last row. */
export interface DatedPageText extends PageText {
  readonly newest: number
}

const [opening, closing] = ['"links":[{"href":"', '","rel":"self"}]}'] as const

/** Adds `links` to an object in serialized form. */
export function withLink(document: string, href: string): string {
  const comma = document.length > 2 ? ',' : ''
  return `${document.slice(0, -1)}${comma}${opening}${href}${closing}`
}

/** Builds a page from rows that were read individually. */
export function pageTextOf(rows: readonly unknown[], { before, after }: LinkText): PageText {
  const texts = rows.map((row) => {
    const { id, document } = Object(row)
    return withLink(String(document), before + encodeURIComponent(String(id)) + after)
  })
  return {
    rows: rows.length,
    text: Buffer.from(texts.join(',')),
    last: Buffer.byteLength(texts.at(-1) ?? ''),
  }
}

/** Returns a page without its last row. The page must have at least two rows. */
export function withoutLastRow({ rows, text, last }: PageText): Pick<PageText, 'rows' | 'text'> {
  return { rows: rows - 1, text: text.subarray(0, text.length - last - 1) }
}

/**
 * Wraps a statement that selects `id` and `document` so that SQLite concatenates the documents of a page. Concatenating
 * the documents in SQLite is more than twice as fast as reading the rows one by one. Bind the parts of the link before
 * the values of the statement itself.
 */
export function joinedInSqlite(sql: string): string {
  // Cast the document to a blob, because text functions would scan every character.
  const open = 'substr(cast(document as blob), 1, octet_length(document) - 1)'
  const joined = `cast(group_concat(${open} || ? || id || ?, ',') as blob)`
  const sizes = `group_concat(octet_length(document) + octet_length(id))`
  // The inner limit preserves the order (SQLite, "The ORDER BY clause of a subquery is omitted if …", (1)).
  return `select count(*), ${joined}, ${sizes}, max(created_at) from (${sql.replace(/^select /, 'select "created_at", ')})`
}

/**
 * Returns the values to bind first in statements from `joinedInSqlite`. A comma before `links` is always valid, because
 * stored documents are never empty objects.
 */
export function linkValues({ before, after }: LinkText): [string, string] {
  return [`,${opening}${before}`, `${after}${closing}`]
}

/**
 * Builds a page from the row that a statement from `joinedInSqlite` returned. The length of the link is calculated from
 * the values that were bound to the statement.
 */
export function pageTextFrom(row: readonly unknown[], [start, end]: readonly unknown[]): DatedPageText {
  const [rows, text, sizes, newest] = row
  if (!(text instanceof Uint8Array)) return { rows: 0, text: Buffer.alloc(0), last: 0, newest: 0 }
  const lastSize = Number(String(sizes).split(',').at(-1))
  // The link replaces the document's closing brace.
  const last = lastSize - 1 + Buffer.byteLength(`${start}${end}`)
  return { rows: Number(rows), text: bufferOver(text), last, newest: Number(newest) }
}

/** Creates a buffer that shares the array's memory instead of copying its bytes. */
const bufferOver = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
