import type {
  ItemLinks,
  LinkTarget,
  ListsResponse,
  PageItem,
  PageResponse,
  Response,
} from '../operations/response.ts'
import { type LinkText, withLink } from '../persistence/page-text.ts'
import { changesResponse, translateResponse } from '../versions/chain.ts'
import { type Body, textOf } from './body.ts'
import type { Exchange } from './exchange.ts'
import { fillPath, operationRows, prefixFrom } from './route-table.ts'

/** An answer as it goes out. */
export interface Rendered {
  readonly status: number
  readonly contentType: string
  /** Undefined for no body at all. */
  readonly body: Body | undefined
}

/**
 * Turns an answer into bytes. Stored documents are joined as the text they are: parsing a list only to serialise
 * it again costs more than everything else about it.
 */
export function render(response: Response, exchange: Exchange): Rendered {
  const { version, route, shape } = exchange
  const status = version.success
  const pretty = shape.pretty && route.row.pretty
  const contentType = version.mediaType
  if (response.kind === 'empty') {
    if (!shape.envelope) return { status, contentType, body: undefined }
    const body = finish(`{"status":${status},"content":{}}`, pretty)
    return { status: 200, contentType, body }
  }
  return { status, contentType, body: finish(bodyOf(response, exchange), pretty) }
}

/** RFC 8259 text, indented if somebody wants to read it. */
export function finish<B extends Body>(body: B, pretty: boolean): B | string {
  return pretty ? `${JSON.stringify(JSON.parse(textOf(body)), null, 2)}\n` : body
}

function bodyOf(response: Exclude<Response, { kind: 'empty' }>, exchange: Exchange): Body {
  const { envelope } = exchange.shape
  const { success } = exchange.version
  const start = envelope ? `{"status":${success},` : ''
  if (response.kind === 'page') return pageBody(start || '{', response, exchange)
  if (response.kind === 'array' || response.kind === 'list') {
    const results =
      response.kind === 'array'
        ? JSON.stringify(response.values)
        : `[${itemTexts(response.items, response.itemLinks, exchange)}]`
    return envelope ? `${start}"results":${results}}` : results
  }
  const content =
    response.kind === 'lists'
      ? listsText(response, exchange)
      : resourceText(response.document.text, response.self, exchange)
  return envelope ? `${start}"content":${content}}` : content
}

function resourceText(stored: string, self: LinkTarget | undefined, exchange: Exchange): string {
  const text = translated(stored, exchange)
  return self ? withLink(text, hrefOf(self, exchange)) : text
}

function translated(stored: string, { route, version }: Exchange): string {
  if (!changesResponse(route.row.id, version.id)) return stored
  return JSON.stringify(translateResponse(route.row.id, version.id, JSON.parse(stored)))
}

/** Items one after another, each found at its own place. */
function itemTexts(items: readonly PageItem[], itemLinks: ItemLinks, exchange: Exchange): string {
  const { before, after } = hrefAround(itemLinks, exchange)
  return items
    .map(({ id, document }) =>
      withLink(translated(document.text, exchange), before + encodeURIComponent(id) + after),
    )
    .join(',')
}

function listsText({ lists, itemLinks, self }: ListsResponse, exchange: Exchange): string {
  const fields = Object.entries(lists).map(
    ([name, items]) => `${JSON.stringify(name)}:[${itemTexts(items, itemLinks, exchange)}]`,
  )
  return withLink(`{${fields.join(',')}}`, hrefOf(self, exchange))
}

function pageBody(start: string, response: PageResponse, exchange: Exchange): Body {
  const { items, itemLinks, total } = response
  const before = `${start}"links":${JSON.stringify(pageLinks(response, exchange))},"results":[`
  const after = `]${total === undefined ? '' : `,"totalCount":${total}`}}`
  if ('text' in items) return { before, page: items.text, after }
  return before + itemTexts(items, itemLinks, exchange) + after
}

function pageLinks({ hasNext }: PageResponse, exchange: Exchange) {
  const { page } = exchange.paging
  const at = (rel: string, number: number) => ({ href: pageUrl(exchange, number), rel })
  return [
    { href: ownUrl(exchange, exchange.search), rel: 'self' },
    ...(page > 1 ? [at('previous', page - 1)] : []),
    ...(hasNext ? [at('next', page + 1)] : []),
  ]
}

/** The same request for another page: every other parameter of the query is kept. */
function pageUrl(exchange: Exchange, page: number): string {
  const query = new URLSearchParams(exchange.search)
  query.set('pageNum', String(page))
  return ownUrl(exchange, query.toString())
}

function ownUrl({ baseUrl, route, path }: Exchange, search: string): string {
  return `${baseUrl}${fillPath(route.path, path)}${search === '' ? '' : `?${search}`}`
}

function hrefOf({ operationId, values }: LinkTarget, { baseUrl, route }: Exchange): string {
  return `${baseUrl}${prefixFrom(route, operationId)}${fillPath(operationRows[operationId].path, values)}`
}

/** Where the items of a list are found, unless each has to be looked into for the version that is asked for. */
export function storedLink(items: ItemLinks, exchange: Exchange): LinkText | undefined {
  const { route, version } = exchange
  return changesResponse(route.row.id, version.id) ? undefined : hrefAround(items, exchange)
}

/** The text before and after the one path value that differs between the items of a list. */
function hrefAround({ operationId, values, varying }: ItemLinks, exchange: Exchange): LinkText {
  const placeholder = `{${varying}}`
  const { path } = operationRows[operationId]
  const at = path.indexOf(placeholder)
  const prefix = prefixFrom(exchange.route, operationId)
  const start = `${exchange.baseUrl}${prefix}${fillPath(path.slice(0, at), values)}`
  return { before: start, after: fillPath(path.slice(at + placeholder.length), values) }
}
