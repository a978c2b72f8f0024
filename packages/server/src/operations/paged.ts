import type { ItemLinks, PageAnswer, PageItem } from './answer.ts'
import type { Paging } from './operation.ts'

/** How a list is read, a part at a time. */
export interface PageSource<T> {
  readonly page: (limit: number, offset: number) => Promise<readonly PageItem<T>[]>
  readonly count: () => Promise<number>
}

/**
 * Answers with the page that was asked for. One item more than it holds is read, to know whether another page
 * follows without counting all.
 */
export async function paged<T>(
  { limit, offset, counted }: Paging,
  itemLinks: ItemLinks,
  source: PageSource<T>,
): Promise<PageAnswer<T>> {
  const items = await source.page(limit + 1, offset)
  const hasNext = items.length > limit
  return {
    kind: 'page',
    items: hasNext ? items.slice(0, limit) : items,
    itemLinks,
    total: counted ? await totalOf(items.length, offset, hasNext, source) : undefined,
    hasNext,
  }
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
