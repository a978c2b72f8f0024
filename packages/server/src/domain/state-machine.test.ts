import { describe, expect, it } from 'vitest'
import type { StateMachine } from './lifecycle.ts'
import { after, stateAt } from './state-machine.ts'

const machine: StateMachine = {
  initial: 'queued',
  transitions: [
    { from: 'queued', to: 'running', trigger: 'time', afterSeconds: 10 },
    { from: 'running', to: 'done', trigger: 'time', afterSeconds: 20 },
    { from: 'running', to: 'failed', trigger: 'time', afterSeconds: 5 },
    { from: 'running', to: 'cancelled', trigger: 'cancel' },
    { from: 'done', to: 'done', trigger: 'time', afterSeconds: 0 },
  ],
}
const kept = { state: 'queued', since: 1000 }

describe('the state at a given time', () => {
  it('is the stored state until the next one is due, with the time when it is due', () => {
    expect(stateAt(machine, kept, 10_999)).toEqual({
      state: 'queued',
      since: 1000,
      dueAt: 11_000,
      passed: [],
    })
  })

  it('is the next state from exactly its due time', () => {
    expect(stateAt(machine, kept, 11_000)).toMatchObject({ state: 'running', since: 11_000, dueAt: 31_000 })
  })

  it('passes through several states, each at its own time', () => {
    const seen = stateAt(machine, kept, 99_000)
    expect(seen.state).toBe('done')
    expect(seen.passed.slice(0, 2)).toEqual([
      { state: 'running', at: 11_000 },
      { state: 'done', at: 31_000 },
    ])
  })

  it('follows the target state', () => {
    expect(stateAt(machine, { ...kept, target: 'failed' }, 16_000).state).toBe('failed')
  })

  it('uses custom delays, and stays indefinitely without one', () => {
    expect(stateAt(machine, kept, 1000, () => 0).state).toBe('done')
    expect(stateAt(machine, kept, 1e15, () => undefined)).toMatchObject({ state: 'queued', dueAt: undefined })
  })

  it('terminates even if a lifecycle is a cycle without delays', () => {
    const circle = {
      initial: 'a',
      transitions: [
        { from: 'a', to: 'b', trigger: 'time', afterSeconds: 0 },
        { from: 'b', to: 'a', trigger: 'time', afterSeconds: 0 },
      ],
    }
    expect(stateAt(circle, { state: 'a', since: 0 }, 1).passed).toHaveLength(2)
  })
})

describe('an operation or event', () => {
  it('is allowed only in the states where it starts a transition', () => {
    expect(after(machine, 'running', 'cancel')).toBe('cancelled')
    expect(after(machine, 'done', 'cancel')).toBeUndefined()
  })
})
