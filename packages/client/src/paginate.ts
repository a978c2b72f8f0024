import { itemsPerPage } from '#tables/constants'
import type { RawOutcome } from './call.ts'
import { ClientError, ParseError } from './errors.ts'
import type { Arguments } from './request.ts'
import { readNumbers } from './settings.ts'

/** A page in the format that every paginated operation returns. */
export interface Page {
  readonly links?: readonly { readonly href?: string; readonly rel?: string }[]
  readonly results?: readonly unknown[]
}

/** A page that passed the check in `readBody`. */
type CheckedPage = Page & Required<Pick<Page, 'results'>>

/** Requests one page. */
export type ReadPage = (args: Arguments) => Promise<RawOutcome>

/** Reads all pages. */
export function readPages(read: ReadPage, args: Arguments): AsyncGenerator<Page, void> {
  return generate(read, args, (page) => [page])
}

/** Reads the items of all pages. */
export function readItems(read: ReadPage, args: Arguments): AsyncGenerator<unknown, void> {
  return generate(read, args, ({ results }) => results)
}

/**
 * Reads pages starting at `pageNum`, and yields the result of `select` for each page. If the `next` link has the same
 * origin and path as the request, reads that page next. If there is no usable link, for example behind a proxy,
 * increments `pageNum` instead. Stops at an empty page. Also stops at a page without a `next` link if the page isn't
 * full or earlier pages had links. Ignores `totalCount`.
 */
async function* generate<T>(
  read: ReadPage,
  args: Arguments,
  select: (page: CheckedPage) => readonly T[],
): AsyncGenerator<T, void> {
  const seen = new Set<string>()
  let query = args
  let previous = ''
  for (let pageNum = Number(args.pageNum ?? 1); ; pageNum++) {
    const { data, url, context, response, text } = await readPage(read, query, pageNum)
    const repeated = (page: number): ParseError =>
      new ParseError(context, response, `page ${page} was already read`)
    const page = data as CheckedPage
    const { results } = page
    if (!results.length) return
    // Without this check, the loop would never end if a server ignored the page number.
    if (text.length === previous.length && withoutLinks(text) === withoutLinks(previous))
      throw repeated(pageNum)
    previous = text
    yield* select(page)
    const next = findNext(page, url)
    if (next?.href.startsWith(`${url.split('?')[0]}?`)) {
      if (seen.has(next.search)) throw repeated(pageNum + 1)
      seen.add(next.search)
      query = { ...args, ...Object.fromEntries(next.searchParams) }
    } else {
      const size = Number(args.itemsPerPage ?? itemsPerPage)
      // If earlier pages had links, a missing link means that this is the last page.
      if (!next && (seen.size || results.length < size)) return
      query = { ...args, pageNum: pageNum + 1 }
    }
  }
}

/** Removes the links from a page's text, because they contain the page number. */
const withoutLinks = (text: string): string => text.replace(/"links".*?\]/gs, '')

/**
 * Reads one page. If the request fails, the error contains the page number so that the caller can continue from there.
 */
async function readPage(read: ReadPage, args: Arguments, pageNum: number): Promise<RawOutcome> {
  try {
    return await read(args)
  } catch (error) {
    if (error instanceof ClientError) {
      Object.assign(error, { pageNum, message: `${error.message} (page ${pageNum})` })
    }
    throw error
  }
}

/**
 * Reads the items on all pages into an array, up to `limit` items.
 *
 * @throws TypeError if the limit isn't a number or is negative.
 */
export async function readArray(
  read: ReadPage,
  args: Arguments,
  options?: { readonly limit?: number | undefined },
): Promise<unknown[]> {
  const { limit } = readNumbers(options, { limit: Infinity })
  const items: unknown[] = []
  // If the limit is 0, no request is sent.
  for await (const item of limit > 0 ? readItems(read, args) : []) {
    if (items.push(item) >= limit) break
  }
  return items
}

function findNext({ links }: Page, url: string): URL | undefined {
  const href = Array.isArray(links) ? links.find((link) => link?.rel === 'next')?.href : undefined
  return href && URL.canParse(href, url) ? new URL(href, url) : undefined
}
