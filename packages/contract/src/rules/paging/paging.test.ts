import { expect, test } from 'vitest'
import { trialIn } from '../../../test/context-over.ts'
import type { Json } from '../../document/json.ts'
import { loadApi } from '../../model/api.ts'
import type { RequirementId } from '../../model/requirement.ts'
import { openJournal } from '../../run-context/journal.ts'
import { createPrerequisites } from '../../run-context/prerequisites.ts'
import { createRunContext } from '../../run-context/run-context.ts'
import { demoTarget } from '../../target/demo.ts'
import links from './links.ts'
import order from './order.ts'
import paging from './paging.ts'

const api = loadApi()
const baseUrl = 'http://127.0.0.1:1'
const refuse = () => expect.fail('no credentials are asked for')

interface Faults {
  /** The origins of the links in a page. */
  readonly self?: string
  readonly next?: string
  /** The label of the check. By default, the first check runs. */
  readonly label?: string
  /** Returns whether a page omits its last item. */
  readonly lose?: (number: number, size: number) => boolean
  /** Returns the count on a page. */
  readonly countOn?: (number: number) => number
  /** Whether no other client uses the project. */
  readonly lentAlone?: boolean
}

/** Returns the verdict of a requirement's check for a list with these items and links. */
const verdictOf = async (
  requirement: RequirementId,
  items: readonly Json[],
  {
    self = baseUrl,
    next = baseUrl,
    label = '',
    lose = () => false,
    countOn = () => items.length,
    lentAlone = false,
  }: Faults = {},
) => {
  const target = demoTarget({ baseUrl, lentAlone })
  const cell = api.cell('listAlertConfigs', '2023-01-01') ?? expect.fail('no such cell')
  const context = createRunContext({
    api,
    target,
    prerequisites: createPrerequisites(target),
    journal: openJournal(),
    runTag: 'test',
    session: {
      challenge: refuse,
      token: refuse,
      forget: () => {},
      waits: () => 0,
      async send(request) {
        const { searchParams } = new URL(request.path, baseUrl)
        const [size, page] = ['itemsPerPage', 'pageNum'].map((name) => Number(searchParams.get(name)))
        const [many, number] = [size || 100, page || 1]
        const links = [{ rel: 'self', href: self + request.path }]
        if (many * number < items.length)
          links.push({
            rel: 'next',
            href: `${next}${request.path.replace(/pageNum=\d+/, `pageNum=${number + 1}`)}`,
          })
        const results = items.slice(many * (number - 1), many * number - Number(lose(number, many)))
        const counted = searchParams.get('includeCount') === 'false' ? {} : { totalCount: countOn(number) }
        const body = JSON.stringify({ links, results, ...counted })
        const response = { status: 200, reason: '', headers: [], body }
        return { url: baseUrl + request.path, request, response, milliseconds: 0 }
      },
    },
  })
  const rules = [{ ...paging, ...links, ...order }[requirement] ?? expect.fail('no such rule')].flat()
  const trial = trialIn(context, cell)
  const variant = rules.flatMap((rule) => rule.variants(cell)).find((one) => one.label.includes(label))
  return variant?.check(trial).then(
    () => 'kept',
    (error: Error) => error.name,
  )
}

const createdAt = (...seconds: readonly string[]): Json[] =>
  seconds.map((second, index) => ({ id: `${9 - index}`, created: `2026-01-01T00:00:${second}Z` }))

test('accepts any order within a second unless timestamps have fractions', async () => {
  expect(await verdictOf('paging.order', createdAt('01', '01', '02'))).toBe('kept')
  expect(await verdictOf('paging.order', createdAt('01', '03', '02'))).toBe('Violation')
  expect(await verdictOf('paging.order', createdAt('01.5', '01.5'))).toBe('Violation')
})

test('notices an item that is missing only on a full last page', async () => {
  const items = createdAt('01', '02', '03', '04')
  const label = 'full last page'
  const lose = (number: number, size: number): boolean => size > 1 && number * size === items.length
  expect(await verdictOf('paging.total-count', items, { label })).toBe('kept')
  expect(await verdictOf('paging.total-count', items, { label, lose })).toBe('Violation')
})

test('notices a count that is wrong only on the last page', async () => {
  const items = createdAt('01', '02', '03', '04')
  const countOn = (number: number): number => (number === items.length ? 1 : items.length)
  expect(await verdictOf('paging.total-count', items, { label: 'last item', countOn })).toBe('Violation')
})

test('notices a count that is wrong only after the last page', async () => {
  const items = createdAt('01', '02')
  const label = 'after the last page'
  const countOn = (number: number): number => (number > items.length ? 0 : items.length)
  expect(await verdictOf('paging.total-count', items, { label })).toBe('kept')
  expect(await verdictOf('paging.total-count', items, { label, countOn })).toBe('Violation')
})

test.each([
  ['once', 1, false, 'kept'],
  ['all the time', 100, false, 'Untestable'],
  ['once, although no other client uses the project', 1, true, 'Violation'],
])('a list that changes during the check: %s', async (_, changes, lentAlone, said) => {
  const items = createdAt('01', '02')
  const countOn = (): number => {
    if (items.length < 2 + changes) items.push({ id: `new ${items.length}` })
    return items.length
  }
  expect(await verdictOf('paging.total-count', items, { countOn, lentAlone })).toBe(said)
})

test.each([
  ['where it was asked', baseUrl, baseUrl, 'kept'],
  ['at the public address of a proxy', 'https://public.example', 'https://public.example', 'kept'],
  ['under another path there', 'https://public.example/x', 'https://public.example/x', 'kept'],
  ['a reference', baseUrl, '', 'kept'],
  ['where self is not', baseUrl, 'http://127.0.0.1:2', 'Lenience'],
])('reads a link %s (self: %s, next: %s) as %s', async (_, self, next, said) => {
  expect(await verdictOf('paging.links-lead', createdAt('01', '02'), { self, next })).toBe(said)
})
