import { expect, test } from 'vitest'
import { Interrupted } from '../engine/signals.ts'
import type { Exchange, RawRequest } from './exchange.ts'
import { createInterruption } from './interruption.ts'
import type { Transport } from './transport.ts'

const request = (method: string): RawRequest => ({ method, path: '/', headers: [] })

/** A transport whose answers come when they are let. */
const held = () => {
  const waiting: (() => void)[] = []
  const sent: string[] = []
  const transport: Transport = {
    baseUrl: 'http://x',
    prefix: '',
    close: () => {},
    send: (one) =>
      new Promise<Exchange>((resolve) => {
        sent.push(one.method)
        const response = { status: 200, reason: '', headers: [], body: '' }
        waiting.push(() => resolve({ url: '', request: one, response, milliseconds: 0 }))
      }),
  }
  const answer = (): void => {
    for (const one of waiting.splice(0)) one()
  }
  return { transport, sent, response: answer }
}

test('what is under way when a run is broken off is given up, and nothing more is sent', async () => {
  const controller = new AbortController()
  const { transport, sent } = held()
  const { over } = createInterruption(controller.signal, 20)
  const sends = ['GET', 'POST'].map((method) => over(transport).send(request(method)))
  controller.abort()
  for (const one of sends) await expect(one).rejects.toBeInstanceOf(Interrupted)
  await expect(over(transport).send(request('GET'))).rejects.toBeInstanceOf(Interrupted)
  expect(sent).toEqual(['GET', 'POST'])
})

test('what may make something is given time to say what it made', async () => {
  const controller = new AbortController()
  const { transport, response: answer } = held()
  const made = createInterruption(controller.signal, 5000).over(transport).send(request('POST'))
  controller.abort()
  setTimeout(answer, 20)
  expect((await made).response.status).toBe(200)
})

test('work by which something may be made is told that its time is over', async () => {
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

test('what was made can be removed after that', async () => {
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
