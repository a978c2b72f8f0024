import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { batchPerTick } from './batch-per-tick.ts'

it('does what came in a turn at its end, in the order in which it came', async () => {
  const done: string[] = []
  const atEnd = batchPerTick<string>((one) => done.push(one))
  atEnd('a')
  await Promise.resolve()
  atEnd('b')
  expect(done).toEqual([])
  await turn()
  expect(done).toEqual(['a', 'b'])
})

it('does in the next turn what comes meanwhile', async () => {
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

it('does each in the context that it came in', async () => {
  const storage = new AsyncLocalStorage<string>()
  const seen: (string | undefined)[] = []
  const atEnd = batchPerTick<void>(() => seen.push(storage.getStore()))
  storage.run('first', atEnd)
  storage.run('second', atEnd)
  atEnd()
  await turn()
  expect(seen).toEqual(['first', 'second', undefined])
})
