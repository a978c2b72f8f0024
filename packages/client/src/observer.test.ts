import { afterEach, describe, expect, test, vi } from 'vitest'
import { path, rejection, response, setup } from '../test/setup.ts'
import type { ClientOptions } from './create-client.ts'
import { createLog } from './log.ts'
import type { CallObservation, Observer } from './observer.ts'
import { brokenBody, htmlPage, type Responder } from './testing/index.ts'

function observed(respond: Responder) {
  const events: unknown[] = []
  const name = (error: unknown): unknown => (error instanceof Error ? error.name : error)
  const observer = () => ({
    attempt: (error?: unknown) => void events.push(['attempt', name(error)]),
    end: (error?: unknown) => void events.push(['end', name(error)]),
  })
  return { events, ...setup(respond, { observer, retry: { maxRetries: 0 } }) }
}

describe('an observer gets the outcome of the call', () => {
  test('for a success', async () => {
    const { client, events } = observed(() => response({}))
    await client.getAlert(path)
    expect(events).toEqual([
      ['attempt', undefined],
      ['end', undefined],
    ])
  })

  test.each([
    ['a page of HTML', htmlPage()],
    ['half a body', () => new Response('{"id":', { headers: { 'content-type': 'application/json' } })],
    ['another version', () => response({}, {}, '2024-05-30')],
  ])('for %s, which is an error', async (_, respond) => {
    const { client, events } = observed(respond)
    expect(await rejection(client.getAlert(path))).toMatchObject({ name: 'ParseError' })
    expect(events.at(-1)).toEqual(['end', 'ParseError'])
  })

  test('for a broken connection', async () => {
    const { client, events } = observed(brokenBody())
    await rejection(client.getAlert(path))
    expect(events).toEqual([
      ['attempt', 'NetworkError'],
      ['end', 'NetworkError'],
    ])
  })

  test('for invalid arguments and options', async () => {
    const { client, events } = observed(() => response({}))
    await rejection(client.getAlert({ ...path, alertId: '' }))
    await rejection(client.getAlert(path, { timeoutMs: -1 }))
    expect(events).toEqual([
      ['end', 'TypeError'],
      ['end', 'TypeError'],
    ])
  })

  test('with the observation as `this`', async () => {
    class Span implements CallObservation {
      readonly ended: unknown[] = []
      end(error?: unknown): void {
        this.ended.push(error)
      }
    }
    const span = new Span()
    await setup(() => response({}), { observer: () => span }).client.getAlert(path)
    expect(span.ended).toEqual([undefined])
  })
})

describe('no call awaits a callback', () => {
  const never = (): Promise<never> => new Promise(() => undefined)
  test.each<[string, Partial<ClientOptions>]>([
    // The types don't allow these values, but untyped code can pass them.
    ['an observer', { observer: never as unknown as Observer }],
    ['an observation', { observer: () => ({ attempt: never, end: never }) }],
    ['onDeprecation', { onDeprecation: never }],
    ['the logger', { middleware: [createLog({ logger: { debug: never, warn: never } })] }],
  ])('%s', async (_, options) => {
    const { client } = setup(() => response({ id: 'a' }, { deprecation: 'true' }), {
      onDeprecation: () => undefined,
      ...options,
    })
    expect(await client.getAlert(path)).toEqual({ id: 'a' })
  })
})

describe('a callback that throws fails no call, and is logged to the console', () => {
  afterEach(() => void vi.restoreAllMocks())

  const fail = (): never => {
    throw new TypeError('mine')
  }
  const failLater = async (): Promise<never> => fail()
  const cases: readonly [string, Partial<ClientOptions>][] = [
    ['an observer', { observer: fail }],
    ['attempt of an observation', { observer: () => ({ attempt: fail }) }],
    ['end of an observation', { observer: () => ({ end: fail }) }],
    ['onDeprecation', { onDeprecation: fail }],
    ['the logger', { middleware: [createLog({ logger: { debug: fail, warn: fail } })] }],
    ['an observer that fails later', { observer: failLater as unknown as Observer }],
    ['an observation that fails later', { observer: () => ({ end: failLater }) }],
    ['onDeprecation that fails later', { onDeprecation: failLater }],
    [
      'a logger that fails later',
      { middleware: [createLog({ logger: { debug: failLater, warn: failLater } })] },
    ],
  ]
  test.each(cases)('%s', async (_, options) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const { client } = setup(() => response({ id: 'a' }, { deprecation: 'true' }), {
      onDeprecation: () => undefined,
      ...options,
    })
    expect(await client.getAlert(path)).toEqual({ id: 'a' })
    expect(warn.mock.calls).toEqual([['callback failed: TypeError: mine']])
  })

  test.each([
    ['a symbol', Symbol('mine'), 'Symbol(mine)'],
    ['an object without a text', Object.create(null), 'no text'],
    ['nothing', undefined, 'undefined'],
  ])('logs any thrown value, such as %s', async (_, thrown, text) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const raise = (): never => {
      throw thrown
    }
    for (const observer of [raise, () => ({ end: raise })]) {
      const { client } = setup(() => response({ id: 'a' }), { observer })
      expect(await client.getAlert(path)).toEqual({ id: 'a' })
    }
    expect(warn.mock.calls).toEqual(Array(2).fill([`callback failed: ${text}`]))
  })

  test('does not replace the error of the call', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const logger = { debug: fail, warn: fail }
    const options = { observer: () => ({ end: fail }), middleware: [createLog({ logger })] }
    const { client } = setup(() => Response.json({}, { status: 404 }), options)
    expect(await rejection(client.getAlert(path))).toMatchObject({ status: 404 })
  })
})
