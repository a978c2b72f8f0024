import { itemsPerPage } from '#tables/constants'
import { ClientError } from './errors.ts'
import type { Arguments } from './request.ts'
import { readNumbers } from './settings.ts'

/** One page, as every paginated operation returns it. */
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
  /** Requests one page, and returns its URL too. */
  readonly read: (args: Arguments) => Promise<PageOutcome>
}

/**
 * Reads pages, starting at `pageNum`. Follows a `next` link if it has the same origin and path; otherwise,
 * for example behind a proxy, increments `pageNum`. Reading ends at an empty page or, if pages are counted,
 * at a short page without a link. `totalCount` and a missing link on the first page don't end it.
 */
export async function* readPages(source: PageSource, args: Arguments): AsyncGenerator<Page, void, undefined> {
  let number = Number(args.pageNum ?? 1)
  let query: Arguments = args
  const seen = new Set<string>()
  let previous = ''
  const repeatedPage = (page: number): Error =>
    new Error(`${source.operationId}: page ${page} was read before`)
  for (;;) {
    const { data, url } = await source.read(query).catch((error: unknown) => {
      throw error instanceof ClientError ? error.onPage(number) : error
    })
    const page = data as Page
    const results = page.results ?? []
    if (results.length === 0) return
    const printed = JSON.stringify(results, printable)
    // Otherwise a server that ignores the page number would be read indefinitely.
    if (printed === previous) throw repeatedPage(number)
    previous = printed
    yield page
    const next = findNext(page, url)
    if (next?.href.startsWith(`${url.split('?')[0]}?`)) {
      if (seen.has(next.search)) throw repeatedPage(number + 1)
      seen.add(next.search)
      query = { ...args, ...Object.fromEntries(next.searchParams) }
    } else {
      const size = Number(args.itemsPerPage ?? itemsPerPage)
      // If links were followed, a missing link is the end.
      if (!next && (seen.size || results.length < size)) return
      query = { ...args, pageNum: number + 1 }
    }
    number++
  }
}

/** Reads the items of all pages. */
export async function* readItems(
  source: PageSource,
  args: Arguments,
): AsyncGenerator<unknown, void, undefined> {
  for await (const page of readPages(source, args)) yield* page.results ?? []
}

/**
 * Reads the items of all pages into an array, at most `limit` of them.
 *
 * @throws TypeError for a limit that isn't a number of 0 or more.
 */
export async function readArray(
  source: PageSource,
  args: Arguments,
  options?: { readonly limit?: number | undefined },
): Promise<unknown[]> {
  const { limit } = readNumbers(options, { limit: Infinity })
  const items: unknown[] = []
  // With a limit of 0, no request is sent.
  for await (const item of limit > 0 ? readItems(source, args) : []) {
    if (items.push(item) >= limit) break
  }
  return items
}

/** JSON has no `bigint`, which the caller's parser may return. */
function printable(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

function findNext({ links }: Page, url: string): URL | undefined {
  const href = links?.find(({ rel }) => rel === 'next')?.href
  return href && URL.canParse(href, url) ? new URL(href, url) : undefined
}
