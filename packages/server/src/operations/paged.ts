import { type LinkText, type PageText, withoutLastRow } from '../persistence/page-text.ts'
import type { Paging } from './operation.ts'
import type { ItemLinks, PageItem, PageResponse } from './response.ts'

/** How a list is read, a part at a time. */
export interface PageSource<T> {
  readonly page: (limit: number, offset: number) => Promise<readonly PageItem<T>[]>
  readonly count: () => Promise<number>
  /** The same page as it is sent, of a list whose items are shown as they are stored. */
  readonly text?: (limit: number, offset: number, link: LinkText) => Promise<PageText>
}

/**
 * Answers with the page that was asked for. One item more than it holds is read, to know whether another page
 * follows without counting all.
 */
export async function paged<T>(
  paging: Paging,
  itemLinks: ItemLinks,
  source: PageSource<T>,
): Promise<PageResponse<T>> {
  const { limit, offset, counted } = paging
  const total = counted && offset > 0 ? await source.count() : undefined
  // To find out that nothing comes after them would take a look at all of them.
  if (total !== undefined && total <= offset)
    return { kind: 'page', items: [], itemLinks, total, hasNext: false }
  const { rows, items } = await read(paging, itemLinks, source)
  const hasNext = rows > limit
  if (!counted) return { kind: 'page', items, itemLinks, total: undefined, hasNext }
  // The last page tells the total by itself.
  const known = hasNext || rows === 0 ? total : offset + rows
  return { kind: 'page', items, itemLinks, total: known ?? (await source.count()), hasNext }
}

/** How many there are, one more than the page holds at most, and those that it holds. */
async function read<T>({ limit, offset, linkTo }: Paging, itemLinks: ItemLinks, source: PageSource<T>) {
  const link = source.text && linkTo(itemLinks)
  if (source.text && link) {
    const text = await source.text(limit + 1, offset, link)
    return { rows: text.rows, items: text.rows > limit ? withoutLastRow(text) : text }
  }
  const items = await source.page(limit + 1, offset)
  return { rows: items.length, items: items.length > limit ? items.slice(0, limit) : items }
}
