import { limits } from '@svc-admin/types'
import { always, both, type Check, onApi, onPaged, type Rule } from '../check/rule.ts'
import type { Trial } from '../check/trial.ts'
import { inspect, listAt, stringAt } from '../document/json.ts'
import type { Cell } from '../model/api.ts'
import { expectThat } from '../model/expect.ts'
import { mayHaveEqualTimestamps, seedMany } from './equal-timestamps.ts'
import { sendRequest } from './own-resources.ts'
import { type Page, pageFrom } from './page.ts'

const { default: usual } = limits.itemsPerPage

const count = usual + 1

/** Selects lists that a seed can fill. */
const canBeFilled = ({ operation }: Cell): true | string =>
  mayHaveEqualTimestamps(operation.id) || "a seed can't add items to this list"

/**
 * Creates a list with one more item than the default page size, and reads both pages without specifying a page size.
 */
const longPages = async (trial: Trial): Promise<readonly [Page, Page]> => {
  const { cell, context } = trial
  const place = await context.once(`long list of ${cell.operation.id}`, () => seedMany(trial, count))
  return [
    pageFrom(await sendRequest(trial, place)),
    pageFrom(await sendRequest(trial, place, { query: [['pageNum', '2']] })),
  ]
}

const onLongList = (check: Check): Rule =>
  always(check, { at: both(onApi, onPaged, canBeFilled), phase: 'write', label: 'more items' })

/** The default page size has a visible effect only if a list is longer than one page. */
export const defaultSizeOfLongList = onLongList(async (trial) => {
  for (const [index, { results, exchange }] of (await longPages(trial)).entries()) {
    const expected = index === 0 ? usual : 1
    expectThat(results.length === expected, {
      expected: `${expected} of ${count} items on page ${index + 1}`,
      actual: `${results.length} items`,
      exchange,
    })
  }
})

/** The count includes all items, even if a list has more items than fit on a page of the default size. */
export const countOfLongList = onLongList(async (trial) => {
  for (const { totalCount, exchange } of await longPages(trial))
    expectThat(totalCount === count, {
      expected: `totalCount ${count}`,
      actual: inspect(totalCount),
      exchange,
    })
})

/** If there are two pages, only the first has a next link, and only the second has a previous link. */
export const linksOfLongList = onLongList(async (trial) => {
  for (const [index, { body, exchange }] of (await longPages(trial)).entries()) {
    const rels = listAt(body, 'links').map((link) => stringAt(link, 'rel'))
    const found = ['next', 'previous'].filter((rel) => rels.includes(rel)).join(' and ')
    const expected = index === 0 ? 'next' : 'previous'
    expectThat(found === expected, {
      expected: `only a ${expected} link on page ${index + 1} of 2`,
      actual: found,
      exchange,
    })
  }
})
