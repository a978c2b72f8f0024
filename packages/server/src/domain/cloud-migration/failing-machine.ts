import type { StateMachine, StoredState } from '../state-machine.ts'

/** Where something is heading in which a fault was found when it was asked for. */
export const failedState = 'FAILED'

/** The lifecycle of what is doomed: its first move by itself leads to failure. */
export function failingMachine(machine: StateMachine, stored: StoredState): StateMachine {
  if (stored.target !== failedState) return machine
  return {
    ...machine,
    transitions: machine.transitions.map((one) =>
      one.trigger === 'time' && one.from === machine.initial ? { ...one, to: failedState } : one,
    ),
  }
}
