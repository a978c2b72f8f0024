import { itemsPerPage } from '#tables/constants'
import type { Page } from '../paginate.ts'

/** Returns the requested page of a list, with the links that the server would add. */
export function pageOf(list: Page, url: URL): Page {
  const { results = [] } = list
  const number = countIn(url, 'pageNum', 1)
  const size = countIn(url, 'itemsPerPage', itemsPerPage)
  const self = { rel: 'self', href: url.href }
  if (number === 1 && results.length <= size) return list.links ? list : { ...list, links: [self] }
  const end = number * size
  const links = [
    self,
    ...(number > 1 ? [linkTo(url, 'previous', number - 1)] : []),
    ...(end < results.length ? [linkTo(url, 'next', number + 1)] : []),
  ]
  return { ...list, links, results: results.slice(end - size, end) }
}

function countIn({ searchParams }: URL, name: string, otherwise: number): number {
  const count = Number(searchParams.get(name))
  return Number.isInteger(count) && count > 0 ? count : otherwise
}

function linkTo(url: URL, rel: string, number: number): { rel: string; href: string } {
  const target = new URL(url)
  target.searchParams.set('pageNum', String(number))
  return { rel, href: target.href }
}
