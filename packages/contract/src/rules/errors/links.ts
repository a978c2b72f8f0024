import { limits } from '@svc-admin/types'
import { always, both, forEach, onApi, onPaged, rules } from '../../check/rule.ts'
import { returnsLinks } from '../../judges/links.ts'
import type { Cell } from '../../model/api.ts'
import type { Query } from '../../model/call.ts'
import { expectServed, isRefusal } from '../../model/expect.ts'
import { pageQuery } from '../../model/pages.ts'
import { Untestable } from '../../model/signals.ts'
import { canBeSeeded, seedMany } from '../../resources/equal-timestamps.ts'
import { needs, whole } from '../../resources/lists.ts'
import { sendRequest } from '../../resources/own-resources.ts'
import { filtersOf } from '../../resources/page.ts'

const onSeeded = ({ operation }: Cell): true | string =>
  canBeSeeded(operation.id) || "a seed can't create this list"

const linked = both(onApi, (cell) => returnsLinks(cell) || 'no resource with links')

/** A judge checks the links in each response. These rules send requests for all kinds of responses. */
export default rules({
  'resources.links-array': [
    always(async (trial) => expectServed(await trial.try()), { at: linked }),
    always(
      async (trial) => {
        const all = await whole(trial)
        needs(trial, all, 2)
        for (const number of new Set([2, Math.min(all.items.length, limits.itemsPerPage.default)]))
          expectServed(await trial.try({ query: pageQuery(number, 1) }))
      },
      { at: both(linked, onPaged), label: 'later pages' },
    ),
    always(
      async (trial) => {
        const exchange = await trial.try({ query: pageQuery(1_000_000, 1) })
        // Returning an empty page after the end of the list is our decision.
        if (isRefusal(exchange.response)) throw new Untestable('an empty page after the end of the list')
        expectServed(exchange)
      },
      { at: both(linked, onPaged), label: 'empty page' },
    ),
    always(async (trial) => expectServed(await sendRequest(trial, await seedMany(trial, 0))), {
      at: both(linked, onPaged, onSeeded),
      phase: 'write',
      label: 'list without items',
    }),
    forEach<Query[number]>(
      (cell) => [['includeCount', 'false'], ...filtersOf(cell)],
      ([name, value]) => `${name}=${value}`,
      async (trial, pair) => expectServed(await trial.try({ query: [pair] })),
      { at: both(linked, onPaged) },
    ),
  ],
})
