import { expect, it, onTestFinished, vi } from 'vitest'
import { startLoop } from './delivery-loop.ts'

function start() {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const begin = vi.fn()
  return { begin, loop: startLoop(1000, begin) }
}

it('runs at its interval until it is stopped', () => {
  const { begin, loop } = start()
  vi.advanceTimersByTime(3500)
  expect(begin).toHaveBeenCalledTimes(3)
  loop.stop()
  loop.wake()
  vi.advanceTimersByTime(3500)
  expect(begin).toHaveBeenCalledTimes(3)
})

it('waits briefly after a change, even if the interval has just passed', () => {
  const { begin, loop } = start()
  vi.advanceTimersByTime(999)
  loop.wake()
  vi.advanceTimersByTime(150)
  expect(begin).not.toHaveBeenCalled()
  vi.advanceTimersByTime(50)
  expect(begin).toHaveBeenCalledTimes(1)
})

it('runs within its interval despite constant changes', () => {
  const { begin, loop } = start()
  for (let round = 0; round < 10; round += 1) {
    loop.wake()
    vi.advanceTimersByTime(100)
  }
  expect(begin).toHaveBeenCalledTimes(1)
})
