import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { groupId, path, rejection, response, setup } from '../test/setup.ts'
import { NetworkError, TimeoutError } from './errors.ts'
import { RateLimitError, UnavailableError } from './status-errors.ts'
import {
  brokenBody,
  connectionReset,
  crashed,
  hanging,
  type Responder,
  rateLimited,
  unavailable,
  withFaults,
} from './testing/index.ts'

const ok = () => response({})
const alertConfig = { groupId, body: { eventTypeName: 'OUTSIDE_METRIC_THRESHOLD', notifications: [] } }

describe('a failed call', () => {
  test('is retried twice by default, after at most 0.5 s and 1 s', async () => {
    const { client, clock, requests } = setup(unavailable(), { random: () => 1 })
    const work = rejection(client.getAlert(path))
    await clock.advance(499)
    expect(requests).toHaveLength(1)
    await clock.advance(1)
    expect(requests).toHaveLength(2)
    await clock.advance(1_000)
    expect(requests).toHaveLength(3)
    expect(await work).toBeInstanceOf(UnavailableError)
    expect(await work).toMatchObject({ attempts: 3, status: 503 })
  })

  test.each([
    ['a reset connection', connectionReset()],
    ['a body that breaks off', brokenBody()],
    ['a 500', crashed()],
  ])('recovers from %s', async (_, fault) => {
    const { client, clock } = setup(withFaults([fault, fault], ok))
    expect(await clock.settle(client.getAlert(path))).toEqual({})
    expect(clock.pending).toBe(0)
  })

  test('is not retried when retries are disabled', async () => {
    const { client, requests } = setup(connectionReset(), { retry: { maxRetries: 0 } })
    expect(await rejection(client.getAlert(path))).toBeInstanceOf(NetworkError)
    expect(requests).toHaveLength(1)
  })

  test.each([
    ['503', unavailable()],
    ['a reset connection', connectionReset()],
    ['no response in time', hanging()],
  ])('is not retried after %s if it creates a resource', async (_, fault) => {
    const { client, clock, requests } = setup(fault)
    await clock.settle(rejection(client.createAlertConfig(alertConfig)))
    expect(requests).toHaveLength(1)
  })

  test('is retried after 429 even if it creates a resource', async () => {
    const { client, clock, requests } = setup(withFaults([rateLimited(1)], ok))
    await clock.settle(client.createAlertConfig(alertConfig))
    expect(requests).toHaveLength(2)
  })

  test('is retried after 429 even if the body of the response breaks off', async () => {
    const { client, clock, requests } = setup(withFaults([brokenBody(429)], ok))
    await clock.settle(client.createAlertConfig(alertConfig))
    expect(requests).toHaveLength(2)
  })

  test('is retried if it is a PATCH that the specification marks as safe to repeat', async () => {
    const respond = withFaults([unavailable()], () => response({}, {}, '2024-05-30'))
    const { client, clock, requests } = setup(respond)
    await clock.settle(client.acknowledgeAlert({ ...path, body: {} }))
    expect(requests).toHaveLength(2)
  })
})

describe('Retry-After', () => {
  test.each([400, 404, 409, 500])('is ignored with %i', async (status) => {
    const fail = () => new Response('{}', { status, headers: { 'retry-after': '120' } })
    const { client, requests } = setup(withFaults([fail], ok), { retry: { maxRetries: 0 } })
    expect(await rejection(client.getAlert(path))).toMatchObject({ status })
    expect(await client.getAlert(path)).toEqual({})
    expect(requests).toHaveLength(2)
  })

  test('is limited to a day', async () => {
    const { client, clock, requests } = setup(withFaults([unavailable('99999999999999999999')], ok))
    await rejection(client.getAlert(path))
    expect(String(await rejection(client.getAlert(path)))).toContain('not sent, retry in 86400000 ms')
    await clock.advance(86_400_000)
    expect(await client.getAlert(path)).toEqual({})
    expect(requests).toHaveLength(2)
  })

  test('delays the retry at least that long', async () => {
    const { client, clock, requests } = setup(withFaults([rateLimited(7)], ok), { random: () => 0 })
    const work = client.getAlert(path)
    await clock.advance(6_999)
    expect(requests).toHaveLength(1)
    await clock.advance(1)
    expect(await work).toEqual({})
  })

  test('may be a date', async () => {
    const { client, clock, requests } = setup(withFaults([rateLimited('Tue, 18 Nov 2025 12:00:30 GMT')], ok))
    const work = client.getAlert(path)
    await clock.advance(29_999)
    expect(requests).toHaveLength(1)
    await clock.settle(work)
  })

  test('above the maximum fails the call immediately, with the delay in the error', async () => {
    const { client, clock, requests } = setup(rateLimited(300))
    const error = await rejection(client.getAlert(path))
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ retryAfterMs: 300_000, attempts: 1 })
    expect(requests).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })

  test('pauses every call of the client', async () => {
    const list = () => response({ results: [] })
    const { client, clock, requests } = setup(withFaults([rateLimited(10)], list))
    const first = client.getAlert(path)
    await clock.advance(1_000)
    const others = Promise.all(Array.from({ length: 20 }, () => client.listAlerts({ groupId })))
    await clock.advance(8_999)
    expect(requests).toHaveLength(1)
    await clock.settle(Promise.all([first, others]))
    expect(requests).toHaveLength(22)
  })

  test('is waited for until its end, even if it is extended', async () => {
    const faults = [rateLimited(10), rateLimited(10)]
    const { client, clock, requests } = setup(withFaults(faults, ok), { random: () => 0 })
    const first = client.getAlert(path)
    await clock.advance(0)
    const second = client.getAlert(path)
    // After 10 seconds, the first call is retried, and the server requests another 10 seconds.
    await clock.advance(19_999)
    expect(requests).toHaveLength(2)
    await clock.settle(Promise.all([first, second]))
    expect(requests).toHaveLength(4)
  })

  test('ends immediately when the caller aborts', async () => {
    const { client, clock, requests } = setup(withFaults([rateLimited(10)], ok))
    const first = client.getAlert(path)
    await clock.advance(0)
    const controller = new AbortController()
    const second = rejection(client.getAlert(path, { signal: controller.signal }))
    await clock.advance(0)
    controller.abort(new Error('enough'))
    expect(await Promise.race([second, setImmediate('still waiting')])).toEqual(new Error('enough'))
    await clock.settle(first)
    expect(requests).toHaveLength(2)
  })

  test('fails calls unsent while the pause is longer than they may wait', async () => {
    const { client, requests } = setup(withFaults([rateLimited(300)], ok))
    await rejection(client.getAlert(path))
    const error = await rejection(client.getAlert(path))
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ retryAfterMs: 300_000, attempts: 0 })
    expect(requests).toHaveLength(1)
  })

  test('fails a call immediately if the pause is longer than its remaining time', async () => {
    const { client, clock, requests } = setup(withFaults([rateLimited(10)], ok))
    const first = client.getAlert(path)
    await clock.advance(0)
    const error = await Promise.race([
      rejection(client.getAlert(path, { totalTimeoutMs: 10_000 })),
      setImmediate('still waiting'),
    ])
    expect(error).toMatchObject({ retryAfterMs: 10_000, attempts: 0 })
    await clock.settle(first)
    expect(requests).toHaveLength(2)
  })

  test('fails waiting calls once it exceeds the maximum', async () => {
    const slow: Responder = async (request) => {
      await new Promise<void>((resolve) => clock.after(2_000, resolve))
      return rateLimited(3_600)(request)
    }
    const { client, clock, requests } = setup(withFaults([slow, rateLimited(5)], ok), { random: () => 0 })
    const calls = [client.getAlert(path), client.getAlert(path)].map(rejection)
    await clock.advance(0)
    const waiting = rejection(client.getAlert(path, { totalTimeoutMs: 20_000 }))
    const started = clock.now()
    const error = await clock.settle(waiting)
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ retryAfterMs: 3_597_000, attempts: 0 })
    expect(clock.now() - started).toBe(5_000)
    await clock.settle(Promise.all(calls))
    expect(requests).toHaveLength(2)
  })

  test('fails waiting calls once it exceeds their remaining time', async () => {
    const faults = [rateLimited(10), rateLimited(10)]
    const { client, clock, requests } = setup(withFaults(faults, ok), { random: () => 0 })
    const first = client.getAlert(path)
    await clock.advance(0)
    const second = rejection(client.getAlert(path, { totalTimeoutMs: 15_000 }))
    await clock.settle(Promise.all([first, second]))
    expect(await second).toMatchObject({ name: 'RateLimitError', retryAfterMs: 10_000, attempts: 0 })
    expect(requests).toHaveLength(3)
  })

  test('fails a call whose time expires during the random extra wait', async () => {
    const { client, clock, requests } = setup(withFaults([rateLimited(10)], ok), { random: () => 1 })
    const first = client.getAlert(path)
    await clock.advance(0)
    const second = rejection(client.getAlert(path, { totalTimeoutMs: 10_500 }))
    await clock.settle(Promise.all([first, second]))
    expect(await second).toBeInstanceOf(TimeoutError)
    expect(await second).toMatchObject({ timeoutMs: 10_500, attempts: 0 })
    expect(requests).toHaveLength(2)
  })

  test('applies to clients for other versions too', async () => {
    const { client, clock, requests } = setup(withFaults([rateLimited(10)], ok))
    const first = client.getAlert(path)
    await clock.advance(0)
    const second = client.at('2023-01-01').getAlert(path)
    await clock.advance(9_000)
    expect(requests).toHaveLength(1)
    await clock.settle(Promise.all([first, second]))
  })
})

describe('the retry budget', () => {
  test('limits the load on a server that keeps failing', async () => {
    const { client, clock, requests } = setup(unavailable(), { retryBudget: { size: 10, ratio: 0.1 } })
    for (let call = 0; call < 100; call++) await clock.settle(rejection(client.getAlert(path)))
    expect(requests.length).toBeLessThanOrEqual(100 + 10 + 10)
    expect(requests.length).toBeGreaterThanOrEqual(100 + 10)
  })
})

describe('the total timeout', () => {
  test('ends a call whose attempts hang, and counts all attempts', async () => {
    const options = { timeoutMs: 10_000, totalTimeoutMs: 25_000, retry: { maxRetries: 9 }, random: () => 0 }
    const { client, clock, requests } = setup(hanging(), options)
    const started = clock.now()
    const error = await clock.settle(rejection(client.getAlert(path)))
    expect(error).toBeInstanceOf(TimeoutError)
    // The error shows the configured timeout instead of the time that was left for the last attempt.
    expect(error).toMatchObject({
      timeoutMs: 25_000,
      message: 'getAlert: no complete response within 25000 ms',
    })
    expect(clock.now() - started).toBe(25_000)
    expect(requests).toHaveLength(3)
    expect(clock.pending).toBe(0)
  })

  test('prevents a wait that is longer than the remaining time', async () => {
    const { client, clock, requests } = setup(unavailable(20), { totalTimeoutMs: 15_000 })
    expect(await rejection(client.getAlert(path))).toBeInstanceOf(UnavailableError)
    expect(requests).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })
})
