import { limits } from '@svc-admin/types'
import { always, both, type Check, onApi, onPaged, type Rule } from '../check/rule.ts'
import type { Trial } from '../check/trial.ts'
import { inspect, listAt, stringAt } from '../document/json.ts'
import type { Cell } from '../model/api.ts'
import type { Query } from '../model/call.ts'
import { expectThat } from '../model/expect.ts'
import { pageQuery } from '../model/pages.ts'
import { canBeSeeded, seedMany } from './equal-timestamps.ts'
import { sendRequest } from './own-resources.ts'
import { type Page, pageFrom } from './page.ts'

const { default: usual, maximum: most } = limits.itemsPerPage

/** One more item than fits on the largest page. */
const count = most + 1

/** The number of the last page with the default page size. */
const lastNumber = Math.ceil(count / usual)

/** Selects lists that a seed can fill. */
const canBeFilled = ({ operation }: Cell): true | string =>
  canBeSeeded(operation.id) || "a seed can't add items to this list"

const longPage = async (trial: Trial, query: Query = []): Promise<Page> => {
  const { cell, context } = trial
  const place = await context.once(`long list of ${cell.operation.id}`, () => seedMany(trial, count))
  return pageFrom(await sendRequest(trial, place, { query }))
}

/** Reads the first and the last page of a long list without specifying a page size. */
const longPages = async (trial: Trial): Promise<readonly [Page, Page]> => [
  await longPage(trial),
  await longPage(trial, [['pageNum', String(lastNumber)]]),
]

const expectItems = (expected: number, which: string, { results, exchange }: Page): void =>
  expectThat(results.length === expected, {
    expected: `${expected} of ${count} items on ${which}`,
    actual: `${results.length} items`,
    exchange,
  })

const onLongList = (check: Check): Rule =>
  always(check, { at: both(onApi, onPaged, canBeFilled), phase: 'write', label: 'more items' })

/** The default page size has a visible effect only if a list is longer than one page. */
export const defaultSizeOfLongList = onLongList(async (trial) => {
  const [first, last] = await longPages(trial)
  expectItems(usual, 'page 1', first)
  expectItems(count - usual * (lastNumber - 1), `page ${lastNumber}`, last)
})

/** A page size between the default and the maximum must not be reduced. */
export const sizeOfLongList = onLongList(async (trial) => {
  for (const size of [usual + 1, most])
    expectItems(size, `page 1 with itemsPerPage=${size}`, await longPage(trial, pageQuery(1, size)))
  expectItems(count - most, `page 2 with itemsPerPage=${most}`, await longPage(trial, pageQuery(2, most)))
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

/** The first page has no previous link, and the last page has no next link. */
export const linksOfLongList = onLongList(async (trial) => {
  for (const [index, { body, exchange }] of (await longPages(trial)).entries()) {
    const rels = listAt(body, 'links').map((link) => stringAt(link, 'rel'))
    const found = ['next', 'previous'].filter((rel) => rels.includes(rel)).join(' and ')
    const expected = index === 0 ? 'next' : 'previous'
    expectThat(found === expected, {
      expected: `only a ${expected} link on page ${index === 0 ? 1 : lastNumber} of ${lastNumber}`,
      actual: found,
      exchange,
    })
  }
})
