import { expect, test } from 'vitest'
import type { Exchange } from '../http/exchange.ts'
import { NoResponse } from '../http/transport.ts'
import { Untestable } from '../model/signals.ts'
import { simultaneousSuccesses } from './simultaneous-requests.ts'

const request = { method: 'POST', path: '/a', headers: [] }

const exchange = (status: number): Exchange => ({
  url: '/a',
  request,
  response: { status, reason: '', headers: [], body: '' },
  milliseconds: 1,
})

/** Returns a function that returns the responses in order, and repeats the last one. */
const responding = (...statuses: readonly (number | Error)[]) => {
  let count = 0
  return async () => {
    const status = statuses[Math.min(count, statuses.length - 1)] ?? 200
    count += 1
    if (typeof status !== 'number') throw status
    return exchange(status)
  }
}

const read = responding(200)

test('all requests are in flight before the first response arrives, and after all reads', async () => {
  const events: string[] = []
  /** Creates a request that gets its response when eight requests have arrived. */
  const during = (name: string) => {
    let arrived = 0
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    return async () => {
      events.push(name)
      arrived += 1
      if (arrived === 8) release()
      await released
      events.push(`${name} done`)
      return exchange(200)
    }
  }
  const successes = await simultaneousSuccesses(during('read'), during('send'))
  expect(successes).toHaveLength(8)
  const eight = (name: string): string[] => Array.from({ length: 8 }, () => name)
  expect(events).toEqual([...eight('read'), ...eight('read done'), ...eight('send'), ...eight('send done')])
})

test('rejected requests and requests that a busy server drops are not successes', async () => {
  const send = responding(201, new NoResponse(request, 'OVERLOAD'), new Untestable('no limit'), 409)
  expect(await simultaneousSuccesses(read, send)).toHaveLength(1)
})

test('without any success, there is nothing to compare', async () => {
  await expect(simultaneousSuccesses(read, responding(409))).rejects.toThrow(Untestable)
})

test('an unreachable server ends the check', async () => {
  const gone = new NoResponse(request, 'ECONNREFUSED')
  await expect(simultaneousSuccesses(read, responding(201, gone))).rejects.toBe(gone)
})
