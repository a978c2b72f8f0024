import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { batchPerTick } from './batch-per-tick.ts'

it('processes the items of a tick at its end, in order', async () => {
  const done: string[] = []
  const atEnd = batchPerTick<string>((one) => done.push(one))
  atEnd('a')
  await Promise.resolve()
  atEnd('b')
  expect(done).toEqual([])
  await turn()
  expect(done).toEqual(['a', 'b'])
})

it('processes items that arrive meanwhile in the next tick', async () => {
  const done: number[] = []
  const atEnd = batchPerTick<number>((one) => {
    done.push(one)
    if (one === 1) atEnd(3)
  })
  atEnd(1)
  atEnd(2)
  await turn()
  expect(done).toEqual([1, 2])
  await turn()
  expect(done).toEqual([1, 2, 3])
})

it('processes each item in its asynchronous context', async () => {
  const storage = new AsyncLocalStorage<string>()
  const seen: (string | undefined)[] = []
  const atEnd = batchPerTick<void>(() => seen.push(storage.getStore()))
  storage.run('first', atEnd)
  storage.run('second', atEnd)
  atEnd()
  await turn()
  expect(seen).toEqual(['first', 'second', undefined])
})
