import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { path, rejection, response, setup } from '../test/setup.ts'
import { NetworkError, ParseError } from './errors.ts'
import { NotFoundError } from './status-errors.ts'
import { connectionReset, htmlPage } from './testing/index.ts'

const missing = () =>
  Response.json(
    { error: 404, errorCode: 'RESOURCE_NOT_FOUND', reason: 'Not Found', detail: '' },
    { status: 404 },
  )

describe('a call', () => {
  test('is sent once, even if its response is read several times', async () => {
    const { client, requests } = setup(() => response({ id: 'a' }, { 'x-request-id': 'req-1' }))
    const call = client.getAlert(path)
    expect(await call).toEqual({ id: 'a' })
    expect(await call.withResponse()).toMatchObject({
      data: { id: 'a' },
      status: 200,
      text: '{"id":"a"}',
      version: '2023-01-01',
      requestId: 'req-1',
      attempts: 1,
    })
    expect(await call.result()).toEqual({ status: 200, data: { id: 'a' } })
    expect(requests).toHaveLength(1)
  })

  test('is a promise', async () => {
    const { client } = setup(() => response({ id: 'a' }))
    expect(client.getAlert(path)).toBeInstanceOf(Promise)
    expect(await Promise.all([client.getAlert(path), client.getAlert(path)])).toHaveLength(2)
    expect(await client.getAlert(path).then((alert) => alert.id)).toBe('a')
    let ended = false
    await client.getAlert(path).finally(() => {
      ended = true
    })
    expect(ended).toBe(true)
  })

  test('returns a result, distinguished by status, instead of throwing', async () => {
    const result = await setup(missing).client.getAlert(path).result()
    if (result.status !== 404) throw new Error('not narrowed')
    const code: 'RESOURCE_NOT_FOUND' | (string & {}) | undefined = result.error.errorCode
    expect(code).toBe('RESOURCE_NOT_FOUND')
    expect(result.error).toBeInstanceOf(NotFoundError)
  })

  test('throws failures without a response from result() too', async () => {
    const { client } = setup(connectionReset(), { retry: { maxRetries: 0 } })
    expect(await rejection(client.getAlert(path).result())).toBeInstanceOf(NetworkError)
  })

  test('that fails causes no unhandled rejection', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => {
      unhandled.push(reason)
    }
    process.on('unhandledRejection', note)
    await setup(missing).client.getAlert(path).result()
    await rejection(setup(missing).client.getAlert(path).withResponse())
    await setImmediate()
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })

  test('without content returns undefined', async () => {
    const { client } = setup(() => new Response(null, { status: 204 }))
    expect(
      await client.deleteAlertConfig({ groupId: path.groupId, alertConfigId: path.alertId }),
    ).toBeUndefined()
  })
})

describe('a success response is checked', () => {
  const empty =
    (status: number, headers = {}) =>
    () =>
      new Response(status === 204 ? null : '', { status, headers })

  test.each([
    ['an empty 200', empty(200, { 'content-type': 'application/vnd.svc.2023-01-01+json' })],
    ['an empty 200 without a type', empty(200)],
    ['a 204', empty(204)],
    ['a 202', empty(202)],
  ])('%s is a ParseError if the operation returns a body', async (_, respond) => {
    const { client } = setup(respond)
    expect(await rejection(client.getAlert(path))).toBeInstanceOf(ParseError)
    const { groupId } = path
    expect(await rejection(client.listAlerts.toArray({ groupId }))).toBeInstanceOf(ParseError)
  })

  test('an HTML page is a ParseError if the operation returns no body', async () => {
    const { client } = setup(htmlPage())
    const gone = { groupId: path.groupId, alertConfigId: path.alertId }
    expect(await rejection(client.deleteAlertConfig(gone))).toBeInstanceOf(ParseError)
  })

  test.each(['Application/JSON', 'application/vnd.svc.2023-01-01+JSON; charset=UTF-8'])(
    'media types are compared case-insensitively: %s',
    async (contentType) => {
      const { client } = setup(() => response({ id: 'a' }, { 'content-type': contentType }))
      expect(await client.getAlert(path)).toEqual({ id: 'a' })
    },
  )

  test('another version is detected in any case', async () => {
    const contentType = 'APPLICATION/VND.SVC.2024-05-30+JSON'
    const { client } = setup(() => response({ id: 'a' }, { 'content-type': contentType }))
    expect(await rejection(client.getAlert(path))).toBeInstanceOf(ParseError)
  })
})

describe('a requested envelope', () => {
  const enveloped = (body: unknown, status = 200) =>
    setup(() => {
      const headers = {
        'content-type': status === 200 ? 'application/vnd.svc.2023-01-01+json' : 'application/json',
      }
      return new Response(JSON.stringify(body), { status, headers })
    }).client
  const args = { ...path, envelope: true }

  test('is removed from resources, arrays and errors, and a paginated list is its own envelope', async () => {
    expect(await enveloped({ status: 200, content: { id: 'a' } }).getAlert(args)).toEqual({ id: 'a' })
    expect(
      await enveloped({ status: 200, results: ['A'] }).listMatcherFieldNames({ envelope: true }),
    ).toEqual(['A'])
    const page = { status: 200, results: [], links: [], totalCount: 0 }
    expect(await enveloped(page).listAlerts(args)).toEqual(page)
    const error = {
      status: 404,
      content: { error: 404, errorCode: 'RESOURCE_NOT_FOUND', reason: 'Not Found', detail: '' },
    }
    expect(await rejection(enveloped(error, 404).getAlert(args))).toMatchObject({
      errorCode: 'RESOURCE_NOT_FOUND',
    })
  })

  test('without content returns undefined', async () => {
    const client = enveloped({ status: 204, content: {} })
    const gone = { groupId: path.groupId, alertConfigId: path.alertId, envelope: true }
    expect(await client.deleteAlertConfig(gone)).toBeUndefined()
    // The HTTP status is 200, although the types for an operation without a body contain only 204.
    expect(await client.deleteAlertConfig(gone).result()).toEqual({ status: 204, data: undefined })
    expect(await client.deleteAlertConfig(gone).withResponse()).toMatchObject({ status: 204 })
  })
})
