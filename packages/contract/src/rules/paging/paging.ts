import { limits } from '@svc-admin/types'
import { withGenerated } from '../../check/generated.ts'
import { always, both, forEach, onApi, onPaged, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { contrast } from '../../document/contrast.ts'
import {
  inspect,
  isArray,
  isObject,
  type Json,
  listAt,
  numberAt,
  sameJson,
  stringAt,
} from '../../document/json.ts'
import { flatten } from '../../document/probes.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Cell } from '../../model/api.ts'
import type { Query } from '../../model/call.ts'
import { bodyOf, expectRefusal, expectSuccess, expectThat } from '../../model/expect.ts'
import { pageQuery } from '../../model/pages.ts'
import { Lenience, Untestable } from '../../model/signals.ts'
import { combined } from '../../resources/combinations.ts'
import { idOf, needs, whole } from '../../resources/lists.ts'
import { defaultSizeOfLongList } from '../../resources/long-lists.ts'
import { expectSame } from '../../resources/successful-response.ts'

const paged = { at: both(onApi, onPaged) } as const

interface Page {
  readonly exchange: Exchange
  readonly body: Json
  readonly results: readonly Json[]
  readonly totalCount: number | undefined
}

const pageFrom = (exchange: Exchange, what?: string): Page => {
  expectSuccess(exchange, what)
  const body = bodyOf(exchange)
  return { exchange, body, results: listAt(body, 'results'), totalCount: numberAt(body, 'totalCount') }
}

const page = async (trial: Trial, query: Query = []): Promise<Page> => pageFrom(await trial.try({ query }))

/** Every value of every enumerated query parameter that filters the list. */
const filtersOf = ({ definition, version }: Cell): Query =>
  definition.parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name, schema }) =>
      listAt(flatten(version.document, schema), 'enum').map((value) => [name, String(value)] as const),
    )

const onFiltered = (cell: Cell): true | string => filtersOf(cell).length > 0 || 'no filter'

/** Reading more pages would not find more errors. */
const maxSteps = 6

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

/** Expects another item than the first. Another requirement tests which items a page has. */
const expectSecondPage = async (trial: Trial, exchange: Exchange, query: Query): Promise<void> => {
  const names = filtersOf(trial.cell).map(([name]) => name)
  const filters = query.filter(([name]) => names.includes(name))
  const all = await whole(trial, filters)
  needs(trial, all, 2)
  const [item] = listAt(bodyOf(exchange), 'results').map(idOf)
  const [first, second] = all.items.map(idOf)
  const expected = `page 2 with another item than page 1, such as ${second}`
  expectThat(item !== first, { expected, actual: 'the same item as on page 1', exchange })
}

const expectNoCount = (exchange: Exchange): void => {
  const body = bodyOf(exchange)
  const without = isObject(body) && !('totalCount' in body)
  expectThat(without, { expected: 'no totalCount', actual: 'a totalCount', exchange })
}

const linkOf = (body: Json, rel: string): string | undefined =>
  listAt(body, 'links')
    .map((link) => (stringAt(link, 'rel') === rel ? stringAt(link, 'href') : undefined))
    .find(Boolean)

/**
 * Follows a link with the same method, headers and credentials. Behind a proxy, the base path of the public URL may
 * differ from the base path in the target file.
 */
const follow = async (trial: Trial, url: URL, href: string, rel: string): Promise<Page> => {
  const call = await trial.call()
  const path = url.pathname.slice(Math.max(0, url.pathname.lastIndexOf(trial.cell.version.prefix)))
  const exchange = await trial.send({ ...call, path, query: [...url.searchParams] })
  return pageFrom(exchange, `a success for the ${rel} link, ${href}`)
}

/** The query parameters that a link has lost. Only the page number may differ. */
const lostBy = (href: string, { request }: Exchange): string => {
  const [asked, kept] = [request.path, href].map((path) => new URL(path, 'http://x').searchParams)
  const lost = [...(asked ?? [])].filter(([name, value]) => name !== 'pageNum' && kept?.get(name) !== value)
  return lost.length === 0 ? '' : `, without ${lost.map((pair) => pair.join('=')).join(' and ')}`
}

/** Expects a link on the page that leads to a page with these items. */
const expectLed = async (
  trial: Trial,
  { body, exchange }: Page,
  rel: string,
  items: readonly Json[],
): Promise<Page> => {
  const href = linkOf(body, rel)
  expectThat(href !== undefined, { expected: `a ${rel} link`, actual: 'none', exchange })
  // A relative reference is resolved against the request URL (RFC 3986 §5.1.3).
  const isAddress = URL.canParse(href, exchange.url)
  expectThat(isAddress, { expected: `a URL in the ${rel} link`, actual: href, exchange })
  const led = await follow(trial, new URL(href, exchange.url), href, rel)
  const [actual, expected] = [led.results.map(idOf), items.map(idOf)]
  const difference = contrast(actual, expected)
  expectThat(sameJson(actual, expected), {
    expected: `a ${rel} link to the page with the items ${difference.expected}`,
    actual: `${difference.actual} at ${href}${lostBy(href, exchange)}`,
    exchange: led.exchange,
  })
  return led
}

/**
 * A server behind a proxy may use its public address, which differs from the address in the target file. Its `self`
 * link shows the public address. A link to any other address would mislead clients.
 */
const preferOwnAddress = (trial: Trial, { body, exchange }: Page, rel: string): void => {
  const originOf = (href: string): string => new URL(href, trial.context.target.baseUrl).origin
  const [href, self] = [linkOf(body, rel), linkOf(body, 'self')]
  if (href === undefined || self === undefined || !URL.canParse(self, trial.context.target.baseUrl)) return
  if ([originOf(''), originOf(self)].includes(originOf(href))) return
  throw new Lenience({
    expected: `a ${rel} link to ${originOf(self)}, the origin of the self link`,
    actual: href,
    exchange,
  })
}

const refusedQuery = (name: string, values: readonly string[]) =>
  forEach(
    () => values,
    (value) => value,
    async (trial: Trial, value: string) => {
      const exchange = await trial.try({ query: [[name, value]] })
      // Rejecting an empty value is our decision. Other implementations may use the default.
      const strength = value === '' ? 'decided' : 'stated'
      expectRefusal(exchange, 'VALIDATION_ERROR', `${name} is out of range`, strength)
    },
    paged,
  )

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
  }, paged),

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
  ],

  'paging.number-selects': [
    always(async (trial) => expectSecondPage(trial, await trial.try({ query: pageQuery(2, 1) }), []), paged),
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
      (size) => `at the bound ${size}`,
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
        label: 'at the bound',
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
            // One page past the end.
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
  ],

  'paging.past-end-empty': forEach(
    () => [1_000_000, 'the next after the last'] as const,
    String,
    async (trial, which) => {
      const all = await whole(trial)
      const size = Math.min(largest, Math.max(1, all.items.length))
      const next = Math.ceil(Math.max(1, all.items.length) / size) + 1
      const number = typeof which === 'number' ? which : next
      const last = await page(trial, pageQuery(number, size))
      const { results, exchange } = last
      expectThat(results.length === 0, { expected: 'no items', actual: `${results.length} items`, exchange })
      expectCount(all.items.length, last)
    },
    paged,
  ),

  'paging.total-count': [
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
  ],

  'paging.include-count-false': [
    always(async (trial) => expectNoCount((await page(trial, [['includeCount', 'false']])).exchange), paged),
    combined('includeCount', (_, exchange) => expectNoCount(exchange)),
  ],

  'paging.links-self': always(async (trial) => {
    const asked = await page(trial, pageQuery(1, 1))
    await expectLed(trial, asked, 'self', asked.results)
  }, paged),

  'paging.links-carry-page': always(async (trial) => {
    const all = await whole(trial)
    const size = Math.max(1, all.items.length - 1)
    const asked = [
      { number: 1, at: await page(trial, []), size: limits.itemsPerPage.default },
      { number: 1, at: await page(trial, pageQuery(1, size)), size },
      { number: 2, at: await page(trial, [['pageNum', '2']]), size: limits.itemsPerPage.default },
    ]
    for (const { at, number, size: items } of asked) {
      const numbers = { previous: number - 1, self: number, next: number + 1 }
      for (const [rel, pageNum] of Object.entries(numbers)) {
        const href = linkOf(at.body, rel)
        if (href === undefined) continue
        const query = new URL(href, at.exchange.url).searchParams
        const actual = `pageNum=${query.get('pageNum')}&itemsPerPage=${query.get('itemsPerPage')}`
        const expected = `pageNum=${pageNum}&itemsPerPage=${items}`
        expectThat(actual === expected, {
          expected: `${expected} in the ${rel} link`,
          actual: href,
          exchange: at.exchange,
        })
      }
    }
  }, paged),

  'paging.links-lead': [
    always(
      async (trial) => {
        const all = await whole(trial)
        needs(trial, all, 2)
        const first = await page(trial, [...pageQuery(1, 1), ['includeCount', 'false']])
        expectSame(first.exchange, 'page 1:', first.results.map(idOf), all.items.slice(0, 1).map(idOf))
        let current = first
        for (const item of all.items.slice(1, maxSteps)) {
          current = await expectLed(trial, current, 'next', [item])
          const kept = isObject(current.body) && !('totalCount' in current.body)
          expectThat(kept, {
            expected: 'a next link with includeCount=false',
            actual: 'a totalCount',
            exchange: current.exchange,
          })
        }
        preferOwnAddress(trial, first, 'next')
      },
      { ...paged, label: 'next' },
    ),
    always(
      async (trial) => {
        const everything = await whole(trial)
        const parts: { filter: Query[number]; second: Json }[] = []
        for (const filter of filtersOf(trial.cell)) {
          const [, second] = (await whole(trial, [filter])).items
          if (second !== undefined) parts.push({ filter, second })
        }
        // If the unfiltered list has the same page, a link without the filter would pass as well.
        const differs = parts.find(({ second }) => idOf(second) !== idOf(everything.items[1] ?? null))
        const part = differs ?? parts[0]
        if (part === undefined) throw new Untestable('a filter that matches at least two items')
        await expectLed(trial, await page(trial, [...pageQuery(1, 1), part.filter]), 'next', [part.second])
      },
      { at: both(onApi, onPaged, onFiltered), label: 'next of a part' },
    ),
    always(
      async (trial) => {
        const all = await whole(trial)
        const [first, last] = [
          await page(trial, pageQuery(1, 1)),
          await page(trial, pageQuery(Math.max(1, all.items.length), 1)),
        ]
        const before = linkOf(first.body, 'previous')
        expectThat(before === undefined, {
          expected: 'no previous link on the first page',
          actual: before,
          exchange: first.exchange,
        })
        const after = linkOf(last.body, 'next')
        expectThat(after === undefined, {
          expected: 'no next link on the last page',
          actual: after,
          exchange: last.exchange,
        })
      },
      { ...paged, label: 'ends' },
    ),
    always(
      async (trial) => {
        const all = await whole(trial)
        needs(trial, all, 2)
        const second = await page(trial, pageQuery(2, 1))
        await expectLed(trial, second, 'previous', all.items.slice(0, 1))
        preferOwnAddress(trial, second, 'previous')
      },
      { ...paged, label: 'previous' },
    ),
  ],
})
