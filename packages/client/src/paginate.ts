import { itemsPerPage } from '#tables/constants'
import { ClientError } from './errors.ts'
import type { Arguments } from './request.ts'
import { readNumbers } from './settings.ts'

/** One page as every paged operation answers it. */
export interface Page {
  readonly links?: readonly { readonly href?: string; readonly rel?: string }[]
  readonly results?: readonly unknown[]
}

interface PageOutcome {
  readonly data: unknown
  readonly url: string
}

export interface PageSource {
  readonly operationId: string
  /** Asks for one page, and tells the URL that it came from. */
  readonly read: (args: Arguments) => Promise<PageOutcome>
}

/**
 * The pages from `pageNum` on. A `next` link is followed where it stays on the same path of the same origin;
 * behind a proxy it does not, and then pages are counted. Neither `totalCount` nor a missing link on the
 * first page is taken for the end: an empty page is, and where pages are counted a short one without a link.
 */
export async function* readPages(source: PageSource, args: Arguments): AsyncGenerator<Page, void, undefined> {
  let number = Number(args.pageNum ?? 1)
  let query: Arguments = args
  const seen = new Set<string>()
  let previous = ''
  const stuck = (page: number): Error => new Error(`${source.operationId}: page ${page} was read before`)
  for (;;) {
    const { data, url } = await source.read(query).catch((error: unknown) => {
      throw error instanceof ClientError ? error.onPage(number) : error
    })
    const page = data as Page
    const results = page.results ?? []
    if (results.length === 0) return
    const printed = JSON.stringify(results, printable)
    // A server that takes no heed of the page number would be read for ever.
    if (printed === previous) throw stuck(number)
    previous = printed
    yield page
    const next = findNext(page, url)
    if (next?.href.startsWith(`${url.split('?')[0]}?`)) {
      if (seen.has(next.search)) throw stuck(number + 1)
      seen.add(next.search)
      query = { ...args, ...Object.fromEntries(next.searchParams) }
    } else {
      const size = Number(args.itemsPerPage ?? itemsPerPage)
      // Where links were followed, one that is missing is the end.
      if (!next && (seen.size || results.length < size)) return
      query = { ...args, pageNum: number + 1 }
    }
    number++
  }
}

/** The items of all pages. */
export async function* readItems(
  source: PageSource,
  args: Arguments,
): AsyncGenerator<unknown, void, undefined> {
  for await (const page of readPages(source, args)) yield* page.results ?? []
}

/**
 * The items of all pages in one array, at most `limit` of them.
 *
 * @throws TypeError for a limit that is no number from 0 on.
 */
export async function readArray(
  source: PageSource,
  args: Arguments,
  options?: { readonly limit?: number | undefined },
): Promise<unknown[]> {
  const { limit } = readNumbers(options, { limit: Infinity })
  const items: unknown[] = []
  // Nothing is asked for where nothing is wanted.
  for await (const item of limit > 0 ? readItems(source, args) : []) {
    if (items.push(item) >= limit) break
  }
  return items
}

/** JSON has no word for a `bigint`, which a parser of the caller may have made. */
function printable(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

function findNext({ links }: Page, url: string): URL | undefined {
  const href = links?.find(({ rel }) => rel === 'next')?.href
  return href && URL.canParse(href, url) ? new URL(href, url) : undefined
}
