import { afterEach, describe, expect, test, vi } from 'vitest'
import { path, rejection, response, setup } from '../test/setup.ts'
import type { ClientOptions } from './create-client.ts'
import { createLog } from './log.ts'
import type { CallObservation, Observer } from './observer.ts'
import { brokenBody, htmlPage, type Responder } from './testing/index.ts'

function observed(respond: Responder) {
  const told: unknown[] = []
  const name = (error: unknown): unknown => (error instanceof Error ? error.name : error)
  const observer = () => ({
    attempt: (error?: unknown) => void told.push(['attempt', name(error)]),
    end: (error?: unknown) => void told.push(['end', name(error)]),
  })
  return { told, ...setup(respond, { observer, retry: { maxRetries: 0 } }) }
}

describe('an observer is told what the caller gets', () => {
  test('of a success', async () => {
    const { client, told } = observed(() => response({}))
    await client.getAlert(path)
    expect(told).toEqual([
      ['attempt', undefined],
      ['end', undefined],
    ])
  })

  test.each([
    ['a page of HTML', htmlPage()],
    ['half a body', () => new Response('{"id":', { headers: { 'content-type': 'application/json' } })],
    ['another version', () => response({}, {}, '2024-05-30')],
  ])('of %s, which is no success', async (_, respond) => {
    const { client, told } = observed(respond)
    expect(await rejection(client.getAlert(path))).toMatchObject({ name: 'ParseError' })
    expect(told.at(-1)).toEqual(['end', 'ParseError'])
  })

  test('of a connection that broke off', async () => {
    const { client, told } = observed(brokenBody())
    await rejection(client.getAlert(path))
    expect(told).toEqual([
      ['attempt', 'NetworkError'],
      ['end', 'NetworkError'],
    ])
  })

  test('of arguments and settings that cannot be sent', async () => {
    const { client, told } = observed(() => response({}))
    await rejection(client.getAlert({ ...path, alertId: '' }))
    await rejection(client.getAlert(path, { timeoutMs: -1 }))
    expect(told).toEqual([
      ['end', 'TypeError'],
      ['end', 'TypeError'],
    ])
  })

  test('as the object that it is', async () => {
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

describe('no call waits for what a callback promises', () => {
  const never = (): Promise<never> => new Promise(() => undefined)
  test.each<[string, Partial<ClientOptions>]>([
    // Of what the types refuse, which programs without them may do.
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

describe('a callback that throws fails no call, and is told on the console', () => {
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
  ])('whatever it throws, as %s', async (_, thrown, text) => {
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

  test('nor does it change what a failure is', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const logger = { debug: fail, warn: fail }
    const options = { observer: () => ({ end: fail }), middleware: [createLog({ logger })] }
    const { client } = setup(() => Response.json({}, { status: 404 }), options)
    expect(await rejection(client.getAlert(path))).toMatchObject({ status: 404 })
  })
})
