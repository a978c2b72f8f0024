import { afterEach, describe, expect, test, vi } from 'vitest'
import { context, groupId, path, response, setup } from '../test/setup.ts'
import { type DeprecationNotice, watchDeprecation } from './deprecation.ts'

function notices(...all: Record<string, string>[]): DeprecationNotice[] {
  const seen: DeprecationNotice[] = []
  const watch = watchDeprecation((notice) => seen.push(notice))
  for (const headers of all) watch(context(), new Headers(headers), 0)
  return seen
}

describe('a deprecation notice', () => {
  test('has the dates of RFC 9745 and RFC 8594, and the links', () => {
    const link =
      '<https://a.example/x?a=1,2>; rel="help", </docs>; rel="deprecation"; type="text/html", </v2>; rel=successor-version'
    const headers = { deprecation: '@1717027200', sunset: 'Sat, 31 Jan 2026 00:00:00 GMT', link }
    expect(notices(headers)).toEqual([
      {
        operationId: 'getAlert',
        version: '2023-01-01',
        since: new Date('2024-05-30T00:00:00Z'),
        sunset: new Date('2026-01-31T00:00:00Z'),
        successor: '/v2',
        documentation: '/docs',
      },
    ])
  })

  test('reads the older formats, a date and `true`', () => {
    expect(notices({ deprecation: 'Thu, 30 May 2024 00:00:00 GMT' })[0]?.since).toEqual(
      new Date('2024-05-30T00:00:00Z'),
    )
    expect(notices({ deprecation: 'true' })).toEqual([{ operationId: 'getAlert', version: '2023-01-01' }])
  })

  test('finds a link with several relations by each of them', () => {
    const link = '</v2>; rel="alternate successor-version"'
    expect(notices({ deprecation: 'true', link })[0]).toMatchObject({ successor: '/v2' })
    expect(notices({ deprecation: 'true', link: '</v2>; rel="no-successor-version"' })[0]).not.toHaveProperty(
      'successor',
    )
  })

  test('is passed for a sunset alone, but not without either header', () => {
    expect(notices({ sunset: 'Sat, 31 Jan 2026 00:00:00 GMT' })).toHaveLength(1)
    expect(notices({ link: '</v2>; rel="successor-version"' })).toEqual([])
  })
})

test('notifies once per operation and version', async () => {
  const seen: string[] = []
  const deprecated = { deprecation: '@1717027200' }
  const { client } = setup(
    ({ headers }) =>
      response({ results: [] }, deprecated, /\d{4}-\d\d-\d\d/.exec(headers.get('accept') ?? '')?.[0]),
    { onDeprecation: ({ operationId, version }) => seen.push(`${operationId}@${version}`) },
  )
  for (let call = 0; call < 3; call++) {
    await client.getAlert(path)
    await client.listAlerts({ groupId })
    await client.acknowledgeAlert({ ...path, body: {} })
    await client.acknowledgeAlert({ ...path, body: {} }, { version: '2023-01-01' })
  }
  expect(seen).toEqual([
    'getAlert@2023-01-01',
    'listAlerts@2023-01-01',
    'acknowledgeAlert@2024-05-30',
    'acknowledgeAlert@2023-01-01',
  ])
})

test('detects a notice that is added later within a minute', () => {
  const seen: DeprecationNotice[] = []
  const watch = watchDeprecation((notice) => seen.push(notice))
  const deprecated = new Headers({ deprecation: 'true' })
  watch(context(), new Headers(), 0)
  watch(context(), deprecated, 59_999)
  expect(seen).toEqual([])
  watch(context(), deprecated, 60_000)
  watch(context(), deprecated, 999_999_999)
  expect(seen).toHaveLength(1)
})

describe('logs one line to the console if there is no callback', () => {
  afterEach(() => void vi.restoreAllMocks())

  const past = Date.UTC(2020, 0, 31) / 1000
  const future = Date.UTC(2100, 0, 31) / 1000
  const sunset = (seconds: number): string => new Date(seconds * 1000).toUTCString()
  test.each([
    [{ deprecation: 'true' }, 'is deprecated'],
    [{ deprecation: `@${past}` }, 'is deprecated since 2020-01-31'],
    [{ deprecation: `@${future}` }, 'will be deprecated on 2100-01-31'],
    [{ sunset: sunset(future) }, 'is deprecated, and may stop working on 2100-01-31'],
    [{ sunset: sunset(past) }, 'is deprecated, and reached its sunset on 2020-01-31'],
    [
      { deprecation: 'true', link: '</v2>; rel="successor-version"' },
      'is deprecated; a newer version is at /v2',
    ],
  ])('%j', async (headers, words) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const { client } = setup(() => response({}, { ...headers }), { onDeprecation: undefined })
    await client.getAlert(path)
    expect(warn.mock.calls).toEqual([[`getAlert in version 2023-01-01 ${words}`]])
  })
})
