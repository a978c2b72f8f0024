import type {
  Answer,
  ItemLinks,
  LinkTarget,
  ListsAnswer,
  PageAnswer,
  PageItem,
} from '../operations/answer.ts'
import { changesResponse, translateResponse } from '../versions/chain.ts'
import type { Exchange } from './exchange.ts'
import { fillPath, operationRows } from './route-table.ts'

/** An answer as it goes out. */
export interface Rendered {
  readonly status: number
  readonly contentType: string
  /** Undefined for no body at all. */
  readonly body: string | undefined
}

/**
 * Turns an answer into bytes. Stored documents are joined as the text they are: parsing a list only to serialise
 * it again costs more than everything else about it.
 */
export function render(answer: Answer, exchange: Exchange): Rendered {
  const { version, route, shape } = exchange
  const status = version.success
  const pretty = shape.pretty && route.row.pretty
  const contentType = version.mediaType
  if (answer.kind === 'empty') {
    if (!shape.envelope) return { status, contentType, body: undefined }
    const body = finish(`{"status":${status},"content":{}}`, pretty)
    return { status: 200, contentType, body }
  }
  return { status, contentType, body: finish(bodyOf(answer, exchange), pretty) }
}

/** RFC 8259 text, indented if somebody wants to read it. */
export function finish(text: string, pretty: boolean): string {
  return pretty ? `${JSON.stringify(JSON.parse(text), null, 2)}\n` : text
}

function bodyOf(answer: Exclude<Answer, { kind: 'empty' }>, exchange: Exchange): string {
  const { envelope } = exchange.shape
  const { success } = exchange.version
  const start = envelope ? `{"status":${success},` : ''
  if (answer.kind === 'page') return `${start || '{'}${pageMembers(answer, exchange)}}`
  if (answer.kind === 'array' || answer.kind === 'list') {
    const results =
      answer.kind === 'array'
        ? JSON.stringify(answer.values)
        : `[${itemTexts(answer.items, answer.itemLinks, exchange)}]`
    return envelope ? `${start}"results":${results}}` : results
  }
  const content =
    answer.kind === 'lists'
      ? listsText(answer, exchange)
      : resourceText(answer.document.text, answer.self, exchange)
  return envelope ? `${start}"content":${content}}` : content
}

function resourceText(stored: string, self: LinkTarget | undefined, exchange: Exchange): string {
  const text = translated(stored, exchange)
  return self ? withLinks(text, hrefOf(self, exchange)) : text
}

function translated(stored: string, { route, version }: Exchange): string {
  if (!changesResponse(route.row.id, version.id)) return stored
  return JSON.stringify(translateResponse(route.row.id, version.id, JSON.parse(stored)))
}

/** Adds `links` to the text of an object. */
function withLinks(text: string, href: string): string {
  const comma = text.length > 2 ? ',' : ''
  return `${text.slice(0, -1)}${comma}"links":[{"href":"${href}","rel":"self"}]}`
}

/** Items one after another, each found at its own place. */
function itemTexts(items: readonly PageItem[], itemLinks: ItemLinks, exchange: Exchange): string {
  const [before, after] = hrefAround(itemLinks, exchange)
  return items
    .map(({ id, document }) =>
      withLinks(translated(document.text, exchange), before + encodeURIComponent(id) + after),
    )
    .join(',')
}

function listsText({ lists, itemLinks, self }: ListsAnswer, exchange: Exchange): string {
  const members = Object.entries(lists).map(
    ([name, items]) => `${JSON.stringify(name)}:[${itemTexts(items, itemLinks, exchange)}]`,
  )
  return withLinks(`{${members.join(',')}}`, hrefOf(self, exchange))
}

function pageMembers(answer: PageAnswer, exchange: Exchange): string {
  const results = itemTexts(answer.items, answer.itemLinks, exchange)
  const total = answer.total === undefined ? '' : `,"totalCount":${answer.total}`
  return `"links":${JSON.stringify(pageLinks(answer, exchange))},"results":[${results}]${total}`
}

function pageLinks({ hasNext }: PageAnswer, exchange: Exchange) {
  const { limit, offset } = exchange.paging
  const page = offset / limit + 1
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
  return `${baseUrl}${route.prefix}${fillPath(operationRows[operationId].path, values)}`
}

/** The text before and after the one path value that differs between the items of a list. */
function hrefAround({ operationId, values, varying }: ItemLinks, exchange: Exchange): [string, string] {
  const placeholder = `{${varying}}`
  const { path } = operationRows[operationId]
  const at = path.indexOf(placeholder)
  const start = `${exchange.baseUrl}${exchange.route.prefix}${fillPath(path.slice(0, at), values)}`
  return [start, fillPath(path.slice(at + placeholder.length), values)]
}
