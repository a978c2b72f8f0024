import { describe, expect, it } from 'vitest'
import { startChecked } from '../../../test/checked-server.ts'
import { Problem } from '../../domain/problem.ts'
import { anonymous, noScope, type RequestContext } from '../request-context.ts'
import { type Route, type RouteVersion, routesOf } from '../route-table.ts'
import { negotiate } from './negotiate.ts'

/** Negotiates the version of an operation. The version has a sunset date, and the operation has a successor. */
async function exchangeOn(today: string, enforceSunset: boolean): Promise<RequestContext> {
  const { world, options } = await startChecked()
  const [route] = routesOf().filter(({ row, generation }) => row.id === 'getAlert' && generation === 'v1.0')
  if (!route) throw new Error('getAlert is gone')
  const deprecation = { date: '2025-02-05', sunset: '2026-01-31', successor: 'listAlerts' }
  const version: RouteVersion = { ...route.versions[0], deprecation }
  const raw = Object.create(null)
  raw.headers = {}
  return {
    id: '1',
    raw,
    target: '',
    fault: undefined,
    unread: () => [],
    route: { ...route, versions: [version] },
    world,
    options: { ...options, enforceSunset },
    baseUrl: 'https://svc.example',
    address: '127.0.0.1',
    path: { groupId: 'g', alertId: 'a' },
    undecoded: [],
    now: Date.parse(`${today}T23:59:59Z`),
    rewinds: 0,
    search: '',
    format: { envelope: false, pretty: false },
    principal: anonymous,
    version,
    scope: noScope,
    query: {},
    paging: { limit: 0, page: 1, offset: 0, counted: false, linkTo: () => undefined },
    body: undefined,
    headers: {},
  }
}

describe('a version that will be withdrawn', () => {
  it('returns the date and the successor', async () => {
    const context = await exchangeOn('2025-06-01', true)
    await negotiate.run(context)
    expect(context.headers).toEqual({
      deprecation: '@1738713600',
      sunset: 'Sat, 31 Jan 2026 00:00:00 GMT',
      link: '<https://svc.example/api/svc/v1.0/groups/g/alerts>; rel="successor-version"',
    })
  })

  it.each([
    ['2026-01-31', true, 'served'],
    ['2026-02-01', true, 'VERSION_GONE'],
    ['2026-02-01', false, 'served'],
  ])('is on %s, with sunsets enforced %s, %s', async (today, enforced, expected) => {
    const context = await exchangeOn(today, enforced)
    const outcome = async () => negotiate.run(context)
    const code = await outcome().then(
      () => 'served',
      (error: unknown) => (error instanceof Problem ? error.code : String(error)),
    )
    expect(code).toBe(expected)
  })
})

describe('the version selected by Accept', () => {
  const dated = 'application/vnd.svc.2025-03-12+json'

  it.each([
    ['is cached', dated, 1],
    ['is not cached for a long header, which could fill the memory', `${dated}, x/${'y'.repeat(250)}`, 2],
  ])('%s', async (_, accept, looks) => {
    let looked = 0
    const [first] = routesOf().filter(({ row, generation }) => row.id === 'getAlert' && generation !== 'v1.0')
    if (!first) throw new Error('getAlert is gone')
    const route: Route = {
      ...first,
      get versions() {
        looked += 1
        return first.versions
      },
    }
    const context = { ...(await exchangeOn('2026-02-01', false)), route }
    context.raw.headers.accept = accept
    for (const each of [context, { ...context }]) await negotiate.run(each)
    expect(looked).toBe(looks)
  })
})
