import { describe, expect, it } from 'vitest'
import { after, type StateMachine, stateAt } from './state-machine.ts'

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

describe('the state as of a moment', () => {
  it('is the kept one until its time has come, and says when that is', () => {
    expect(stateAt(machine, kept, 10_999)).toEqual({
      state: 'queued',
      since: 1000,
      dueAt: 11_000,
      passed: [],
    })
  })

  it('is the next one from its very moment on', () => {
    expect(stateAt(machine, kept, 11_000)).toMatchObject({ state: 'running', since: 11_000, dueAt: 31_000 })
  })

  it('passes several states in one look, each at its own time', () => {
    const seen = stateAt(machine, kept, 99_000)
    expect(seen.state).toBe('done')
    expect(seen.passed.slice(0, 2)).toEqual([
      { state: 'running', at: 11_000 },
      { state: 'done', at: 31_000 },
    ])
  })

  it('goes where it is heading', () => {
    expect(stateAt(machine, { ...kept, target: 'failed' }, 16_000).state).toBe('failed')
  })

  it('follows other delays, and waits for ever without one', () => {
    expect(stateAt(machine, kept, 1000, () => 0).state).toBe('done')
    expect(stateAt(machine, kept, 1e15, () => undefined)).toMatchObject({ state: 'queued', dueAt: undefined })
  })

  it('ends even if a lifecycle turns in a circle in no time', () => {
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

describe('an act', () => {
  it('leads on from the states that it starts from, and from no other', () => {
    expect(after(machine, 'running', 'cancel')).toBe('cancelled')
    expect(after(machine, 'done', 'cancel')).toBeUndefined()
  })
})
