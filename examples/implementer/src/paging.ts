import type { Listed } from './operations.ts'
import type { Query } from './schemas.ts'

/** Returns one page of a list. `address` is the request URL, including the query string. */
export const pageOf = ({ items }: Listed, query: Query, address: URL): object => {
  const [size, number] = [Number(query.itemsPerPage), Number(query.pageNum)]
  const last = Math.max(1, Math.ceil(items.length / size))
  const link = (rel: string, page: number) => {
    const href = new URL(address)
    href.searchParams.set('pageNum', String(page))
    href.searchParams.set('itemsPerPage', String(size))
    return { href: href.href, rel }
  }
  const start = (number - 1) * size
  return {
    links: [
      link('self', number),
      ...(number > 1 && number - 1 <= last ? [link('previous', number - 1)] : []),
      ...(number < last ? [link('next', number + 1)] : []),
    ],
    results: items.slice(start, start + size),
    ...(query.includeCount === true && { totalCount: items.length }),
  }
}
