import type { StateMachine, StoredState } from '../lifecycle.ts'

/** The target state of a migration or validation that will fail. */
export const failedState = 'FAILED'

/** Returns the lifecycle of a resource that will fail. The first automatic transition leads to the failed state. */
export function failingMachine(machine: StateMachine, stored: StoredState): StateMachine {
  if (stored.target !== failedState) return machine
  return {
    ...machine,
    transitions: machine.transitions.map((one) =>
      one.trigger === 'time' && one.from === machine.initial ? { ...one, to: failedState } : one,
    ),
  }
}
