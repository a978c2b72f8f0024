import { type LinkText, type PageText, withoutLastRow } from '../persistence/page-text.ts'
import type { Paging } from './operation.ts'
import type { ItemLinks, PageItem, PageResponse } from './response.ts'

/** A list with pages. */
export interface PageSource<T> {
  readonly page: (limit: number, offset: number) => Promise<readonly PageItem<T>[]>
  readonly count: () => Promise<number>
  /**
   * Returns a page as serialized text. This method exists only if the items in the list are returned exactly as stored.
   */
  readonly text?: (limit: number, offset: number, link: LinkText) => Promise<PageText>
}

/**
 * Builds the response for the requested page. Reads one additional item to determine whether there is a next page,
 * because counting all items would be slower.
 */
export async function paged<T>(
  paging: Paging,
  itemLinks: ItemLinks,
  source: PageSource<T>,
): Promise<PageResponse<T>> {
  const { limit, offset, counted } = paging
  const total = counted && offset > 0 ? await source.count() : undefined
  // The page starts after the last item, so skip the query. It would read the whole list.
  if (total !== undefined && total <= offset)
    return { kind: 'page', items: [], itemLinks, total, hasNext: false }
  const { rows, items } = await read(paging, itemLinks, source)
  const hasNext = rows > limit
  if (!counted) return { kind: 'page', items, itemLinks, total: undefined, hasNext }
  // On the last page, the total is the offset plus the number of items that were read.
  const known = hasNext || rows === 0 ? total : offset + rows
  return { kind: 'page', items, itemLinks, total: known ?? (await source.count()), hasNext }
}

/**
 * Returns the items on the page and the number of items that were read, which may include one item from the next page.
 */
async function read<T>({ limit, offset, linkTo }: Paging, itemLinks: ItemLinks, source: PageSource<T>) {
  const link = source.text && linkTo(itemLinks)
  if (source.text && link) {
    const text = await source.text(limit + 1, offset, link)
    return { rows: text.rows, items: text.rows > limit ? withoutLastRow(text) : text }
  }
  const items = await source.page(limit + 1, offset)
  return { rows: items.length, items: items.length > limit ? items.slice(0, limit) : items }
}
