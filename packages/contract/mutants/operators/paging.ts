import { limits, type RequirementId } from '@svc-admin/types'
import { isObject, type Json, listAt, numberAt, stringAt } from '../../src/document/json.ts'
import { singleItemLists } from '../../src/given/given.ts'
import type { Cell } from '../../src/model/api.ts'
import { mayHaveEqualTimestamps } from '../../src/resources/equal-timestamps.ts'
import { createdOf } from '../../src/resources/lists.ts'
import { onPagedList } from '../../src/resources/page.ts'
import {
  errorResponse,
  isSuccess,
  type MutantInput,
  mapJson,
  onResponse,
  perCell,
  queryOf,
  unlessPretty,
  withQuery,
} from '../mutant.ts'
import type { ProxiedRequest, Response } from '../proxy.ts'

const queryNumber = (request: ProxiedRequest, name: string, otherwise: number): number =>
  Number(queryOf(request).get(name) ?? otherwise)

const sizeOf = (request: ProxiedRequest): number =>
  queryNumber(request, 'itemsPerPage', limits.itemsPerPage.default)
const numberOf = (request: ProxiedRequest): number => queryNumber(request, 'pageNum', 1)

const onPage = (change: (body: Readonly<Record<string, Json>>, request: ProxiedRequest) => Json) =>
  onResponse(isSuccess, (response, request) =>
    mapJson(response, (body) => (isObject(body) ? change(body, request) : body)),
  )

const rewriting =
  (change: (query: URLSearchParams, request: ProxiedRequest) => void): MutantInput['make'] =>
  () =>
  (request, forward) =>
    forward(withQuery(request, (query) => change(query, request)))

const results = (body: Json): readonly Json[] => listAt(body, 'results')

const withoutLink = (rel: string) =>
  onPage((body) => ({
    ...body,
    links: listAt(body, 'links').filter((link) => stringAt(link, 'rel') !== rel),
  }))

const mapLink = (rel: string, change: (href: string) => string) =>
  onPage((body) => ({
    ...body,
    links: listAt(body, 'links').map((link) =>
      stringAt(link, 'rel') === rel ? { rel, href: change(stringAt(link, 'href') ?? '') } : link,
    ),
  }))

/** Changes a URL's query without resolving the URL, so that a relative URL stays relative. */
const withParameters = (href: string, change: (query: URLSearchParams) => void): string => {
  const [path = '', search = ''] = href.split('?')
  const query = new URLSearchParams(search)
  change(query)
  return `${path}?${query}`
}

const addLink = (rel: string, change: (query: URLSearchParams, request: ProxiedRequest) => void = () => {}) =>
  onPage((body, request) => {
    const links = listAt(body, 'links')
    const self = links.find((link) => stringAt(link, 'rel') === 'self')
    const has = links.some((link) => stringAt(link, 'rel') === rel)
    if (has || self === undefined) return body
    const href = withParameters(stringAt(self, 'href') ?? '', (query) => change(query, request))
    return { ...body, links: [...links, { rel, href }] }
  })

const input = (what: string, hint: RequirementId, make: MutantInput['make']): MutantInput => ({
  what,
  hints: [hint],
  make,
})

/**
 * Returns whether the page is full. If a page isn't full, clients can't tell whether an item is missing or was added.
 */
const isFull = (body: Json, request: ProxiedRequest): boolean => results(body).length === sizeOf(request)

const shortLastPage = 'a full last page lacks an item'

const otherTieOrder = 'items with equal timestamps in another order'

const inputs: readonly MutantInput[] = [
  input(
    'one item more',
    'paging.size-kept',
    rewriting((query, request) =>
      query.set('itemsPerPage', String(Math.min(sizeOf(request) + 1, limits.itemsPerPage.maximum))),
    ),
  ),
  input(
    'one item less',
    'paging.size-kept',
    onPage((body, request) =>
      isFull(body, request) ? { ...body, results: results(body).slice(0, -1) } : body,
    ),
  ),
  input(
    shortLastPage,
    'paging.total-count',
    onPage((body, request) => {
      const [size, count] = [sizeOf(request), numberAt(body, 'totalCount') ?? 0]
      const isFullLast = size > 1 && numberOf(request) * size === count
      return isFullLast ? { ...body, results: results(body).slice(0, -1) } : body
    }),
  ),
  input(
    'itemsPerPage ignored',
    'paging.size-kept',
    rewriting((query) => query.delete('itemsPerPage')),
  ),
  input(
    'pageNum ignored',
    'paging.number-selects',
    rewriting((query) => query.delete('pageNum')),
  ),
  input(
    'pageNum counts from 0',
    'paging.pages-partition',
    rewriting((query, request) => query.set('pageNum', String(numberOf(request) + 1))),
  ),
  input(
    'default of one item',
    'paging.default-size',
    rewriting((query) => query.has('itemsPerPage') || query.set('itemsPerPage', '1')),
  ),
  input('pages overlap', 'paging.pages-partition', overlapping()),
  input(
    'order reversed',
    'paging.order',
    onPage((body) => ({ ...body, results: [...results(body)].reverse() })),
  ),
  input(
    otherTieOrder,
    'paging.order',
    unlessPretty(reordered((items) => runsOf(items).flatMap((run) => run.reverse()))),
  ),
  input('page past the end is 404', 'paging.past-end-empty', pastEnd()),
  input('page past the end is the last', 'paging.past-end-empty', onlyFirst()),
  input(
    'no totalCount past the end',
    'paging.past-end-empty',
    unlessPretty(
      onResponse(
        (response, request) => isSuccess(response) && isPastEnd(response, request),
        (response) => mapJson(response, (body) => (isObject(body) ? { ...body, totalCount: 0 } : body)),
      ),
    ),
  ),
  input(
    'totalCount of the page',
    'paging.total-count',
    onPage((body) => (body.totalCount === undefined ? body : { ...body, totalCount: results(body).length })),
  ),
  input(
    'totalCount one too many',
    'paging.total-count',
    onPage((body) =>
      body.totalCount === undefined ? body : { ...body, totalCount: (numberAt(body, 'totalCount') ?? 0) + 1 },
    ),
  ),
  input(
    'no totalCount',
    'paging.shape',
    onPage(({ totalCount: _, ...rest }) => rest),
  ),
  input(
    'includeCount ignored',
    'paging.include-count-false',
    rewriting((query) => query.delete('includeCount')),
  ),
  input('no link self', 'paging.links-self', withoutLink('self')),
  input(
    'self leads elsewhere',
    'paging.links-self',
    mapLink('self', (href) =>
      href
        .replace(/pageNum=\d+/, 'pageNum=999')
        .replace(/itemsPerPage=\d+/, `itemsPerPage=${limits.itemsPerPage.maximum}`),
    ),
  ),
  ...['pageNum', 'itemsPerPage'].flatMap((name) =>
    ['self', 'next', 'previous'].map((rel) =>
      input(
        `${rel} without ${name}`,
        'paging.links-carry-page',
        unlessPretty(mapLink(rel, (href) => withParameters(href, (query) => query.delete(name)))),
      ),
    ),
  ),
  input('no link next', 'paging.links-lead', withoutLink('next')),
  input(
    'next loses the query',
    'paging.links-lead',
    unlessPretty(mapLink('next', (href) => withParameters(href, (query) => query.delete('includeCount')))),
  ),
  input(
    'next leads two pages on',
    'paging.links-lead',
    mapLink('next', (href) => href.replace(/pageNum=(\d+)/, (_, n) => `pageNum=${Number(n) + 1}`)),
  ),
  input('next on the last page', 'paging.links-lead', addLink('next')),
  input(
    'next to an empty page',
    'paging.links-lead',
    unlessPretty(addLink('next', (query, request) => query.set('pageNum', String(numberOf(request) + 1)))),
  ),
  input('no link previous', 'paging.links-lead', withoutLink('previous')),
  input('previous on the first page', 'paging.links-lead', addLink('previous')),
  input(
    'previous leads to itself',
    'paging.links-lead',
    mapLink('previous', (href) => href.replace(/pageNum=(\d+)/, (_, n) => `pageNum=${Number(n) + 1}`)),
  ),
  input(
    'bare list',
    'paging.shape',
    onResponse(isSuccess, (response) => mapJson(response, results)),
  ),
]

function runsOf(items: readonly Json[]): Json[][] {
  const runs: Json[][] = []
  for (const [index, item] of items.entries()) {
    const last = runs.at(-1)
    if (last !== undefined && createdOf(items[index - 1] ?? null) === createdOf(item)) last.push(item)
    else runs.push([item])
  }
  return runs
}

/** Reorders the complete list, and returns the requested page of the result. */
function reordered(change: (items: readonly Json[]) => readonly Json[]): MutantInput['make'] {
  return () => async (request, forward) => {
    const response = await forward(request)
    if (!isSuccess(response)) return response
    const whole = withQuery(request, (query) => {
      query.set('pageNum', '1')
      query.set('itemsPerPage', String(limits.itemsPerPage.maximum))
    })
    // A signed request can be sent only once, so send a second request only if its path is different.
    const all = whole.path === request.path ? response : await forward(whole)
    const items = change(results(JSON.parse(all.body || 'null')))
    const [number, size] = [numberOf(request), sizeOf(request)]
    return mapJson(response, (body) =>
      isObject(body) ? { ...body, results: items.slice((number - 1) * size, number * size) } : body,
    )
  }
}

/** Makes each page after the first start with the last item of the previous page. */
function overlapping(): MutantInput['make'] {
  return () => async (request, forward) => {
    const response = await forward(request)
    const number = numberOf(request)
    if (!isSuccess(response) || number < 2) return response
    const before = await forward(withQuery(request, (query) => query.set('pageNum', String(number - 1))))
    const repeated = results(JSON.parse(before.body || 'null')).slice(-1)
    return mapJson(response, (body) =>
      isObject(body) ? { ...body, results: [...repeated, ...results(body).slice(1)] } : body,
    )
  }
}

const isPastEnd = ({ body }: Response, request: ProxiedRequest): boolean =>
  results(JSON.parse(body || 'null')).length === 0 && numberOf(request) > 1

function pastEnd(): MutantInput['make'] {
  return onResponse(
    (response, request) => isSuccess(response) && isPastEnd(response, request),
    () => errorResponse(404, 'RESOURCE_NOT_FOUND', 'Not Found'),
  )
}

function onlyFirst(): MutantInput['make'] {
  return () => async (request, forward) => {
    const response = await forward(request)
    return isSuccess(response) && isPastEnd(response, request)
      ? forward(withQuery(request, (query) => query.set('pageNum', '1')))
      : response
  }
}

/** The only mutants for lists that always have a single page. */
const ofSinglePages: ReadonlySet<string> = new Set(['totalCount one too many', 'no totalCount'])

/** Makes pages contain wrong items, counts or links, or puts the items in the wrong order. */
export const paging = perCell('paging', (cell) => {
  if (cell.operation.paged) return inputs.filter(({ what = '' }) => needs[what]?.(cell) ?? true)
  return onPagedList(cell) === true ? inputs.filter(({ what = '' }) => ofSinglePages.has(what)) : []
})

const needs: Readonly<Record<string, (cell: Cell) => boolean>> = {
  'next loses the query': hasNext,
  'next without itemsPerPage': hasNext,
  'next without pageNum': hasNext,
  [shortLastPage]: hasNext,
  [otherTieOrder]: ({ operation }) => mayHaveEqualTimestamps(operation.id),
}

function hasNext({ operation }: Cell): boolean {
  return !singleItemLists.has(operation.id)
}

const bounds: readonly (readonly [name: string, value: string, hint: RequirementId])[] = [
  ['itemsPerPage', '0', 'paging.size-bounds'],
  ['itemsPerPage', String(limits.itemsPerPage.maximum + 1), 'paging.size-bounds'],
  ['itemsPerPage', '-1', 'paging.size-bounds'],
  ['pageNum', '0', 'paging.number-bounds'],
  ['pageNum', '-1', 'paging.number-bounds'],
]

/** Makes requests succeed even though the page number or page size is out of range. */
export const pagingBounds = perCell('paging out of bounds', (cell) =>
  cell.operation.paged
    ? bounds.map(([name, value, hint]) => ({
        what: `${name}=${value}`,
        hints: [hint],
        make: () => (request: ProxiedRequest, forward) =>
          forward(
            queryOf(request).get(name) === value
              ? withQuery(request, (query) => query.delete(name))
              : request,
          ),
      }))
    : [],
)
