import { limits } from '@svc-admin/types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CheckedServer, projectId, startChecked, startUntilStopped } from '../../test/checked-server.ts'

const configs = `/groups/${projectId}/alertConfigs`
const older = 'application/vnd.svc.2023-01-01+json'

let server: CheckedServer
beforeAll(async () => {
  server = await startUntilStopped()
  for (let index = 0; index < 7; index += 1) {
    const json = { eventTypeName: `EVENT_${index}`, notifications: [] }
    await server.ask(configs, { method: 'POST', json })
  }
})
afterAll(() => server.stop())

async function idsOf(path: string): Promise<string[]> {
  const results = (await server.ask(path)).at('results')
  return Array.isArray(results) ? results.map((one) => one.id) : []
}

describe('a page', () => {
  it('carries links, results and the total', async () => {
    const all = await server.ask(configs)
    expect(Object.keys(JSON.parse(all.text)).sort()).toEqual(['links', 'results', 'totalCount'])
    const query = `pageNum=1&itemsPerPage=${limits.itemsPerPage.default}`
    expect(all.at('links')).toEqual([{ href: `${server.url}/api/svc/v2${configs}?${query}`, rel: 'self' }])
  })

  it('omits the total if includeCount is false', async () => {
    expect((await server.ask(`${configs}?includeCount=false`)).at('totalCount')).toBeUndefined()
  })

  it('continues the previous one without overlap or gap, ordered by creation', async () => {
    const all = await idsOf(configs)
    const total = all.length
    const seen: unknown[] = []
    let next: string | undefined = `${configs}?itemsPerPage=3&includeCount=true`
    let previous = 0
    while (next !== undefined) {
      const page = await server.ask(next)
      expect(page.at('totalCount')).toBe(total)
      const results = page.at('results')
      seen.push(...(Array.isArray(results) ? results.map((one) => one.id) : []))
      const { links }: { links: { rel: string; href: string }[] } = JSON.parse(page.text)
      previous += links.some((link) => link.rel === 'previous') ? 1 : 0
      const href = links.find((link) => link.rel === 'next')?.href
      expect(href ?? 'itemsPerPage=3&includeCount=true').toMatch(/itemsPerPage=3&includeCount=true/)
      next = href?.replace(`${server.url}/api/svc/v2`, '')
    }
    expect(seen).toEqual(all)
    expect(previous).toBe(Math.ceil(total / 3) - 1)
  })

  it('has no next after a last page that is full', async () => {
    const total = (await idsOf(configs)).length
    const page = await server.ask(`${configs}?itemsPerPage=${total}`)
    expect(page.at('links', 1)).toBeUndefined()
  })

  it.each([
    [2, limits.itemsPerPage.maximum],
    [Math.ceil(Number.MAX_SAFE_INTEGER / limits.itemsPerPage.maximum) + 1, limits.itemsPerPage.maximum],
    [Number.MAX_SAFE_INTEGER, 7],
  ])('links to the previous page, however far it is: %i of %i items', async (pageNum, itemsPerPage) => {
    const page = await server.ask(`${configs}?pageNum=${pageNum}&itemsPerPage=${itemsPerPage}`)
    const href = `${server.url}/api/svc/v2${configs}?pageNum=${pageNum - 1}&itemsPerPage=${itemsPerPage}`
    expect([page.status, page.at('links', 1)]).toEqual([200, { href, rel: 'previous' }])
  })

  it('past the end is empty but has the total', async () => {
    const total = (await idsOf(configs)).length
    const page = await server.ask(`${configs}?pageNum=1000`)
    expect(page.body).toMatchObject({ results: [], totalCount: total })
  })

  it.each(['10000000000000000', '9'.repeat(400)])(
    'is rejected for the number %s because of its maximum',
    async (number) => {
      const refused = await server.ask(`${configs}?pageNum=${number}`)
      expect(refused.at('parameters')).toEqual(['pageNum'])
      expect(refused.at('detail')).toMatch(/9007199254740991/)
    },
  )

  it.each([
    'itemsPerPage=0',
    `itemsPerPage=${limits.itemsPerPage.maximum + 1}`,
    'itemsPerPage=1.0',
    'itemsPerPage=abc',
    'pageNum=0',
    'pageNum=-1',
    'pageNum=9007199254740993',
    'pageNum=99999999999999999999',
    'includeCount=1',
    'pageNum=',
    'pageNum=1&pageNum=2',
    'pageNum=0x1',
    'pageNum=%201',
  ])('returns 400 for %s', async (query) => {
    const refused = await server.ask(`${configs}?${query}`)
    expect(refused.body).toMatchObject({ errorCode: 'VALIDATION_ERROR', parameters: [query.split('=')[0]] })
  })

  it.each(['itemsPerPage=1', `itemsPerPage=${limits.itemsPerPage.maximum}`, 'pageNum=2147483647'])(
    'returns 200 for %s',
    async (query) => {
      expect((await server.ask(`${configs}?${query}`)).status).toBe(200)
    },
  )
})

describe('an envelope', () => {
  it('holds a resource in content', async () => {
    const [id] = await idsOf(configs)
    const plain = await server.ask(`${configs}/${id}`)
    expect((await server.ask(`${configs}/${id}?envelope=true`)).body).toEqual({
      status: 200,
      content: plain.body,
    })
    expect((await server.ask(`${configs}/${id}?envelope=false`)).body).toEqual(plain.body)
  })

  it('is the object with the results of a list', async () => {
    const plain = await server.ask(configs)
    const wrapped = await server.ask(`${configs}?envelope=true`)
    const { links: _, ...rest } = JSON.parse(plain.text)
    expect(wrapped.body).toMatchObject({ status: 200, ...rest })
    const names = await server.ask('/alertConfigs/matchers/fieldNames?envelope=true')
    expect(Object.keys(JSON.parse(names.text))).toEqual(['status', 'results'])
  })

  it('contains an error with its status, even one from before any check', async () => {
    const missing = await server.ask(`${configs}/${'0'.repeat(24)}?envelope=true`)
    expect([missing.status, missing.at('status'), missing.at('content', 'errorCode')]).toEqual([
      404,
      404,
      'RESOURCE_NOT_FOUND',
    ])
    const stranger = await server.ask(`${configs}?envelope=true`, { as: null })
    expect([stranger.status, stranger.at('content', 'error')]).toEqual([401, 401])
  })

  it.each([
    ['GET', '/nothing', 404],
    ['DELETE', configs, 405],
    ['GET', '/groups/%zz/alerts', 400],
  ])('contains the error for %s %s, which is not an operation', async (method, path, status) => {
    const refused = await server.ask(`${path}?envelope=true&pretty=true`, { method })
    expect([refused.status, refused.at('status'), refused.at('content', 'error')]).toEqual([
      status,
      status,
      status,
    ])
    expect(refused.text).toBe(`${JSON.stringify(refused.body, null, 2)}\n`)
  })

  it('can be requested with percent-encoded letters', async () => {
    const asked = await server.ask(`${configs}?%65nve%6Cope=%74rue&%70retty=true`)
    expect(asked.at('status')).toBe(200)
    expect(asked.text).toBe(`${JSON.stringify(asked.body, null, 2)}\n`)
  })

  it('turns a success without a body into 200', async () => {
    const [id] = await idsOf(configs)
    const removed = await server.ask(`${configs}/${id}?envelope=true`, { method: 'DELETE' })
    expect([removed.status, removed.body]).toEqual([200, { status: 204, content: {} }])
  })

  it.each(['envelope=1', 'envelope=TRUE', 'envelope=', 'pretty=yes', 'envelope=true&envelope=true'])(
    'or indentation is rejected for %s',
    async (query) => {
      const refused = await server.ask(`${configs}?${query}`)
      const content = refused.at('content') ?? refused.body
      expect(content).toMatchObject({ errorCode: 'VALIDATION_ERROR', parameters: [query.split('=')[0]] })
    },
  )
})

describe('pretty', () => {
  it('indents by two spaces and ends with a newline, errors too', async () => {
    for (const path of [configs, `${configs}/${'0'.repeat(24)}`]) {
      const indented = await server.ask(`${path}?pretty=true`)
      expect(indented.text).toBe(`${JSON.stringify(indented.body, null, 2)}\n`)
      expect((await server.ask(path)).text).not.toContain('\n')
    }
  })
})

describe('a response', () => {
  it('has the resolved version as its media type, and varies by Accept', async () => {
    const response = await server.ask(configs)
    expect(response.headers.get('content-type')).toBe(older)
    expect(response.headers.get('vary')).toBe('Accept')
  })

  it('is an error for a date that is in the future after a rewind', async () => {
    const own = await startChecked()
    const accept = 'application/vnd.svc.2027-06-01+json'
    const ask = async (now: string) => {
      await own.control('PUT', '/clock', { now, rate: 0 })
      return (await own.ask(configs, { headers: { accept } })).status
    }
    expect(await ask('2027-06-02T00:00:00Z')).toBe(200)
    expect(await ask('2027-05-31T00:00:00Z')).toBe(406)
  })

  it('varies by Accept also for 406, but not before negotiation', async () => {
    for (const [accept, status] of [
      ['text/html', 406],
      ['application/vnd.svc.2023-02-30+json', 400],
    ] as const) {
      const response = await server.ask(configs, { headers: { accept } })
      expect([response.status, response.headers.get('vary')]).toEqual([status, 'Accept'])
    }
    const stranger = await server.ask(configs, { as: null })
    expect([stranger.status, stranger.headers.get('vary')]).toEqual([401, null])
  })

  it('links within the requested generation', async () => {
    expect((await server.askV1(configs)).textAt('results', 0, 'links', 0, 'href')).toContain('/api/svc/v1.0/')
  })

  it("links to the caller's Host only if it is a name of the server", async () => {
    const port = new URL(server.url).port
    const href = async (host: string) =>
      (await server.ask(configs, { headers: { host } })).textAt('links', 0, 'href')
    expect(await href('evil.example')).toContain(`http://127.0.0.1:${port}/`)
    const elsewhere = await startChecked({ publicUrl: 'https://api.svc.example/' })
    expect((await elsewhere.ask(configs)).textAt('links', 0, 'href')).toMatch(
      /^https:\/\/api\.svc\.example\/api/,
    )
  })

  it('of a deprecated version contains its deprecation date and successor', async () => {
    const path = `/groups/${projectId}/alerts/${'0'.repeat(24)}`
    const deprecated = await server.ask(path, {
      method: 'PATCH',
      json: {},
      accept: older,
      contentType: older,
    })
    expect(deprecated.headers.get('deprecation')).toBe(`@${Date.UTC(2024, 4, 30) / 1000}`)
    expect(deprecated.headers.get('link')).toBe(`<${server.url}/api/svc/v2${path}>; rel="successor-version"`)
    expect((await server.ask(path, { method: 'PATCH', json: {} })).headers.get('deprecation')).toBeNull()
  })

  it('of an operation that will be removed names its successor version, whose path is unknown', async () => {
    const path = `/groups/${projectId}/serverless/reports-serverless/backup/snapshots`
    const { headers } = await server.ask(path)
    expect(headers.get('sunset')).toBe('Sat, 31 Jan 2026 00:00:00 GMT')
    expect(headers.get('link')).toBe(`<${server.url}/api/svc/v2#listFlexBackups>; rel="successor-version"`)
  })

  it('to HEAD equals that to GET without the body', async () => {
    const get = await server.ask(configs)
    const head = await server.ask(configs, { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)))
    expect((await server.ask(configs, { method: 'HEAD', as: null })).status).toBe(401)
    expect((await server.ask(`/groups/nonsense/alerts`, { method: 'HEAD' })).status).toBe(400)
  })

  it('to OPTIONS lists the supported methods', async () => {
    const options = await server.ask(`${configs}/${'0'.repeat(24)}`, { method: 'OPTIONS', as: null })
    expect([options.status, options.headers.get('allow')]).toEqual([
      204,
      'GET, HEAD, DELETE, PATCH, PUT, OPTIONS',
    ])
  })

  it('to an unsupported method is 405, before authentication', async () => {
    const refused = await server.ask(configs, { method: 'DELETE', as: null })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
    expect((await server.ask('/nothing', { as: null })).status).toBe(404)
  })
})
