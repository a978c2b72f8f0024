import { states } from '@svc-admin/types'
import { after, type KeptState, type StateMachine, stateAt } from '../state-machine.ts'
import { doomed } from './doomed.ts'

const machine: StateMachine = states['migration-validation']

export const initialValidation = states['migration-validation'].initial

/** How far a validation has come by now. */
export function validationAt(kept: KeptState, now: number): string {
  return stateAt(doomed(machine, kept), kept, now).state
}

/** The state after a fault was found, or undefined if the validation is over. */
export function faultFound(kept: KeptState, now: number): string | undefined {
  return after(machine, validationAt(kept, now), 'event')
}
