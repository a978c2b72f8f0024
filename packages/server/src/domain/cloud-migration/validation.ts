import { states } from '@svc-admin/types'
import type { StateMachine, StoredState } from '../lifecycle.ts'
import { after, stateAt } from '../state-machine.ts'
import { failingMachine } from './failing-machine.ts'

const machine: StateMachine = states['migration-validation']

export const initialValidation = states['migration-validation'].initial

export function validationAt(stored: StoredState, now: number): string {
  return stateAt(failingMachine(machine, stored), stored, now).state
}

/** Returns a validation's state after an error, or undefined if the validation has already ended. */
export function failedValidationState(stored: StoredState, now: number): string | undefined {
  return after(machine, validationAt(stored, now), 'event')
}
