/** The text of a link, around the identifier of what it leads to. */
export interface LinkText {
  readonly before: string
  readonly after: string
}

/** A page of stored documents as it is sent: each with a link to where it is found, and a comma between two. */
export interface PageText {
  readonly rows: number
  readonly text: Buffer
  /** Bytes of the last row. */
  readonly last: number
}

/** A page of a list by creation, with the moment at which the last of its rows was created. */
export interface DatedPageText extends PageText {
  readonly newest: number
}

const [opening, closing] = ['"links":[{"href":"', '","rel":"self"}]}'] as const

/** Adds `links` to the text of an object. */
export function withLink(document: string, href: string): string {
  const comma = document.length > 2 ? ',' : ''
  return `${document.slice(0, -1)}${comma}${opening}${href}${closing}`
}

/** The page of rows that were read one by one. */
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

/** The page without its last row, of which it has several. */
export function withoutLastRow({ rows, text, last }: PageText): Pick<PageText, 'rows' | 'text'> {
  return { rows: rows - 1, text: text.subarray(0, text.length - last - 1) }
}

/**
 * A statement that has SQLite write the page of a statement that reads `id` and `document`; the texts of the link come
 * before its other values. To join within SQLite takes less than half of what the rows cost one by one.
 */
export function joinedInSqlite(sql: string): string {
  // As a blob, since a text is searched for its end, a character at a time.
  const open = 'substr(cast(document as blob), 1, octet_length(document) - 1)'
  const joined = `cast(group_concat(${open} || ? || id || ?, ',') as blob)`
  const sizes = `group_concat(octet_length(document) + octet_length(id))`
  // The limit within keeps the order (SQLite, "The ORDER BY clause of a subquery is omitted if …", (1)).
  return `select count(*), ${joined}, ${sizes}, max(created_at) from (${sql.replace(/^select /, 'select "created_at", ')})`
}

/** The values that `joinedInSqlite` puts before the others. No stored document is empty. */
export function linkValues({ before, after }: LinkText): [string, string] {
  return [`,${opening}${before}`, `${after}${closing}`]
}

/** The page that such a statement reads, given its values. */
export function pageTextFrom(row: readonly unknown[], [start, end]: readonly unknown[]): DatedPageText {
  const [rows, text, sizes, newest] = row
  if (!(text instanceof Uint8Array)) return { rows: 0, text: Buffer.alloc(0), last: 0, newest: 0 }
  const lastSize = Number(String(sizes).split(',').at(-1))
  // The link takes the place of the closing brace.
  const last = lastSize - 1 + Buffer.byteLength(`${start}${end}`)
  return { rows: Number(rows), text: bufferOver(text), last, newest: Number(newest) }
}

/** The same bytes, not a copy of them. */
const bufferOver = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
