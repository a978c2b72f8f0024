import { limits } from '@svc-admin/types'
import { describe, expect, test } from 'vitest'
import { baseUrl, groupId, rejection, response, setup } from '../test/setup.ts'
import { ApiError } from './errors.ts'
import { parseBigIntegers } from './json.ts'
import { AuthenticationError } from './status-errors.ts'
import { connectionReset, type Responder, type StubRequest } from './testing/index.ts'

const alertsPath = `/api/svc/v2/groups/${groupId}/alerts`
const ids = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ id: `${from + index}` }))

/**
 * Creates a server that returns a list of `total` alerts in pages. `link` returns a page's `next` link, if it has one.
 */
function server(
  total: number,
  link?: (pageNum: number, request: StubRequest) => string | undefined,
): Responder {
  return (request) => {
    const pageNum = Number(request.url.searchParams.get('pageNum') ?? 1)
    const size = Number(request.url.searchParams.get('itemsPerPage') ?? limits.itemsPerPage.default)
    const start = (pageNum - 1) * size
    const results = ids(Math.max(0, Math.min(size, total - start)), start)
    const href = start + size < total ? link?.(pageNum + 1, request) : undefined
    return response({ results, totalCount: 1, links: href ? [{ rel: 'next', href }] : [] })
  }
}

const absolute = (pageNum: number, { url }: StubRequest): string => {
  const next = new URL(url)
  next.searchParams.set('pageNum', String(pageNum))
  return next.href
}

async function read(respond: Responder, args: object = {}) {
  const { client, requests } = setup(respond)
  const all = await client.listAlerts.toArray({ groupId, itemsPerPage: 10, ...args })
  return { all: all.map(({ id }) => id), requests }
}

describe('reading all pages', () => {
  test('follows next links until the last one, even if that page is full', async () => {
    const { all, requests } = await read(server(30, absolute), { status: 'OPEN' })
    expect(all).toHaveLength(30)
    expect(requests).toHaveLength(3)
    expect(requests[2]?.url.search).toBe('?itemsPerPage=10&status=OPEN&pageNum=3')
  })

  test('increments pageNum without links until a page is short', async () => {
    const { all, requests } = await read(server(25))
    expect(new Set(all).size).toBe(25)
    expect(requests).toHaveLength(3)
  })

  test('increments pageNum until a page is empty if the last one is full, and ignores totalCount', async () => {
    const { all, requests } = await read(server(20))
    expect(all).toHaveLength(20)
    expect(requests).toHaveLength(3)
  })

  test.each([
    ['to another origin', (page: number) => `https://elsewhere.example${alertsPath}?pageNum=${page}`],
    ['to another path', (page: number) => `${baseUrl}/inner${alertsPath}?pageNum=${page}`],
  ])('increments pageNum instead of following a link %s', async (_, link) => {
    const { all, requests } = await read(server(25, link))
    expect(all).toHaveLength(25)
    expect(new Set(requests.map(({ url }) => url.origin + url.pathname))).toEqual(
      new Set([baseUrl + alertsPath]),
    )
  })

  test.each([
    ['on another host', 'https://elsewhere.example'],
    ['at another path', `${baseUrl}/inner${alertsPath}`],
  ])('ignores the query of a link %s', async (_, elsewhere) => {
    const { requests } = await read(server(25, () => `${elsewhere}?pageNum=9&status=CLOSED`))
    expect(requests.map(({ url }) => url.searchParams.get('pageNum'))).toEqual([null, '2', '3'])
    expect(requests.every(({ url }) => !url.searchParams.has('status'))).toBe(true)
  })

  test('continues after a short page with a link that it cannot follow', async () => {
    const { client, requests } = setup(({ url }) => {
      const number = Number(url.searchParams.get('pageNum') ?? 1)
      const next = { rel: 'next', href: `https://elsewhere.example${alertsPath}?pageNum=${number + 1}` }
      return response({ results: [{ id: number }], links: number < 3 ? [next] : [] })
    })
    expect(
      await client.listAlerts.toArray({ groupId, itemsPerPage: limits.itemsPerPage.maximum }),
    ).toHaveLength(3)
    expect(requests).toHaveLength(3)
  })

  test('follows a relative link', async () => {
    const { all } = await read(server(25, (page) => `?itemsPerPage=10&pageNum=${page}`))
    expect(all).toHaveLength(25)
  })

  test('starts at the requested page', async () => {
    const { all } = await read(server(25, absolute), { pageNum: 2 })
    expect(all).toHaveLength(15)
  })

  test.each([Number.NaN, null, -1, '5'])(
    'rejects an invalid limit before it sends a request: %j',
    async (limit) => {
      const { client, requests } = setup(() => response({ results: [] }))
      const options: object = { limit }
      const expected = new TypeError(`limit is the ${typeof limit} ${limit}: expected a number >= 0`)
      expect(await rejection(client.listAlerts.toArray({ groupId }, options))).toEqual(expected)
      expect(requests).toHaveLength(0)
      expect(await client.listAlerts.toArray({ groupId }, { limit: Infinity })).toEqual([])
      expect(requests).toHaveLength(1)
    },
  )

  test('requests only the pages that it needs for a limit', async () => {
    const { client, requests } = setup(server(500, absolute))
    expect(await client.listAlerts.toArray({ groupId }, { limit: 150 })).toHaveLength(150)
    expect(requests).toHaveLength(2)
    expect(await client.listAlerts.toArray({ groupId }, { limit: 0 })).toEqual([])
    expect(requests).toHaveLength(2)
  })

  test('yields pages or items until the loop ends', async () => {
    const { client, requests } = setup(server(500, absolute))
    for await (const page of client.listAlerts.pages({ groupId })) {
      expect(page.results).toHaveLength(100)
      break
    }
    let seen = 0
    for await (const alert of client.listAlerts.items({ groupId })) {
      expect(alert.id).toBe(`${seen++}`)
      if (seen === 101) break
    }
    expect(requests).toHaveLength(1 + 2)
  })

  test('yields each item once to parallel calls of next', async () => {
    const { client, requests } = setup(server(25, absolute))
    const items = client.listAlerts.items({ groupId, itemsPerPage: 10 })
    const all = await Promise.all(Array.from({ length: 26 }, () => items.next()))
    expect(all.map(({ value }) => value?.id)).toEqual([...ids(25).map(({ id }) => id), undefined])
    expect(requests).toHaveLength(3)
  })
})

test('pages may hold values of a custom parser, such as bigint', async () => {
  const page = (id: number) => new Response(`{"results":[{"id":"${id}","size":9007199254740993}]}`, json)
  const json = { headers: { 'content-type': 'application/json' } }
  let number = 0
  const { client } = setup(() => page(number++), { parseJson: parseBigIntegers })
  const all = await client.listAlerts.toArray({ groupId, itemsPerPage: 1 }, { limit: 2 })
  expect(all).toEqual([0, 1].map((id) => ({ id: `${id}`, size: 9007199254740993n })))
  const same = setup(() => page(1), { parseJson: parseBigIntegers }).client
  expect(String(await rejection(same.listAlerts.toArray({ groupId, itemsPerPage: 1 })))).toContain(
    'already read',
  )
})

test('ignores an invalid link', async () => {
  const { all } = await read(server(25, () => 'http://['))
  expect(all).toHaveLength(25)
})

describe('pages that fail', () => {
  test('name the page in the error', async () => {
    const respond: Responder = (request) =>
      request.url.searchParams.get('pageNum') === '3'
        ? Response.json({}, { status: 404 })
        : server(30)(request)
    const { client } = setup(respond)
    const error = await rejection(client.listAlerts.toArray({ groupId, itemsPerPage: 10 }))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ pageNum: 3 })
    expect(String(error)).toContain('(page 3)')
  })

  test('throw a copy of the error if other calls wait for the same token', async () => {
    const credentials = { clientId: 'a', clientSecret: 'b' }
    const { client } = setup(() => Response.json({ error: 'invalid_client' }, { status: 401 }), {
      credentials,
    })
    const [alone, ...paged] = await Promise.all([
      rejection(client.getAlert({ groupId, alertId: groupId })),
      rejection(client.listAlerts.toArray({ groupId })),
      rejection(client.listAlerts.toArray({ groupId, pageNum: 4 })),
    ])
    expect(alone).toBeInstanceOf(AuthenticationError)
    expect(alone).not.toHaveProperty('pageNum')
    expect(String(alone)).not.toContain('page')
    for (const [index, error] of paged.entries()) {
      const pageNum = [1, 4][index]
      expect(error).toBeInstanceOf(AuthenticationError)
      expect(String(error)).toBe(`${alone} (page ${pageNum})`)
      const shown = JSON.parse(JSON.stringify(alone))
      expect(JSON.parse(JSON.stringify(error))).toEqual({ ...shown, pageNum, message: error.message })
    }
  })

  test('keep the cause of their error', async () => {
    const { client } = setup(connectionReset(), { retry: { maxRetries: 0 } })
    const error = await rejection(client.listAlerts.toArray({ groupId }))
    expect(error).toMatchObject({ name: 'NetworkError', pageNum: 1, cause: { message: expect.any(String) } })
  })

  test('that link to themselves end with an error', async () => {
    const respond = () => response({ results: ids(10), links: [{ rel: 'next', href: '?pageNum=2' }] })
    const { client, requests } = setup(respond)
    expect(String(await rejection(client.listAlerts.toArray({ groupId })))).toContain('was already read')
    expect(requests).toHaveLength(2)
  })

  test('that link in a circle end with an error', async () => {
    let turn = 0
    const respond = () =>
      response({ results: ids(10, ++turn * 10), links: [{ rel: 'next', href: `?pageNum=${turn % 3}` }] })
    const { client } = setup(respond)
    expect(String(await rejection(client.listAlerts.toArray({ groupId })))).toContain('was already read')
  })

  test('that are always the same end with an error', async () => {
    const { client, requests } = setup(() => response({ results: ids(100) }))
    expect(String(await rejection(client.listAlerts.toArray({ groupId })))).toContain('was already read')
    expect(requests).toHaveLength(2)
  })
})

test('only paginated operations have methods to read all pages', () => {
  const { client } = setup(() => response({}))
  expect(client.getAlert).not.toHaveProperty('items')
  expect(client.listMatcherFieldNames).not.toHaveProperty('items')
})
