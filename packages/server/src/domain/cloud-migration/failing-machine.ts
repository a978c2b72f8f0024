import type { StateMachine, StoredState } from '../lifecycle.ts'

/** The target state of a migration or validation for which a fault was found when it was created. */
export const failedState = 'FAILED'

/** The lifecycle of a resource that will fail: its first time-based transition leads to failure. */
export function failingMachine(machine: StateMachine, stored: StoredState): StateMachine {
  if (stored.target !== failedState) return machine
  return {
    ...machine,
    transitions: machine.transitions.map((one) =>
      one.trigger === 'time' && one.from === machine.initial ? { ...one, to: failedState } : one,
    ),
  }
}
