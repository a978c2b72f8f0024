import { limits } from '@svc-admin/types'
import { always, both, onApi, onPaged, rules } from '../../check/rule.ts'
import type { Trial } from '../../check/trial.ts'
import { contrast } from '../../document/contrast.ts'
import { isObject, type Json, listAt, sameJson, stringAt } from '../../document/json.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Query } from '../../model/call.ts'
import { expectThat } from '../../model/expect.ts'
import { pageQuery } from '../../model/pages.ts'
import { Lenience, Untestable } from '../../model/signals.ts'
import { linksAfterChanges } from '../../resources/counts.ts'
import { idOf, needs, whole } from '../../resources/lists.ts'
import { linksOfLongList } from '../../resources/long-lists.ts'
import { filtersOf, maxSteps, onFiltered, type Page, page, pageFrom } from '../../resources/page.ts'
import { expectSame } from '../../resources/successful-response.ts'

const paged = { at: both(onApi, onPaged) } as const

const linkOf = (body: Json, rel: string): string | undefined =>
  listAt(body, 'links')
    .map((link) => (stringAt(link, 'rel') === rel ? stringAt(link, 'href') : undefined))
    .find(Boolean)

/**
 * Follows a link with the same method, headers and credentials. Behind a proxy, the base path in the link may
 * differ from the base path in the target file.
 */
const follow = async (trial: Trial, url: URL, href: string, rel: string): Promise<Page> => {
  const call = await trial.call()
  const path = url.pathname.slice(Math.max(0, url.pathname.lastIndexOf(trial.cell.version.prefix)))
  const exchange = await trial.send({ ...call, path, query: [...url.searchParams] })
  return pageFrom(exchange, `a success for the ${rel} link, ${href}`)
}

/** Returns the query parameters that a link has lost or changed. Links may differ only in the page number. */
const lostBy = (href: string, { request }: Exchange): string => {
  const [asked, kept] = [request.path, href].map((path) => new URL(path, 'http://x').searchParams)
  const lost = [...(asked ?? [])].filter(([name, value]) => name !== 'pageNum' && kept?.get(name) !== value)
  return lost.length === 0 ? '' : `, without ${lost.map((pair) => pair.join('=')).join(' and ')}`
}

/** Expects the page's link to lead to a page with the given items. */
const expectLed = async (
  trial: Trial,
  { body, exchange }: Page,
  rel: string,
  items: readonly Json[],
): Promise<Page> => {
  const href = linkOf(body, rel)
  expectThat(href !== undefined, { expected: `a ${rel} link`, actual: 'none', exchange })
  // A relative reference is resolved against the URL of the request (RFC 3986 §5.1.3).
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
 * Recommends links to the server's own address. Behind a proxy, the server's own address may differ from the address in
 * the target file. The page's `self` link shows the server's own address. Links to any other address mislead clients.
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

export default rules({
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
        // If the page looked the same without the filter, a link without the filter would also pass.
        const differs = parts.find(({ second }) => idOf(second) !== idOf(everything.items[1] ?? null))
        const part = differs ?? parts[0]
        if (part === undefined) throw new Untestable('a filter that matches at least two items')
        await expectLed(trial, await page(trial, [...pageQuery(1, 1), part.filter]), 'next', [part.second])
      },
      { at: both(onApi, onPaged, onFiltered), label: 'next with a filter' },
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
    ...linksAfterChanges,
    linksOfLongList,
  ],
})
