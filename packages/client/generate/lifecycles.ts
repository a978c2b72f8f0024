import { type StateMachineId, states } from '@svc-admin/types'
import type { VersionModel } from './model.ts'

/** A lifecycle whose states are values of a field. */
export interface WireLifecycle {
  readonly id: StateMachineId
  readonly field: string
  readonly values: readonly string[]
  readonly open: boolean
  readonly transitions: readonly (readonly [from: string, to: string])[]
}

/**
 * The lifecycles whose state is on the wire. Some resources name no state: what they are in follows from which
 * members they have, and a wait for a value of the field would never end.
 */
export function wireLifecycles(models: readonly VersionModel[]): WireLifecycle[] {
  const marked = new Set(models.flatMap(({ document }) => markedMachines(document.components.schemas)))
  return Object.entries(states).flatMap(([name, { field, values, open, transitions }]) => {
    const id = name as StateMachineId
    if (!marked.has(id)) return []
    const pairs = new Map(transitions.map(({ from, to }) => [`${from} ${to}`, [from, to] as const]))
    return [{ id, field, values, open, transitions: [...pairs.values()] }]
  })
}

/** The state machines that some schema in the value says its values are of. */
function markedMachines(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(markedMachines)
  if (typeof value !== 'object' || value === null) return []
  const own: unknown = Reflect.get(value, 'x-state-machine')
  return [...(own === undefined ? [] : [own]), ...Object.values(value).flatMap(markedMachines)]
}
