import { limits } from '@svc-admin/types'
import { withGenerated } from '../../check/generated.ts'
import { always, both, forEach, onApi, onPaged, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { inspect, isArray, isObject, listAt } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Cell } from '../../model/api.ts'
import type { Query } from '../../model/call.ts'
import { bodyOf, expectRefusal, expectSuccess, expectThat, isRefusal } from '../../model/expect.ts'
import { pageQuery } from '../../model/pages.ts'
import { Untestable } from '../../model/signals.ts'
import { retriedIfListChanges } from '../../resources/changing-lists.ts'
import { combined } from '../../resources/combinations.ts'
import { countAfterChanges, countInEveryState } from '../../resources/counts.ts'
import { expectPage, idOf, needs, whole } from '../../resources/lists.ts'
import { countOfLongList, defaultSizeOfLongList, sizeOfLongList } from '../../resources/long-lists.ts'
import {
  filtersIn,
  filtersOf,
  maxSteps,
  onFiltered,
  onPagedList,
  type Page,
  page,
  pageFrom,
} from '../../resources/page.ts'
import { expectSame } from '../../resources/successful-response.ts'

const paged = { at: both(onApi, onPaged) } as const

/** Selects all lists, including those that always consist of one page. */
const listed = { at: both(onApi, onPagedList) } as const

const onSinglePage = (cell: Cell): true | string => !cell.operation.paged || 'the list has several pages'

const expectCount = (count: number, { totalCount, exchange }: Page): void =>
  expectThat(totalCount === count, {
    expected: `totalCount ${count}`,
    actual: inspect(totalCount),
    exchange,
  })

const expectItems = (count: number, { results, exchange }: Page): void =>
  expectThat(results.length === count, {
    expected: `${count} items`,
    actual: `${results.length} items`,
    exchange,
  })

const expectAtMost = (most: number, exchange: Exchange): void => {
  const { length } = listAt(bodyOf(exchange), 'results')
  expectThat(length <= most, { expected: `at most ${most} items`, actual: `${length} items`, exchange })
}

/** Expects page 2 not to repeat items from page 1. A separate requirement checks which items a page contains. */
const expectSecondPage = async (trial: Trial, exchange: Exchange, query: Query): Promise<void> => {
  const all = await whole(trial, filtersIn(trial.cell, query))
  needs(trial, all, 1)
  const [first, second] = all.items.map(idOf)
  const results = listAt(bodyOf(exchange), 'results').map(idOf)
  const expected =
    second === undefined
      ? 'no items on page 2 of a list with one item'
      : `page 2 with a different item than page 1, such as ${second}`
  expectThat(
    results.every((item) => item !== first),
    {
      expected,
      actual: 'the same item as on page 1',
      exchange,
    },
  )
}

const expectNoCount = (exchange: Exchange): void => {
  const body = bodyOf(exchange)
  const without = isObject(body) && !('totalCount' in body)
  expectThat(without, { expected: 'no totalCount', actual: 'a totalCount', exchange })
}

const refusedQuery = (name: string, values: readonly string[]) =>
  forEach(
    () => values,
    (value) => value,
    async (trial: Trial, value: string) => {
      const exchange = await trial.try({ query: [[name, value]] })
      // Rejecting an empty value is our decision, because other servers may use the default instead.
      const strength = value === '' ? 'decided' : 'stated'
      expectRefusal(exchange, 'VALIDATION_ERROR', `${name} is out of range`, strength)
    },
    paged,
  )

/** Returns the smallest page size above 1 for which the list's last page is full. */
const fullPageSize = (count: number): number | undefined =>
  Array.from({ length: largest - 1 }, (_, index) => index + 2).find((size) => count % size === 0)

const { minimum: smallest, maximum: largest } = limits.itemsPerPage

export default rules({
  'paging.shape': always(async (trial) => {
    const { body, exchange } = await page(trial)
    const right =
      isObject(body) && isArray(body.links) && isArray(body.results) && typeof body.totalCount === 'number'
    expectThat(right, {
      expected: 'an object with links, results and totalCount',
      actual: JSON.stringify(body).slice(0, 80),
      exchange,
    })
  }, listed),

  'paging.default-size': [
    always(async (trial) => {
      const first = await page(trial)
      expectAtMost(limits.itemsPerPage.default, first.exchange)
      expectItems(Math.min(limits.itemsPerPage.default, (await whole(trial)).items.length), first)
    }, paged),
    defaultSizeOfLongList,
  ],

  'paging.size-kept': [
    forEach(
      () => [1, 2],
      String,
      async (trial, size) => {
        const all = await whole(trial)
        needs(trial, all, 1)
        expectItems(Math.min(size, all.items.length), await page(trial, pageQuery(1, size)))
      },
      paged,
    ),
    combined('itemsPerPage', (_, exchange) => expectAtMost(1, exchange)),
    sizeOfLongList,
  ],

  'paging.number-selects': [
    always(async (trial) => {
      const [second, third] = [pageQuery(2, 1), pageQuery(3, 1)]
      const earlier = await trial.try({ query: second })
      await expectPage(trial, earlier, second)
      await expectSecondPage(trial, earlier, second)
      const [before] = listAt(bodyOf(earlier), 'results').map(idOf)
      const exchange = await trial.try({ query: third })
      await expectPage(trial, exchange, third)
      const { results } = pageFrom(exchange)
      expectThat(before === undefined || !results.map(idOf).includes(before), {
        expected: 'page 3 with a different item than page 2',
        actual: 'the same item as on page 2',
        exchange,
      })
    }, paged),
    combined('pageNum', expectSecondPage),
  ],

  'paging.size-bounds': [
    refusedQuery('itemsPerPage', [
      String(smallest - 1),
      String(largest + 1),
      '-1',
      '1.5',
      'ten',
      '',
      '99999999999999999999',
    ]),
    forEach(
      () => [smallest, largest],
      (size) => `page size ${size}`,
      async (trial, size) => expectSuccess(await trial.try({ query: [['itemsPerPage', String(size)]] })),
      paged,
    ),
  ],

  'paging.number-bounds': [
    refusedQuery('pageNum', [String(limits.pageNum.minimum - 1), '-1', '1.5', 'one', '']),
    always(
      async (trial) =>
        expectSuccess(await trial.try({ query: [['pageNum', String(limits.pageNum.minimum)]] })),
      {
        ...paged,
        label: 'smallest page number',
      },
    ),
  ],

  'paging.pages-partition': [
    forEach(
      () => [1, 2],
      String,
      async (trial, size) => {
        const all = await whole(trial)
        needs(trial, all, 2)
        const seen: string[] = []
        const pages = Math.min(maxSteps, Math.ceil(all.items.length / size))
        for (let number = 1; number <= pages; number += 1)
          seen.push(...(await page(trial, pageQuery(number, size))).results.map(idOf))
        const expected = all.items.slice(0, pages * size).map(idOf)
        expectSame(all.exchange, `the items of ${pages} pages`, seen, expected)
      },
      paged,
    ),
    withGenerated(
      async (generate, trial) => {
        const all = await whole(trial)
        needs(trial, all, 2)
        const count = all.items.length
        return generate.integer({ min: 1, max: Math.min(largest, count + 1) }).chain((size) =>
          generate.record({
            all: generate.constant(all),
            // The range includes one page past the end.
            number: generate.integer({ min: 1, max: Math.ceil(count / size) + 1 }),
            size: generate.constant(size),
          }),
        )
      },
      async (trial, { all, number, size }) => {
        const { results, exchange } = await page(trial, pageQuery(number, size))
        const expected = all.items.slice((number - 1) * size, number * size).map(idOf)
        expectSame(exchange, `page ${number} of ${size} items each:`, results.map(idOf), expected)
      },
      paged,
    ),
  ].map(retriedIfListChanges),

  'paging.past-end-empty': retriedIfListChanges(
    forEach(
      () => [1_000_000, 'after the last page'] as const,
      String,
      async (trial, which) => {
        const all = await whole(trial)
        const size = Math.min(largest, Math.max(1, all.items.length))
        const next = Math.ceil(Math.max(1, all.items.length) / size) + 1
        const number = typeof which === 'number' ? which : next
        const last = await page(trial, pageQuery(number, size))
        const { results, exchange } = last
        expectThat(results.length === 0, {
          expected: 'no items',
          actual: `${results.length} items`,
          exchange,
        })
        expectCount(all.items.length, last)
      },
      paged,
    ),
  ),

  'paging.total-count': [
    ...[
      forEach(
        () => [1, largest],
        (size) => `itemsPerPage ${size}`,
        async (trial, size) => {
          const count = (await whole(trial)).items.length
          expectCount(count, await page(trial, [['includeCount', 'true'], ...pageQuery(1, size)]))
        },
        paged,
      ),
      forEach(
        filtersOf,
        ([name, value]) => `${name}=${value}`,
        async (trial, filter) => {
          const count = (await whole(trial, [filter])).items.length
          expectCount(count, await page(trial, [filter, ...pageQuery(1, 1)]))
        },
        { at: both(onApi, onPaged, onFiltered) },
      ),
      always(
        async (trial) => {
          const { totalCount = 0 } = await page(trial, pageQuery(1, 1))
          if (totalCount === 0) needs(trial, await whole(trial), 1)
          const last = await page(trial, pageQuery(totalCount, 1))
          expectItems(1, last)
          expectCount(totalCount, last)
        },
        { ...paged, label: 'last item' },
      ),
      always(
        async (trial) => {
          const { totalCount = 0 } = await page(trial, pageQuery(1, 1))
          const exchange = await trial.try({ query: pageQuery(totalCount + 1, 1) })
          // Returning an empty page after the end of the list is our decision.
          if (isRefusal(exchange.response)) throw new Untestable('an empty page after the end of the list')
          expectCount(totalCount, pageFrom(exchange))
        },
        { ...paged, label: 'after the last page' },
      ),
      always(
        async (trial) => {
          const { totalCount = 0 } = await page(trial, pageQuery(1, 1))
          if (totalCount < 2) needs(trial, await whole(trial), 2)
          const size = fullPageSize(totalCount)
          if (size === undefined) throw new Untestable('a list whose last page can be full')
          const last = await page(trial, pageQuery(totalCount / size, size))
          expectItems(size, last)
          expectCount(totalCount, last)
        },
        { ...paged, label: 'full last page' },
      ),
      always(
        async (trial) => {
          const all = await page(trial)
          expectCount(all.results.length, all)
        },
        { at: both(listed.at, onSinglePage) },
      ),
    ].map(retriedIfListChanges),
    ...countAfterChanges,
    countOfLongList,
    countInEveryState,
  ],

  'paging.include-count-false': [
    always(async (trial) => expectNoCount((await page(trial, [['includeCount', 'false']])).exchange), paged),
    combined('includeCount', (_, exchange) => expectNoCount(exchange)),
  ],
})
