import type { KeptState, StateMachine } from '../state-machine.ts'

/** Where something is heading in which a fault was found when it was asked for. */
export const doom = 'FAILED'

/** The lifecycle of what is doomed: its first move by itself leads to failure. */
export function doomed(machine: StateMachine, kept: KeptState): StateMachine {
  if (kept.target !== doom) return machine
  return {
    ...machine,
    transitions: machine.transitions.map((one) =>
      one.trigger === 'time' && one.from === machine.initial ? { ...one, to: doom } : one,
    ),
  }
}
