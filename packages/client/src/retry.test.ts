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

describe('a call that fails', () => {
  test('is made twice more by default, after half a second and a second at most', async () => {
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

  test('is not made again when retries are off', async () => {
    const { client, requests } = setup(connectionReset(), { retry: { maxRetries: 0 } })
    expect(await rejection(client.getAlert(path))).toBeInstanceOf(NetworkError)
    expect(requests).toHaveLength(1)
  })

  test.each([
    ['503', unavailable()],
    ['a reset connection', connectionReset()],
    ['no answer in time', hanging()],
  ])('is never made again after %s when it creates something', async (_, fault) => {
    const { client, clock, requests } = setup(fault)
    await clock.settle(rejection(client.createAlertConfig(alertConfig)))
    expect(requests).toHaveLength(1)
  })

  test('is made again after 429 even when it creates something: it was not processed', async () => {
    const { client, clock, requests } = setup(withFaults([rateLimited(1)], ok))
    await clock.settle(client.createAlertConfig(alertConfig))
    expect(requests).toHaveLength(2)
  })

  test('is made again when it is a PATCH that the specification marks as safe to repeat', async () => {
    const respond = withFaults([unavailable()], () => response({}, {}, '2024-05-30'))
    const { client, clock, requests } = setup(respond)
    await clock.settle(client.acknowledgeAlert({ ...path, body: {} }))
    expect(requests).toHaveLength(2)
  })
})

describe('Retry-After', () => {
  test.each([400, 404, 409, 500])(
    'is of no account with %i: other calls are sent at once',
    async (status) => {
      const refuse = () => new Response('{}', { status, headers: { 'retry-after': '120' } })
      const { client, requests } = setup(withFaults([refuse], ok), { retry: { maxRetries: 0 } })
      expect(await rejection(client.getAlert(path))).toMatchObject({ status })
      expect(await client.getAlert(path)).toEqual({})
      expect(requests).toHaveLength(2)
    },
  )

  test('without bounds does not stop the client for good', async () => {
    const { client, clock, requests } = setup(withFaults([unavailable('99999999999999999999')], ok))
    await rejection(client.getAlert(path))
    expect(String(await rejection(client.getAlert(path)))).toContain('not sent, wait 86400000 ms')
    await clock.advance(86_400_000)
    expect(await client.getAlert(path)).toEqual({})
    expect(requests).toHaveLength(2)
  })

  test('is waited for, and never undercut', async () => {
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

  test('above the cap is thrown at once, with the delay in it', async () => {
    const { client, clock, requests } = setup(rateLimited(300))
    const error = await rejection(client.getAlert(path))
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ retryAfterMs: 300_000, attempts: 1 })
    expect(requests).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })

  test('pauses every call of the client', async () => {
    const { client, clock, requests } = setup(withFaults([rateLimited(10)], ok))
    const first = client.getAlert(path)
    await clock.advance(1_000)
    const others = Promise.all(Array.from({ length: 20 }, () => client.listAlerts({ groupId })))
    await clock.advance(8_999)
    expect(requests).toHaveLength(1)
    await clock.settle(Promise.all([first, others]))
    expect(requests).toHaveLength(22)
  })

  test('is waited for to its end also where it grows meanwhile', async () => {
    const faults = [rateLimited(10), rateLimited(10)]
    const { client, clock, requests } = setup(withFaults(faults, ok), { random: () => 0 })
    const first = client.getAlert(path)
    await clock.advance(0)
    const second = client.getAlert(path)
    // At ten seconds the first one is sent again, and the server asks for ten more.
    await clock.advance(19_999)
    expect(requests).toHaveLength(2)
    await clock.settle(Promise.all([first, second]))
    expect(requests).toHaveLength(4)
  })

  test('is left at once when the caller aborts', async () => {
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

  test('lets calls fail at once, unsent, while the pause is longer than they may wait', async () => {
    const { client, requests } = setup(withFaults([rateLimited(300)], ok))
    await rejection(client.getAlert(path))
    const error = await rejection(client.getAlert(path))
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ retryAfterMs: 300_000, attempts: 0 })
    expect(requests).toHaveLength(1)
  })

  test('lets a call fail at once that has less time than that', async () => {
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

  test('is waited for no longer once it grew above what a call may wait', async () => {
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

  test('sends nothing of a call that would outlast its time by it once it grew', async () => {
    const faults = [rateLimited(10), rateLimited(10)]
    const { client, clock, requests } = setup(withFaults(faults, ok), { random: () => 0 })
    const first = client.getAlert(path)
    await clock.advance(0)
    const second = rejection(client.getAlert(path, { totalTimeoutMs: 15_000 }))
    await clock.settle(Promise.all([first, second]))
    expect(await second).toMatchObject({ name: 'RateLimitError', retryAfterMs: 10_000, attempts: 0 })
    expect(requests).toHaveLength(3)
  })

  test('sends nothing of a call whose time ran out in what comes on top of it', async () => {
    const { client, clock, requests } = setup(withFaults([rateLimited(10)], ok), { random: () => 1 })
    const first = client.getAlert(path)
    await clock.advance(0)
    const second = rejection(client.getAlert(path, { totalTimeoutMs: 10_500 }))
    await clock.settle(Promise.all([first, second]))
    expect(await second).toBeInstanceOf(TimeoutError)
    expect(await second).toMatchObject({ timeoutMs: 10_500, attempts: 0 })
    expect(requests).toHaveLength(2)
  })

  test('holds for views of the client on other versions too', async () => {
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
  test('bounds the load of a server that fails for good', async () => {
    const { client, clock, requests } = setup(unavailable(), { retryBudget: { size: 10, ratio: 0.1 } })
    for (let call = 0; call < 100; call++) await clock.settle(rejection(client.getAlert(path)))
    expect(requests.length).toBeLessThanOrEqual(100 + 10 + 10)
    expect(requests.length).toBeGreaterThanOrEqual(100 + 10)
  })
})

describe('the total time', () => {
  test('ends a call whose attempts hang, with every attempt in it', async () => {
    const options = { timeoutMs: 10_000, totalTimeoutMs: 25_000, retry: { maxRetries: 9 }, random: () => 0 }
    const { client, clock, requests } = setup(hanging(), options)
    const started = clock.now()
    const error = await clock.settle(rejection(client.getAlert(path)))
    expect(error).toBeInstanceOf(TimeoutError)
    // The limit that was set, and not what was left of it for the last attempt.
    expect(error).toMatchObject({ timeoutMs: 25_000, message: 'getAlert: no answer within 25000 ms' })
    expect(clock.now() - started).toBe(25_000)
    expect(requests).toHaveLength(3)
    expect(clock.pending).toBe(0)
  })

  test('is not spent on a wait that would outlast it', async () => {
    const { client, clock, requests } = setup(unavailable(20), { totalTimeoutMs: 15_000 })
    expect(await rejection(client.getAlert(path))).toBeInstanceOf(UnavailableError)
    expect(requests).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })
})
