import { itemsPerPage } from '#tables/constants'
import { ClientError } from './errors.ts'
import type { Arguments } from './request.ts'

/** One page as every paged operation answers it. */
export interface Page {
  readonly links?: readonly { readonly href?: string; readonly rel?: string }[]
  readonly results?: readonly unknown[]
}

export interface PageSource {
  readonly operationId: string
  /** Asks for one page, and tells the URL that it came from. */
  readonly read: (args: Arguments) => Promise<{ readonly page: Page; readonly url: string }>
}

/**
 * The pages from `pageNum` on. A `next` link is followed where it stays on the same path of the same origin;
 * behind a proxy it does not, and then pages are counted. Neither `totalCount` nor a missing link on the
 * first page is taken for the end: an empty page is, and where pages are counted a short one.
 */
export async function* readPages(source: PageSource, args: Arguments): AsyncGenerator<Page, void, undefined> {
  let number = Number(args.pageNum ?? 1)
  let query: Arguments = args
  let linked = false
  const seen = new Set<string>()
  let previous = ''
  for (;;) {
    const { page, url } = await readPage(source, query, number)
    const results = page.results ?? []
    if (results.length === 0) return
    const printed = JSON.stringify(results)
    // A server that takes no heed of the page number would be read for ever.
    if (printed === previous) throw stuck(source, number)
    previous = printed
    yield page
    const next = findNext(page, url)
    if (next) {
      if (seen.has(next.search)) throw stuck(source, number + 1)
      seen.add(next.search)
      linked = true
      query = { ...args, ...Object.fromEntries(next.searchParams) }
    } else {
      const size = Number(args.itemsPerPage ?? itemsPerPage)
      if (linked || results.length < size) return
      query = { ...args, pageNum: number + 1 }
    }
    number += 1
  }
}

/** The items of all pages. */
export async function* readItems(
  source: PageSource,
  args: Arguments,
): AsyncGenerator<unknown, void, undefined> {
  for await (const page of readPages(source, args)) yield* page.results ?? []
}

/** The items of all pages in one array, at most `limit` of them. */
export async function readArray(source: PageSource, args: Arguments, limit = Infinity): Promise<unknown[]> {
  const items: unknown[] = []
  if (limit <= 0) return items
  for await (const item of readItems(source, args)) {
    items.push(item)
    if (items.length >= limit) break
  }
  return items
}

async function readPage(
  source: PageSource,
  args: Arguments,
  number: number,
): Promise<{ page: Page; url: string }> {
  try {
    return await source.read(args)
  } catch (error) {
    if (error instanceof ClientError) error.onPage(number)
    throw error
  }
}

function findNext({ links }: Page, url: string): URL | undefined {
  const href = links?.find(({ rel }) => rel === 'next')?.href
  if (!href) return undefined
  const here = new URL(url)
  const next = new URL(href, here)
  return next.origin === here.origin && next.pathname === here.pathname ? next : undefined
}

function stuck({ operationId }: PageSource, number: number): Error {
  return new Error(`${operationId}: page ${number} was read before`)
}
