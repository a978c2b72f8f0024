import { limits } from '@svc-admin/types'
import { always, both, forEach, onApi, onPaged, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, isArray, isObject, type Json, listAt } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import { returnsPage } from '../../judges/envelope.ts'
import { returnsLinks } from '../../judges/links.ts'
import type { Query } from '../../model/call.ts'
import { missingField } from '../../model/difference.ts'
import { bodyOf, expectServed, expectThat, isRefusal } from '../../model/expect.ts'
import { pageQuery } from '../../model/pages.ts'
import { Untestable } from '../../model/signals.ts'
import { needs, whole } from '../../resources/lists.ts'
import { filtersOf } from '../../resources/page.ts'

const expectLinks = (exchange: Exchange, linked: Json, what: string): void => {
  const links = isObject(linked) ? linked.links : undefined
  expectThat(isArray(links) && links.every(isObject), {
    expected: `a links array of objects in ${what}`,
    actual: inspect(links),
    exchange,
    ...(links === undefined && { difference: missingField('links') }),
  })
}

const linked = both(onApi, (cell) => returnsLinks(cell) || 'no resource with links')

/** Expects links in the response's resource, or in the list and each of its items. */
const expectAllLinks = ({ cell }: Trial, exchange: Exchange): void => {
  expectServed(exchange)
  const body = bodyOf(exchange)
  if (!isArray(body)) expectLinks(exchange, body, returnsPage(cell) ? 'the list' : 'the resource')
  const items = isArray(body) ? body : listAt(body, 'results')
  for (const item of items) expectLinks(exchange, item, 'each resource in the list')
}

export default rules({
  'resources.links-array': [
    always(async (trial) => expectAllLinks(trial, await trial.try()), { at: linked }),
    always(
      async (trial) => {
        const all = await whole(trial)
        needs(trial, all, 2)
        for (const number of new Set([2, Math.min(all.items.length, limits.itemsPerPage.default)]))
          expectAllLinks(trial, await trial.try({ query: pageQuery(number, 1) }))
      },
      { at: both(linked, onPaged), label: 'later pages' },
    ),
    always(
      async (trial) => {
        const exchange = await trial.try({ query: pageQuery(1_000_000, 1) })
        // Returning an empty page after the end of the list is our decision.
        if (isRefusal(exchange.response)) throw new Untestable('an empty page after the end of the list')
        expectAllLinks(trial, exchange)
      },
      { at: both(linked, onPaged), label: 'empty page' },
    ),
    forEach<Query[number]>(
      (cell) => [['includeCount', 'false'], ...filtersOf(cell)],
      ([name, value]) => `${name}=${value}`,
      async (trial, pair) => expectAllLinks(trial, await trial.try({ query: [pair] })),
      { at: both(linked, onPaged) },
    ),
  ],
})
