import type { Trial } from '../check/trial.ts'
import { type Json, listAt, numberAt } from '../document/json.ts'
import { flatten } from '../document/probes.ts'
import type { Exchange } from '../http/exchange.ts'
import { returnsPage } from '../judges/envelope.ts'
import type { Cell } from '../model/api.ts'
import type { Query } from '../model/call.ts'
import { bodyOf, expectSuccess } from '../model/expect.ts'

export interface Page {
  readonly exchange: Exchange
  readonly body: Json
  readonly results: readonly Json[]
  readonly totalCount: number | undefined
}

export const pageFrom = (exchange: Exchange, what?: string): Page => {
  expectSuccess(exchange, what)
  const body = bodyOf(exchange)
  return { exchange, body, results: listAt(body, 'results'), totalCount: numberAt(body, 'totalCount') }
}

export const page = async (trial: Trial, query: Query = []): Promise<Page> =>
  pageFrom(await trial.try({ query }))

/** Returns every value of the enumerated query parameters that filter the list. */
export const filtersOf = ({ definition, version }: Cell): Query =>
  definition.parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name, schema }) =>
      listAt(flatten(version.document, schema), 'enum').map((value) => [name, String(value)] as const),
    )

/** Returns the parameters of a query that filter the list. */
export const filtersIn = (cell: Cell, query: Query): Query => {
  const names = filtersOf(cell).map(([name]) => name)
  return query.filter(([name]) => names.includes(name))
}

/** Selects lists that are returned as pages, including lists without paging parameters. */
export const onPagedList = (cell: Cell): true | string =>
  cell.operation.paged || returnsPage(cell) || 'not a paged list'

export const onFiltered = (cell: Cell): true | string => filtersOf(cell).length > 0 || 'no filter'

/** The maximum number of pages to read. Reading more pages wouldn't reveal other errors. */
export const maxSteps = 6
