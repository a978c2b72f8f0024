import { limits, type OperationId } from '@svc-admin/types'
import type { Trial } from '../check/trial.ts'
import { type Json, listAt, stringAt } from '../document/json.ts'
import { singleItemLists } from '../given/given.ts'
import type { Exchange } from '../http/exchange.ts'
import type { CallChanges, Query } from '../model/call.ts'
import { bodyOf, expectServed, expectSuccess, isRefusal } from '../model/expect.ts'
import { maxPages, pageQuery } from '../model/pages.ts'
import { NotApplicable, Untestable } from '../model/signals.ts'
import { filtersIn } from './page.ts'

/** All items of a list, and the exchange for its last page. */
export interface Listed {
  readonly exchange: Exchange
  readonly items: readonly Json[]
}

/** Reads all pages of a list. The list may also contain items from other checks. */
export const allItems = async (
  trial: Trial,
  operation: OperationId,
  changes: CallChanges = {},
): Promise<Listed> => {
  const { maximum } = limits.itemsPerPage
  const items: Json[] = []
  for (let number = 1; number <= maxPages; number += 1) {
    const query = [...(changes.query ?? []), ...pageQuery(number, maximum)]
    const call = await trial.callOf(operation, { ...changes, query })
    const exchange = await trial.send(call)
    expectSuccess(exchange)
    const results = listAt(bodyOf(exchange), 'results')
    items.push(...results)
    if (results.length < maximum) return { exchange, items }
  }
  throw new Untestable(`a list of fewer than ${maxPages * maximum} items`)
}

/** Reads all pages of the list under test, with or without a filter. */
export const whole = (trial: Trial, query: Query = []): Promise<Listed> =>
  allItems(trial, trial.cell.operation.id, { query })

/**
 * @throws NotApplicable if the list can't have this many items.
 * @throws Untestable if the list currently has too few items.
 */
export const needs = ({ cell }: Trial, { items }: Listed, count: number): void => {
  if (items.length >= count) return
  if (singleItemLists.has(cell.operation.id)) throw new NotApplicable('the list always has exactly one item')
  throw new Untestable(count === 1 ? 'a list that is not empty' : `a list of at least ${count} items`)
}

/**
 * Expects a successful response to a query for a page. Returning an empty page after the end of the list is our
 * decision, so a server may also reject such a page.
 *
 * @throws NotApplicable or Untestable if the target rejects a page that the list is too short to have.
 */
export const expectPage = async (trial: Trial, exchange: Exchange, query: Query): Promise<void> => {
  const { itemsPerPage = limits.itemsPerPage.default, pageNum = limits.pageNum.default } =
    Object.fromEntries(query)
  const itemsBefore = (Number(pageNum) - 1) * Number(itemsPerPage)
  if (itemsBefore > 0 && isRefusal(exchange.response))
    needs(trial, await whole(trial, filtersIn(trial.cell, query)), itemsBefore + 1)
  expectServed(exchange)
}

export const idOf = (item: Json): string =>
  stringAt(item, 'id') ?? stringAt(item, '_id') ?? JSON.stringify(item)

/** Returns the item's creation time, or `undefined` if it doesn't have one. */
export const createdOf = (item: Json): string | undefined =>
  stringAt(item, 'created') ?? stringAt(item, 'createdAt')
