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
import type { RequestContext } from './request-context.ts'
import { fillPath, operationRows, prefixFrom } from './route-table.ts'

export interface Rendered {
  readonly status: number
  readonly contentType: string
  /** The body, or undefined if the response has none. */
  readonly body: Body | undefined
}

/**
 * Renders a response. Concatenates stored documents as text, because parsing and serializing a list would take longer
 * than the rest of the request.
 */
export function render(response: Response, context: RequestContext): Rendered {
  const { version, route, format } = context
  const status = version.success
  const pretty = format.pretty && route.row.pretty
  const contentType = version.mediaType
  if (response.kind === 'empty') {
    if (!format.envelope) return { status, contentType, body: undefined }
    const body = formatJson(`{"status":${status},"content":{}}`, pretty)
    return { status: 200, contentType, body }
  }
  return { status, contentType, body: formatJson(bodyOf(response, context), pretty) }
}

/** Indents JSON if `pretty` is true. */
export function formatJson<B extends Body>(body: B, pretty: boolean): B | string {
  return pretty ? `${JSON.stringify(JSON.parse(textOf(body)), null, 2)}\n` : body
}

function bodyOf(response: Exclude<Response, { kind: 'empty' }>, context: RequestContext): Body {
  const { envelope } = context.format
  const { success } = context.version
  const start = envelope ? `{"status":${success},` : ''
  if (response.kind === 'page') return pageBody(start || '{', response, context)
  if (response.kind === 'array' || response.kind === 'list') {
    const results =
      response.kind === 'array'
        ? JSON.stringify(response.values)
        : `[${itemTexts(response.items, response.itemLinks, context)}]`
    return envelope ? `${start}"results":${results}}` : results
  }
  const content =
    response.kind === 'lists'
      ? listsText(response, context)
      : resourceText(response.document.text, response.self, context)
  return envelope ? `${start}"content":${content}}` : content
}

function resourceText(stored: string, self: LinkTarget | undefined, context: RequestContext): string {
  const text = translated(stored, context)
  return self ? withLink(text, hrefOf(self, context)) : text
}

function translated(stored: string, { route, version }: RequestContext): string {
  if (!changesResponse(route.row.id, version.id)) return stored
  return JSON.stringify(translateResponse(route.row.id, version.id, JSON.parse(stored)))
}

/** Concatenates the items of a list and adds a `self` link to each item. */
function itemTexts(items: readonly PageItem[], itemLinks: ItemLinks, context: RequestContext): string {
  const { before, after } = hrefAround(itemLinks, context)
  return items
    .map(({ id, document }) =>
      withLink(translated(document.text, context), before + encodeURIComponent(id) + after),
    )
    .join(',')
}

function listsText({ lists, itemLinks, self }: ListsResponse, context: RequestContext): string {
  const fields = Object.entries(lists).map(
    ([name, items]) => `${JSON.stringify(name)}:[${itemTexts(items, itemLinks, context)}]`,
  )
  return withLink(`{${fields.join(',')}}`, hrefOf(self, context))
}

function pageBody(start: string, response: PageResponse, context: RequestContext): Body {
  const { items, itemLinks, total } = response
  const before = `${start}"links":${JSON.stringify(pageLinks(response, context))},"results":[`
  const after = `]${total === undefined ? '' : `,"totalCount":${total}`}}`
  if ('text' in items) return { before, page: items.text, after }
  return before + itemTexts(items, itemLinks, context) + after
}

function pageLinks({ hasNext }: PageResponse, context: RequestContext) {
  const { page } = context.paging
  const at = (rel: string, number: number) => ({ href: pageUrl(context, number), rel })
  return [
    at('self', page),
    ...(page > 1 ? [at('previous', page - 1)] : []),
    ...(hasNext ? [at('next', page + 1)] : []),
  ]
}

/**
 * Returns the URL of a page in a list. If the operation supports paging, the query always contains both paging
 * parameters, because some clients read the current page number from the `self` link.
 */
function pageUrl(context: RequestContext, page: number): string {
  const { baseUrl, route, path, paging, search } = context
  const query = new URLSearchParams(search)
  if (route.row.paged) {
    query.set('pageNum', String(page))
    query.set('itemsPerPage', String(paging.limit))
  }
  const url = `${baseUrl}${fillPath(route.path, path)}`
  return query.size > 0 ? `${url}?${query}` : url
}

function hrefOf({ operationId, values }: LinkTarget, { baseUrl, route }: RequestContext): string {
  return `${baseUrl}${prefixFrom(route, operationId)}${fillPath(operationRows[operationId].path, values)}`
}

/**
 * Returns the start and end of the `self` link, which the database adds to stored items. Returns undefined if each item
 * must be converted to the requested version, because the database can't convert items.
 */
export function storedLink(items: ItemLinks, context: RequestContext): LinkText | undefined {
  const { route, version } = context
  return changesResponse(route.row.id, version.id) ? undefined : hrefAround(items, context)
}

/** Returns the parts of a link before and after the path parameter that is different for each item. */
function hrefAround({ operationId, values, varying }: ItemLinks, context: RequestContext): LinkText {
  const placeholder = `{${varying}}`
  const { path } = operationRows[operationId]
  const at = path.indexOf(placeholder)
  const prefix = prefixFrom(context.route, operationId)
  const start = `${context.baseUrl}${prefix}${fillPath(path.slice(0, at), values)}`
  return { before: start, after: fillPath(path.slice(at + placeholder.length), values) }
}
