import { type LinkText, type PageText, withoutLastRow } from '../persistence/page-text.ts'
import type { ItemLinks, PageAnswer, PageItem } from './answer.ts'
import type { Paging } from './operation.ts'

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
): Promise<PageAnswer<T>> {
  const { limit, offset, counted } = paging
  const { rows, items } = await read(paging, itemLinks, source)
  const hasNext = rows > limit
  return {
    kind: 'page',
    items,
    itemLinks,
    total: counted ? await totalOf(rows, offset, hasNext, source) : undefined,
    hasNext,
  }
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

/** The last page tells the total by itself. */
function totalOf<T>(
  found: number,
  offset: number,
  hasNext: boolean,
  source: PageSource<T>,
): Promise<number> | number {
  return !hasNext && (found > 0 || offset === 0) ? offset + found : source.count()
}
