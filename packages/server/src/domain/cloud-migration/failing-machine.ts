import type { StateMachine, StoredState } from '../lifecycle.ts'

/** The state that a failing migration or validation ends in. */
export const failedState = 'FAILED'

/** Returns the lifecycle of a resource that will fail at its first automatic transition. */
export function failingMachine(machine: StateMachine, stored: StoredState): StateMachine {
  if (stored.target !== failedState) return machine
  return {
    ...machine,
    transitions: machine.transitions.map((one) =>
      one.trigger === 'time' && one.from === machine.initial ? { ...one, to: failedState } : one,
    ),
  }
}
