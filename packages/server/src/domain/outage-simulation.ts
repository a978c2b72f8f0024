import { states } from '@svc-admin/types'
import type { StoredState } from './lifecycle.ts'
import { stateAt } from './state-machine.ts'

const machine = states['outage-simulation']
const final: readonly string[] = machine.final

/** Returns whether a simulation has ended. A new simulation can then start on the cluster. */
export const isOver = (simulation: StoredState, now: number): boolean =>
  final.includes(stateAt(machine, simulation, now).state)
