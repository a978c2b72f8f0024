import { operations as table } from '@svc-admin/types'
import { describe, expect, test } from 'vitest'
import * as operations from '#tables/operations'
import { baseUrl, context, groupId, path, rejection, response, setup } from '../test/setup.ts'
import { isRepeatable, type OperationRow } from './operation-row.ts'
import { buildRequest } from './request.ts'

const rows: readonly OperationRow[] = Object.values(operations)

describe('every operation of the table', () => {
  test('has a row', () => {
    expect(rows.map(({ id }) => id).sort()).toEqual(Object.keys(table).sort())
  })

  test.each(Object.values(table))(
    '$id: method, path, media types and repeatability match the table',
    (fact) => {
      const row = rows.find(({ id }) => id === fact.id)
      if (!row) throw new Error('no row')
      expect(isRepeatable(row)).toBe(fact.idempotent)
      for (const [version, { mediaType, hasBody, ...more }] of Object.entries(fact.versions)) {
        const args = {
          ...Object.fromEntries(fact.pathParameters.map((name) => [name, 'x'])),
          ...(hasBody && { body: {} }),
        }
        const request = buildRequest(row, args, { baseUrl, headers: [], context: context({ version }) })
        expect(request.method).toBe(fact.method)
        expect(request.headers.accept).toBe(mediaType)
        const media = 'requestMediaType' in more ? more.requestMediaType : mediaType
        expect(request.headers['content-type']).toBe(hasBody ? media : undefined)
        expect(new URL(request.url).pathname.endsWith(fact.path.replace(/\{\w+\}/g, 'x'))).toBe(true)
      }
    },
  )
})

describe('a request', () => {
  const build = (row: Partial<OperationRow>, args: Record<string, unknown>) =>
    buildRequest({ id: 'x', method: 'GET', path: '/x/{name}', versions: [], ...row }, args, {
      baseUrl,
      headers: [],
      context: context(),
    })

  test('encodes unsafe characters as the URL parser does', () => {
    const { url } = build({}, { name: "a/b?c#d'e é", q: "x&y='z'" })
    expect(url).toBe(`${baseUrl}/api/svc/v2/x/a%2Fb%3Fc%23d%27e%20%C3%A9?q=x%26y%3D%27z%27`)
    expect(new URL(url).href).toBe(url)
  })

  test('repeats query parameters for each element of an array, and omits undefined ones', () => {
    expect(build({}, { name: 'a', list: [1, 2], none: undefined, no: false }).url).toMatch(
      /\?list=1&list=2&no=false$/,
    )
  })

  test.each([
    ['.', '.'],
    ['..', '..'],
    ['', 'empty'],
    [undefined, 'undefined'],
    [null, 'null'],
    [Number.NaN, 'NaN'],
    [{}, '[object Object]'],
    ['\ud800', '\ud800'],
  ])('rejects the path parameter %j and names the operation', (name, shown) => {
    expect(() => build({ id: 'getX' }, { name })).toThrow(new TypeError(`getX: name cannot be ${shown}`))
  })

  test.each([null, Number.NaN, {}, [[]], [undefined], 'a\udc00'])(
    'rejects the query parameter %j',
    (status) => {
      expect(() => build({ id: 'getX' }, { name: 'a', status })).toThrow(/^getX: status cannot be /)
    },
  )

  test('encodes any complete character, and the string NaN', () => {
    expect(build({}, { name: '\ud83d\udc0e', q: 'NaN' }).url).toMatch(/\/x\/%F0%9F%90%8E\?q=NaN$/)
  })

  test('sends a form if the operation accepts one', () => {
    const row = { contentType: 'application/x-www-form-urlencoded', absolute: true, path: '/t' }
    const request = build(row, { body: { grant_type: 'client_credentials' } })
    expect(request.body).toBe('grant_type=client_credentials')
    expect(request.url).toBe(`${baseUrl}/t`)
  })

  test('keeps the path of baseUrl, and prefers call headers to client headers', async () => {
    const options = { baseUrl: 'https://proxy.example/cloud/', headers: { 'X-A': 'client', 'X-B': 'client' } }
    const { client, requests } = setup(() => response({}), options)
    const unset: object = { 'x-b': undefined, 'x-c': undefined }
    await client.getAlert(path, { headers: { 'x-a': 'call', ...unset } })
    expect(requests[0]?.url.href).toMatch(/^https:\/\/proxy\.example\/cloud\/api\/svc\/v2\//)
    expect(requests[0]?.headers.get('x-a')).toBe('call')
    expect(requests[0]?.headers.get('x-b')).toBe('client')
    expect(requests[0]?.headers.has('x-c')).toBe(false)
  })

  test('that cannot be built rejects the promise instead of throwing', async () => {
    const { client } = setup(() => response({}))
    expect(await rejection(client.getAlert({ groupId, alertId: '..' }))).toBeInstanceOf(TypeError)
  })
})
