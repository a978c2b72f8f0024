import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createDigestServer, key } from '../test/digest-server.ts'
import { context, groupId, path, rejection, response, setup } from '../test/setup.ts'
import { ApiError, isErrorCode, NetworkError, ParseError } from './errors.ts'
import { parseBigIntegers } from './json.ts'
import * as classes from './status-errors.ts'
import { createApiError } from './status-errors.ts'
import { brokenBody, htmlPage, truncatedJson } from './testing/index.ts'

const problem = {
  error: 409,
  errorCode: 'SNAPSHOT_IN_PROGRESS',
  reason: 'Conflict',
  detail: 'A snapshot is queued.',
  parameters: ['/retentionInDays'],
}
const problemResponse =
  (body: unknown, status: number, headers: Record<string, string> = {}) =>
  () =>
    Response.json(body, { status, headers })

describe('an API error', () => {
  test('has all details of the response', async () => {
    const { client } = setup(problemResponse(problem, 409, { 'x-request-id': 'req-1' }))
    const error = await rejection(client.getAlert(path))
    expect(error).toBeInstanceOf(classes.ConflictError)
    expect(error).toMatchObject({
      name: 'ConflictError',
      message: 'getAlert: 409 SNAPSHOT_IN_PROGRESS - A snapshot is queued. (request req-1)',
      status: 409,
      errorCode: 'SNAPSHOT_IN_PROGRESS',
      reason: 'Conflict',
      detail: 'A snapshot is queued.',
      parameters: ['/retentionInDays'],
      requestId: 'req-1',
      method: 'GET',
      path: '/groups/{groupId}/alerts/{alertId}',
      version: '2023-01-01',
      attempts: 1,
    })
  })

  test('has a message of limited length', async () => {
    const detail = 'x'.repeat(1_000_000)
    const { client } = setup(problemResponse({ ...problem, detail }, 409))
    const error = await rejection(client.getAlert(path))
    expect(error.message.length).toBeLessThan(1_100)
    expect(error).toMatchObject({ detail })
  })

  test.each([
    ['<https://docs.example/errors/A>; rel="help"', 'https://docs.example/errors/A'],
    ['<https://docs.example/errors/A>; rel=help', 'https://docs.example/errors/A'],
    ['</errors/A>; rel=help', undefined],
    [
      '</a>; rel="successor-version", <http://localhost/A>; title="x"; rel="deprecation help"',
      'http://localhost/A',
    ],
    ['<https://a.example>; rel="helpful"', undefined],
    ['<https://a.example>; rel="next"; title="help"', undefined],
    ['</a>; rel="next", </b>; rel="prev"', undefined],
  ])('has the URL of its documentation: %s', async (link, helpUrl) => {
    const { client } = setup(problemResponse(problem, 409, { link }))
    expect(await rejection(client.getAlert(path))).toHaveProperty('helpUrl', helpUrl)
  })

  test('converts to JSON without stack and headers', async () => {
    const { client } = setup(problemResponse(problem, 409))
    const printed = JSON.parse(JSON.stringify(await rejection(client.getAlert(path))))
    expect(printed).toMatchObject({ name: 'ConflictError', status: 409, operationId: 'getAlert' })
    expect(printed.message).toContain('A snapshot is queued.')
    expect(printed).not.toHaveProperty('stack')
  })

  test('ignores fields of unexpected types', async () => {
    const parameters = ['/a', 1, { toString: 1, valueOf: 1 }]
    const { client } = setup(() => Response.json({ detail: {}, parameters }, { status: 400 }))
    expect(await rejection(client.getAlert(path))).toMatchObject({
      name: 'BadRequestError',
      parameters: ['/a'],
    })
  })

  test('has the status even if the body is unreadable', async () => {
    const { client } = setup(
      () => new Response('<h1>Bad gateway</h1>', { status: 501, statusText: 'Not Implemented' }),
    )
    expect(await rejection(client.getAlert(path))).toMatchObject({ status: 501, reason: 'Not Implemented' })
  })

  test('has the status even if the connection breaks before the end of the body', async () => {
    const { client, requests } = setup(brokenBody(409))
    const error = await rejection(client.getAlert(path))
    expect(error).toBeInstanceOf(classes.ConflictError)
    expect(requests).toHaveLength(1)
  })

  test('with status 304 is not called a redirect', async () => {
    const { client } = setup(() => new Response(null, { status: 304, statusText: 'Not Modified' }))
    expect(await rejection(client.getAlert(path))).toMatchObject({ message: 'getAlert: 304 Not Modified' })
  })

  test('for a redirect names the target without credentials', async () => {
    const headers = { location: 'https://me:hush@login.example.com/start?RelayState=hush' }
    const respond = () => new Response(null, { status: 308, statusText: 'Permanent Redirect', headers })
    expect(await rejection(setup(respond).client.getAlert(path))).toMatchObject({
      message:
        "getAlert: 308 Permanent Redirect - https://login.example.com/start - the client doesn't follow redirects, check baseUrl",
      detail: 'https://login.example.com/start',
    })
  })

  test.each([
    ['<html><head><title>\n Sign in </title></head><body>…</body></html>', 'Sign in'],
    ['Forbidden by\n the proxy\u001b[31m', 'Forbidden by the proxy [31m'],
    ['<h1>Forbidden</h1>', undefined],
    ['["hush"', undefined],
    ['', undefined],
  ])('has the text of a page from a gateway: %j', async (page, detail) => {
    const { client } = setup(() => new Response(page, { status: 403, statusText: 'Forbidden' }))
    const shown = detail ? ` - ${detail}` : ''
    const error = await rejection(client.getAlert(path))
    expect(error).toMatchObject({ message: `getAlert: 403 Forbidden${shown}` })
    expect(error).toMatchObject({ detail: detail && expect.stringMatching(/^(Sign in|Forbidden by)/) })
  })

  test('with status 401 shows that the client has no credentials, if so', async () => {
    const respond = () => Response.json({ errorCode: 'UNAUTHORIZED', detail: 'no' }, { status: 401 })
    const shown = 'getAlert: 401 UNAUTHORIZED - no'
    const without = setup(respond).client
    const hint = `${shown} - the client has no credentials`
    expect(await rejection(without.getAlert(path))).toMatchObject({ message: hint, detail: 'no' })
    const token = setup(respond, { credentials: { accessToken: 'old' } }).client
    expect(await rejection(token.getAlert(path))).toMatchObject({ message: shown })
  })

  test('has one line regardless of what the server sends', async () => {
    const detail = 'a\nERROR forged\u001b[31m'
    const { client } = setup(() => Response.json({ errorCode: 'VALIDATION_ERROR', detail }, { status: 400 }))
    const message = 'getAlert: 400 VALIDATION_ERROR - a ERROR forged [31m'
    expect(await rejection(client.getAlert(path))).toMatchObject({ message, detail })
  })

  test('for a redirect in a browser has the response type as its reason', async () => {
    const opaque = Object.defineProperties(Response.error(), { type: { value: 'opaqueredirect' } })
    const { client } = setup(() => opaque)
    expect(await rejection(client.getAlert(path))).toMatchObject({
      message: 'getAlert: opaqueredirect',
      status: 0,
    })
  })

  test.each([
    [400, 'BadRequestError'],
    [401, 'AuthenticationError'],
    [403, 'PermissionError'],
    [404, 'NotFoundError'],
    [405, 'MethodNotAllowedError'],
    [406, 'NotAcceptableError'],
    [409, 'ConflictError'],
    [410, 'GoneError'],
    [413, 'PayloadTooLargeError'],
    [415, 'UnsupportedMediaTypeError'],
    [418, 'ApiError'],
    [429, 'RateLimitError'],
    [500, 'ServerError'],
    [503, 'UnavailableError'],
  ])('with status %i is a %s', (status, name) => {
    const error = createApiError(context(), { status })
    expect(error.name).toBe(name)
    expect(error.constructor.name).toBe(name)
    expect(inspect(error)).toMatch(new RegExp(`^${name}: getAlert`))
    expect(error).toBeInstanceOf(ApiError)
  })
})

test('status error classes are types too', () => {
  const detailOf = (error: classes.ConflictError | classes.ServerError): string => {
    const status: number = error.status
    return `${status} ${error.detail}`
  }
  const conflict: classes.ConflictError = new classes.ConflictError(context(), {
    status: 409,
    detail: 'busy',
  })
  const status: 409 = conflict.status
  expect([status, detailOf(conflict)]).toEqual([409, '409 busy'])
  // @ts-expect-error a 404 isn't a conflict
  const other: classes.ConflictError = new classes.NotFoundError(context(), { status: 404 })
  expect(other).not.toBeInstanceOf(classes.ConflictError)
})

test('isErrorCode narrows to a code and its status, and accepts unknown codes', () => {
  const error: unknown = createApiError(context(), { status: 409, errorCode: 'SNAPSHOT_IN_PROGRESS' })
  expect(isErrorCode(error, 'DUPLICATE_NAME')).toBe(false)
  expect(isErrorCode(error, 'SOMETHING_NEW')).toBe(false)
  if (!isErrorCode(error, 'SNAPSHOT_IN_PROGRESS')) throw new Error('not narrowed')
  const status: 409 = error.status
  const code: 'SNAPSHOT_IN_PROGRESS' | undefined = error.errorCode
  expect([status, code]).toEqual([409, 'SNAPSHOT_IN_PROGRESS'])
  expect(isErrorCode(new Error('other'), 'SNAPSHOT_IN_PROGRESS')).toBe(false)
})

describe('an unreadable response', () => {
  test('causes a ParseError for an HTML page with status 200', async () => {
    const error = await rejection(setup(htmlPage()).client.getAlert(path))
    expect(error).toBeInstanceOf(ParseError)
    expect(error).toMatchObject({ status: 200, contentType: 'text/html', operationId: 'getAlert' })
    expect(String(error)).toContain('Sign in')
  })

  test.each([
    ['breaks off', '{"linkToken":"hush-hu'],
    ['is broken', '{"linkToken":hush-hush}'],
  ])('is not quoted in the error when its JSON %s', async (_, text) => {
    const error = await rejection(setup(truncatedJson(text)).client.getAlert(path))
    expect(error).toBeInstanceOf(ParseError)
    expect(inspect(error)).not.toContain('hush')
  })

  test.each(['', 'text/plain'])(
    'is not quoted in the error when its JSON has the media type "%s"',
    async (type) => {
      const respond = () => new Response(' {"linkToken":"hush-hush"}', { headers: { 'content-type': type } })
      const error = await rejection(setup(respond).client.getAlert(path))
      expect(error).toMatchObject({
        name: 'ParseError',
        message: `getAlert: 200 ${type || 'without content-type'}: not JSON`,
      })
      expect(inspect(error)).not.toContain('hush')
    },
  )

  test('causes a ParseError for another version than the requested one', async () => {
    const { client } = setup(() => response({}, {}, '2024-05-30'))
    expect(String(await rejection(client.getAlert(path)))).toContain('expected version 2023-01-01')
  })

  test('causes a ParseError for an integer that would be rounded', async () => {
    const body = () =>
      new Response('{"storageSizeBytes":9007199254740993}', {
        headers: { 'content-type': 'application/json' },
      })
    expect(await rejection(setup(body).client.getAlert(path))).toBeInstanceOf(ParseError)
    const { client } = setup(body, { parseJson: parseBigIntegers })
    expect(await client.getAlert(path)).toEqual({ storageSizeBytes: 9007199254740993n })
  })
})

test('a NetworkError has a message of one line', async () => {
  const cause = new Error('wrong version number:ssl3_record.c:350:\n')
  const fetch = async () => Promise.reject(new TypeError('fetch failed', { cause }))
  const { client } = setup(() => response({}), { fetch, retry: { maxRetries: 0 } })
  expect(await rejection(client.getAlert(path))).toMatchObject({ message: expect.stringMatching(/350:$/) })
})

test('a NetworkError names the server, and whether a token was requested', async () => {
  const down = () => new TypeError('fetch failed')
  const retry = { maxRetries: 0 }
  expect(await rejection(setup(down, { retry }).client.getAlert(path))).toMatchObject({
    message: 'getAlert: no complete response from https://cloud.example.com: fetch failed',
  })
  const credentials = { clientId: 'id', clientSecret: 'hush-secret' }
  expect(await rejection(setup(down, { retry, credentials }).client.getAlert(path))).toMatchObject({
    message: 'issueToken: no complete response from https://cloud.example.com: fetch failed (token request)',
  })
})

describe('secrets', () => {
  const printed = (error: unknown): string =>
    `${error} ${JSON.stringify(error)} ${inspect(error, { depth: 9, showHidden: true })}`

  test('of an API key are in no error, even if fetch attaches the request to its error', async () => {
    const server = createDigestServer(() => response({}))
    const { client, requests } = setup(
      (request) => {
        const header = request.headers.get('authorization')
        if (!header) return server.respond(request)
        return Object.assign(new TypeError(`could not send ${header}`), { request, config: { header } })
      },
      { credentials: key, retry: { maxRetries: 0 } },
    )
    const error = await rejection(client.getAlert(path))
    expect(error).toBeInstanceOf(NetworkError)
    const header = requests[1]?.headers.get('authorization') ?? ''
    expect(header).toContain('response=')
    expect(printed(error)).not.toContain(key.privateKey)
    expect(printed(error)).not.toContain(header.slice(7))
    expect(printed(error)).toContain('***')
  })

  test('of a service account and its token are in no error', async () => {
    const credentials = { clientId: 'id', clientSecret: 'hush-secret' }
    for (const failing of ['/api/oauth/token', '/api/svc/v2']) {
      const { client } = setup(
        ({ url, headers }) => {
          if (url.pathname.startsWith(failing)) return new Error(`rejected: ${headers.get('authorization')}`)
          return Response.json({ access_token: 'hush-token', expires_in: 3600 })
        },
        { credentials, retry: { maxRetries: 0 } },
      )
      const text = printed(await rejection(client.listAlerts({ groupId })))
      for (const secret of ['hush-secret', 'hush-token', btoa('id:hush-secret')])
        expect(text).not.toContain(secret)
    }
  })
})
