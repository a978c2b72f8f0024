import { expect, test } from 'vitest'
import { contextOver, groupId, target } from '../../test/context-over.ts'
import type { Header, RawRequest } from '../http/exchange.ts'
import { NoCredentials } from '../http/no-credentials.ts'
import { loadApi } from '../model/api.ts'
import { testedOperations } from '../model/tested-operation.ts'
import { expectAnyImplemented, findNotImplemented } from './not-implemented.ts'

const api = loadApi()
const cellsOf = (...ids: string[]) =>
  api.cells.filter(({ operation, version }) => ids.includes(operation.id) && version.generation === 'v2')

const things = { groupId, alertId: '64b7e1c20f3a5d6e7f809111' }

interface Reply {
  readonly status: number
  readonly headers?: readonly Header[]
  readonly body?: string
}

/**
 * Returns the operations that are reported as missing if the target responds like this. `known` is true if
 * the request has credentials.
 */
const absentOn = async (
  reply: (request: RawRequest, known: boolean) => Reply,
  ids = ['listAlerts', 'getAlert', 'acknowledgeAlert', 'deleteAlertConfig'],
): Promise<string[]> => {
  const { context } = contextOver(() => [200])
  const session: typeof context.session = {
    ...context.session,
    async send(request, as) {
      const { status, headers = [], body = '' } = reply(request, as.kind !== 'none')
      return { url: request.path, request, response: { status, reason: '', headers, body }, milliseconds: 1 }
    },
  }
  const found = await findNotImplemented(
    { ...context, session, target: { ...target, things } },
    cellsOf(...ids),
  )
  return [...new Set(found.map(({ operation }) => operation.id))]
}

const challenge: Header = ['WWW-Authenticate', 'Digest realm="a", nonce="b"']
const page: Reply = { status: 404, headers: [['Content-Type', 'text/html']], body: '<h1>Not found</h1>' }
const notFound: Reply = {
  status: 404,
  headers: [['Content-Type', 'application/json']],
  body: '{"error":404,"errorCode":"RESOURCE_NOT_FOUND","reason":"Not Found","detail":"No such resource."}',
}
const unauthorized: Reply = { status: 401, headers: [challenge] }
const isAlert = ({ path }: RawRequest): boolean => path.includes('/alerts')
const isUnknown = ({ path }: RawRequest): boolean => path.endsWith('-unknown')

test.each([
  ['a page with 404', page],
  ['an error of the API with 404', notFound],
  ['405', { status: 405, headers: [['Allow', 'GET']] } satisfies Reply],
  ['501', { status: 501 }],
])('an operation that returns %s to all callers is absent', async (_, reply) => {
  const absent = await absentOn((request) => {
    if (isUnknown(request)) return notFound
    return isAlert(request) ? reply : unauthorized
  })
  expect(absent).toEqual(['acknowledgeAlert', 'getAlert', 'listAlerts'].sort())
})

test('a challenge proves that an operation exists, regardless of the status', async () => {
  expect(await absentOn(() => ({ status: 404, headers: [challenge] }))).toEqual([])
})

test('a server that authenticates first is asked again with credentials', async () => {
  const absent = await absentOn((request, known) => {
    if (!known) return unauthorized
    return isAlert(request) || isUnknown(request) ? page : { status: request.method === 'GET' ? 200 : 400 }
  })
  expect(absent).toEqual(['acknowledgeAlert', 'getAlert', 'listAlerts'].sort())
})

test('a server that hides everything from unknown callers has its operations', async () => {
  const absent = await absentOn((request, known) => {
    if (!known || isUnknown(request)) return page
    return request.method === 'DELETE' ? notFound : { status: 200, body: '{}' }
  })
  expect(absent).toEqual([])
})

test('a target that offers no challenge has no operations', async () => {
  const absent = await absentOn((_, known) => {
    if (known) throw new NoCredentials('a Digest challenge')
    return page
  })
  expect(absent).toHaveLength(4)
})

test('a stale id does not make an operation absent', async () => {
  const absent = await absentOn((request, known) => {
    if (!known) return unauthorized
    if (isUnknown(request)) return page
    return isAlert(request) ? notFound : { status: 200, body: '{}' }
  })
  expect(absent).toEqual([])
})

test('a probe names no existing resource, except to read it', async () => {
  const sent: string[] = []
  await absentOn((request) => {
    sent.push(`${request.method} ${request.path} ${request.body}`)
    return page
  })
  const changing = sent.filter((one) => !one.startsWith('GET'))
  expect(changing.length).toBeGreaterThan(2)
  for (const one of changing) expect(one).toMatch(/\/f0f0f0f0f0f0f0f0f0f0f0f0 undefined$/)
  expect(changing.filter((one) => one.startsWith('DELETE') && one.includes(groupId))).toEqual([])
  expect(sent.some((one) => one.includes(`/alerts/${things.alertId} `))).toBe(true)
})

test('names the address if nothing is implemented', () => {
  const cells = cellsOf('listAlerts', 'getAlert')
  const absent = testedOperations(cells, new Set(cells))
  expect(() => expectAnyImplemented('http://x', absent)).toThrow(
    'none of the 2 operations is implemented at http://x: check that it is the address',
  )
  expect(() => expectAnyImplemented('http://x', absent.slice(0, 1))).toThrow('getAlert is not implemented at')
  expect(() => expectAnyImplemented('http://x', testedOperations(cells, new Set()))).not.toThrow()
})
