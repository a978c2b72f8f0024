import { getEventListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { path, rejection, response, setup } from '../test/setup.ts'
import { sleep } from './deadline.ts'
import { TimeoutError } from './errors.ts'
import { createTestClock, hanging, rateLimited, slowBody, unavailable } from './testing/index.ts'

/** Waits until all promises that don't depend on a timer have settled. */
const flushPromises = () => setImmediate()

describe('the caller’s signal', () => {
  test.each([
    ['the response', () => new Promise<Response>(() => undefined), {}],
    ['the body', slowBody(), {}],
    ['the next attempt', unavailable(), { random: () => 1 }],
    ['the end of a pause', rateLimited(30), {}],
    [
      'a token',
      () => new Promise<Response>(() => undefined),
      { credentials: { clientId: 'a', clientSecret: 'b' } },
    ],
  ])('ends the wait for %s immediately, and leaves nothing behind', async (_, respond, options) => {
    const { client, clock } = setup(respond, options)
    const controller = new AbortController()
    const work = rejection(client.getAlert(path, { signal: controller.signal }))
    await clock.advance(0)
    controller.abort(new Error('enough'))
    const first = await Promise.race([work, flushPromises().then(() => 'too late')])
    expect(first).toEqual(new Error('enough'))
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  })

  test('prevents sending the call if it is already aborted', async () => {
    const { client, requests } = setup(() => response({}))
    const signal = AbortSignal.abort(new Error('never mind'))
    expect(await rejection(client.getAlert(path, { signal }))).toEqual(new Error('never mind'))
    expect(requests).toHaveLength(0)
  })

  test('is passed on to fetch', async () => {
    const { client, clock, requests } = setup(hanging())
    const controller = new AbortController()
    const work = rejection(client.getAlert(path, { signal: controller.signal }))
    await clock.advance(0)
    controller.abort()
    await work
    expect(requests[0]?.signal?.aborted).toBe(true)
  })

  test('has no listener left after 10,000 calls', async () => {
    const { client, clock } = setup(() => response({}))
    const { signal } = new AbortController()
    for (let round = 0; round < 100; round++) {
      await Promise.all(Array.from({ length: 100 }, () => client.getAlert(path, { signal })))
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    expect(clock.pending).toBe(0)
  })
})

test('100 parallel calls share one listener on a signal, and all of them are aborted by it', async () => {
  const { client } = setup(hanging())
  const controller = new AbortController()
  const { signal } = controller
  const calls = Array.from({ length: 100 }, () => rejection(client.getAlert(path, { signal })))
  expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1)
  await flushPromises()
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  controller.abort(new Error('enough'))
  expect(await Promise.all(calls)).toEqual(calls.map(() => new Error('enough')))
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

describe('the timeout of one attempt', () => {
  test.each([
    ['a response', hanging()],
    ['a body', slowBody()],
    ['a response of a fetch that ignores its signal', () => new Promise<Response>(() => undefined)],
  ])('ends the wait for %s', async (_, respond) => {
    const { client, clock, requests } = setup(respond, { timeoutMs: 5_000, retry: { maxRetries: 0 } })
    const work = rejection(client.getAlert(path))
    await clock.advance(4_999)
    expect(requests[0]?.signal?.aborted).toBe(false)
    await clock.advance(1)
    expect(await work).toBeInstanceOf(TimeoutError)
    expect(await work).toMatchObject({ timeoutMs: 5_000, operationId: 'getAlert' })
    expect(requests[0]?.signal?.aborted).toBe(true)
  })

  test('can be set for one call', async () => {
    const { client, clock } = setup(hanging(), { retry: { maxRetries: 0 } })
    const work = rejection(client.getAlert(path, { timeoutMs: 10 }))
    await clock.advance(10)
    expect(await work).toMatchObject({ timeoutMs: 10 })
  })
})

test('sleep removes its listener when the time is up', async () => {
  const clock = createTestClock()
  const { signal } = new AbortController()
  const work = sleep(10, clock, signal)
  await clock.advance(10)
  await work
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})
