import { type OperationId, operations, states } from '@svc-admin/types'
import { always, both, onApi, onPaged, type Rule, type RuleOptions } from '../check/rule.ts'
import type { Trial } from '../check/trial.ts'
import { inspect, type Json, listAt, stringAt } from '../document/json.ts'
import type { Cell } from '../model/api.ts'
import { describeResponse, expectThat, isRefusal } from '../model/expect.ts'
import { pageQuery } from '../model/pages.ts'
import { Untestable } from '../model/signals.ts'
import { lastParameter, removesOne } from '../run-context/removers.ts'
import { childPath, sendInAnyVersion } from './backups.ts'
import { canBeSeeded, seedMany } from './equal-timestamps.ts'
import { idOf } from './lists.ts'
import { type ResourcePath, sendRequest } from './own-resources.ts'
import { filtersOf, type Page, pageFrom } from './page.ts'
import { expectSame } from './successful-response.ts'

/** Returns the operation that removes an item from the list, and its path parameter for the item. */
const removerOf = ({ operation }: Cell): { id: OperationId; parameter: string } | undefined => {
  const remover = Object.values(operations).find(
    (one) => removesOne(one) && one.path.replace(/\/\{\w+\}$/, '') === operation.path,
  )
  const parameter = lastParameter(remover?.path ?? '')
  return remover && parameter ? { id: remover.id, parameter } : undefined
}

const canShrink = (cell: Cell): true | string =>
  (removerOf(cell) !== undefined && canBeSeeded(cell.operation.id)) ||
  'no operation removes single items from this list, or a seed cannot add items to it'

const seeded = 3

const pageAt = async (trial: Trial, place: ResourcePath, number: number, size: number): Promise<Page> =>
  pageFrom(await sendRequest(trial, place, { query: pageQuery(number, size) }))

/** Reads each page before a change, because a server may return a cached page after the change. */
const readPages = async (trial: Trial, place: ResourcePath): Promise<void> => {
  for (let number = 1; number <= seeded; number += 1) await pageAt(trial, place, number, 1)
}

/** Creates a list, and removes its last item. Returns the list with the remaining items. */
const shrunk = async (trial: Trial) => {
  const place = await seedMany(trial, seeded)
  const remover = removerOf(trial.cell)
  const before = await pageAt(trial, place, 1, seeded)
  await readPages(trial, place)
  const last = before.results.at(-1)
  if (remover === undefined || last === undefined) throw new Untestable('a list with an item to remove')
  const item = childPath(place, { [remover.parameter]: idOf(last) })
  const removal = await sendInAnyVersion(trial, item, remover.id)
  if (removal.response.status >= 300)
    throw new Untestable(`${remover.id} to work (${describeResponse(removal)})`)
  return { place, items: (await pageAt(trial, place, 1, seeded)).results }
}

/** Returns the operation that changes an item in the list, and its path parameter for the item. */
const updaterOf = ({ operation }: Cell): { id: OperationId; parameter: string } | undefined => {
  const updater = Object.values(operations).find(
    ({ method, path }) =>
      ['PATCH', 'PUT'].includes(method) && path.replace(/\/\{\w+\}$/, '') === operation.path,
  )
  const parameter = lastParameter(updater?.path ?? '')
  return updater && parameter ? { id: updater.id, parameter } : undefined
}

const canChange = (cell: Cell): true | string =>
  (updaterOf(cell) !== undefined && canBeSeeded(cell.operation.id)) ||
  'no operation changes single items in this list, or a seed cannot add items to it'

/** Creates a list, and updates the item in the middle. Returns the list with the items before the update. */
const updated = async (trial: Trial) => {
  const place = await seedMany(trial, seeded)
  const updater = updaterOf(trial.cell)
  const { results: items } = await pageAt(trial, place, 1, seeded)
  await readPages(trial, place)
  const middle = items[Math.floor(items.length / 2)]
  if (updater === undefined || middle === undefined) throw new Untestable('a list with an item to update')
  const item = childPath(place, { [updater.parameter]: idOf(middle) })
  const update = await sendInAnyVersion(trial, item, updater.id)
  if (update.response.status >= 300)
    throw new Untestable(`${updater.id} to work (${describeResponse(update)})`)
  return { place, items }
}

type Changed = (trial: Trial) => Promise<{ place: ResourcePath; items: readonly Json[] }>

const afterRemoval = {
  at: both(onApi, onPaged, canShrink),
  phase: 'write',
  label: 'after a removal',
} as const

const afterUpdate = { at: both(onApi, onPaged, canChange), phase: 'write', label: 'after an update' } as const

/**
 * Creates a rule that expects each page to show the current count after a change, including the last page and the page
 * after it.
 */
const countAfter = (change: Changed, options: RuleOptions): Rule =>
  always(async (trial) => {
    const { place, items } = await change(trial)
    for (const number of [1, items.length, items.length + 1]) {
      const exchange = await sendRequest(trial, place, { query: pageQuery(number, 1) })
      // Returning an empty page after the end of the list is our decision.
      if (number > items.length && isRefusal(exchange.response)) continue
      const { totalCount } = pageFrom(exchange)
      expectThat(totalCount === items.length, {
        expected: `totalCount ${items.length} on page ${number}`,
        actual: inspect(totalCount),
        exchange,
      })
    }
  }, options)

/** Returns the states that seeded items can have, if the list may show only items in some states. */
const statesOf = ({ operation }: Cell) => (operation.area === 'Alerts' ? states.alert : undefined)

const hasStates = (cell: Cell): true | string =>
  statesOf(cell) !== undefined || 'the list contains items in all states'

/**
 * In a list with items in every state, the count must match the number of items in the list, with and without a filter.
 */
export const countInEveryState: Rule = always(
  async (trial) => {
    const { field = '', values = [] } = statesOf(trial.cell) ?? {}
    const place = await seedMany(trial, 2 * values.length, (index) => ({
      [field]: values[index % values.length] ?? '',
    }))
    for (const filters of [[], ...filtersOf(trial.cell).map((filter) => [filter])]) {
      const all = pageFrom(await sendRequest(trial, place, { query: filters }))
      for (const size of [1, 2 * values.length]) {
        const query = [...filters, ...pageQuery(1, size)]
        const { totalCount, exchange } = pageFrom(await sendRequest(trial, place, { query }))
        expectThat(totalCount === all.results.length, {
          expected: `totalCount ${all.results.length}`,
          actual: inspect(totalCount),
          exchange,
        })
      }
    }
  },
  {
    at: both(onApi, onPaged, hasStates, ({ operation }) => canBeSeeded(operation.id) || 'no seed'),
    phase: 'write',
    label: 'in every state',
  },
)

const hasLink = (body: Json, rel: string): boolean =>
  listAt(body, 'links').some((link) => stringAt(link, 'rel') === rel)

/** Creates a rule that expects each page to link to the pages that exist after a change. */
const linksAfter = (change: Changed, options: RuleOptions): Rule =>
  always(async (trial) => {
    const { place, items } = await change(trial)
    for (const number of items.keys()) {
      const { body, exchange } = await pageAt(trial, place, number + 1, 1)
      for (const [rel, expected] of [
        ['next', number + 1 < items.length],
        ['previous', number > 0],
      ] as const) {
        const found = hasLink(body, rel)
        expectThat(found === expected, {
          expected: `${expected ? 'a' : 'no'} ${rel} link on page ${number + 1} of ${items.length}`,
          actual: found ? `a ${rel} link` : 'none',
          exchange,
        })
      }
    }
  }, options)

export const countAfterChanges: readonly Rule[] = [
  countAfter(shrunk, afterRemoval),
  countAfter(updated, afterUpdate),
]

export const linksAfterChanges: readonly Rule[] = [
  linksAfter(shrunk, afterRemoval),
  linksAfter(updated, afterUpdate),
]

/** After an update, each item is still on the same page. */
export const orderAfterUpdate: Rule = always(async (trial) => {
  const { place, items } = await updated(trial)
  const { results, exchange } = await pageAt(trial, place, 1, seeded)
  expectSame(exchange, 'the same items as before the update:', results.map(idOf), items.map(idOf))
}, afterUpdate)
