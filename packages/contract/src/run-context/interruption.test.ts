import { expect, test } from 'vitest'
import type { Exchange, RawRequest } from '../http/exchange.ts'
import type { Transport } from '../http/transport.ts'
import { Interrupted } from '../model/signals.ts'
import { createInterruption } from './interruption.ts'

const request = (method: string): RawRequest => ({ method, path: '/', headers: [] })

/** A transport that delays its responses until the test releases them. */
const held = () => {
  const timer: (() => void)[] = []
  const sent: string[] = []
  const transport: Transport = {
    baseUrl: 'http://x',
    prefix: '',
    close: () => {},
    send: (one) =>
      new Promise<Exchange>((resolve) => {
        sent.push(one.method)
        const response = { status: 200, reason: '', headers: [], body: '' }
        timer.push(() => resolve({ url: '', request: one, response, milliseconds: 0 }))
      }),
  }
  const answer = (): void => {
    for (const one of timer.splice(0)) one()
  }
  return { transport, sent, response: answer }
}

test('an interrupt abandons pending requests and prevents new ones', async () => {
  const controller = new AbortController()
  const { transport, sent } = held()
  const { over } = createInterruption(controller.signal, 20)
  const sends = ['GET', 'POST'].map((method) => over(transport).send(request(method)))
  controller.abort()
  for (const one of sends) await expect(one).rejects.toBeInstanceOf(Interrupted)
  await expect(over(transport).send(request('GET'))).rejects.toBeInstanceOf(Interrupted)
  expect(sent).toEqual(['GET', 'POST'])
})

test('a request that may create something gets time to finish', async () => {
  const controller = new AbortController()
  const { transport, response: answer } = held()
  const made = createInterruption(controller.signal, 5000).over(transport).send(request('POST'))
  controller.abort()
  setTimeout(answer, 20)
  expect((await made).response.status).toBe(200)
})

test('aborts work that may create something', async () => {
  const controller = new AbortController()
  const { limited, cleanUp } = createInterruption(controller.signal, 20)
  let ended = false
  const work = limited(
    (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          ended = true
          reject(new Error('ended'))
        })
      }),
  )
  expect(await limited(async () => 1)).toBe(1)
  controller.abort()
  await expect(work).rejects.toBeInstanceOf(Interrupted)
  expect(ended).toBe(true)
  await expect(limited(async () => 1)).rejects.toBeInstanceOf(Interrupted)
  cleanUp()
  expect(await limited(async () => 2)).toBe(2)
})

test('requests for cleanup are sent after an interrupt', async () => {
  const { transport, response: answer } = held()
  const { over, cleanUp, sleeping } = createInterruption(AbortSignal.abort())
  const sleep = sleeping(async (_, signal) => signal?.throwIfAborted())
  await expect(sleep(1)).rejects.toBeInstanceOf(Interrupted)
  cleanUp()
  await sleep(1)
  const removed = over(transport).send(request('DELETE'))
  answer()
  expect((await removed).response.status).toBe(200)
})
