import { type OperationId, operations } from '@svc-admin/types'
import { always, both, onApi, onPaged, type Rule } from '../check/rule.ts'
import type { Trial } from '../check/trial.ts'
import { inspect, listAt, stringAt } from '../document/json.ts'
import type { Cell } from '../model/api.ts'
import { describeResponse, expectThat } from '../model/expect.ts'
import { pageQuery } from '../model/pages.ts'
import { Untestable } from '../model/signals.ts'
import { childPath, sendInAnyVersion } from './backups.ts'
import { mayHaveEqualTimestamps, seedMany } from './equal-timestamps.ts'
import { idOf } from './lists.ts'
import { type ResourcePath, sendRequest } from './own-resources.ts'
import { type Page, pageFrom } from './page.ts'

/**
 * The operation that removes an item, and the path parameter for the item. Canceling a job doesn't count, because
 * canceled jobs are still listed.
 */
const removerOf = ({ operation }: Cell): { id: OperationId; parameter: string } | undefined => {
  const remover = Object.values(operations).find(
    ({ id, method, path }) =>
      method === 'DELETE' && !id.startsWith('cancel') && path.replace(/\/\{\w+\}$/, '') === operation.path,
  )
  const parameter = /\{(\w+)\}$/.exec(remover?.path ?? '')?.[1]
  return remover && parameter ? { id: remover.id, parameter } : undefined
}

const canShrink = (cell: Cell): true | string =>
  (removerOf(cell) !== undefined && mayHaveEqualTimestamps(cell.operation.id)) ||
  'no operation removes single items of this list, or a seed cannot fill it'

const seeded = 3

const pageAt = async (trial: Trial, place: ResourcePath, number: number, size: number): Promise<Page> =>
  pageFrom(await sendRequest(trial, place, { query: pageQuery(number, size) }))

/** A new list from which the last item was removed, and the remaining items. */
const shrunk = async (trial: Trial) => {
  const place = await seedMany(trial, seeded)
  const remover = removerOf(trial.cell)
  const before = await pageAt(trial, place, 1, seeded)
  const last = before.results.at(-1)
  if (remover === undefined || last === undefined) throw new Untestable('a list with an item to remove')
  const item = childPath(place, { [remover.parameter]: idOf(last) })
  const removal = await sendInAnyVersion(trial, item, remover.id)
  if (removal.response.status >= 300)
    throw new Untestable(`${remover.id} to work (${describeResponse(removal)})`)
  return { place, items: (await pageAt(trial, place, 1, seeded)).results }
}

const options = { at: both(onApi, onPaged, canShrink), phase: 'write', label: 'after a removal' } as const

/**
 * After an item is removed, every page contains the new number of items, including the last page and the one after
 * it.
 */
export const countAfterRemoval: Rule = always(async (trial) => {
  const { place, items } = await shrunk(trial)
  for (const number of [1, items.length, items.length + 1]) {
    const { totalCount, exchange } = await pageAt(trial, place, number, 1)
    expectThat(totalCount === items.length, {
      expected: `totalCount ${items.length} on page ${number}`,
      actual: inspect(totalCount),
      exchange,
    })
  }
}, options)

/** After an item is removed, links don't go past the new last page. */
export const linksAfterRemoval: Rule = always(async (trial) => {
  const { place, items } = await shrunk(trial)
  for (const number of items.keys()) {
    const { body, exchange } = await pageAt(trial, place, number + 1, 1)
    const hasNext = listAt(body, 'links').some((link) => stringAt(link, 'rel') === 'next')
    const expected = number + 1 < items.length
    expectThat(hasNext === expected, {
      expected: `${expected ? 'a' : 'no'} next link on page ${number + 1} of ${items.length}`,
      actual: hasNext ? 'a next link' : 'none',
      exchange,
    })
  }
}, options)
