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
 * The lifecycles whose state is on the wire, with the transitions that lead on: not those that begin anew, and not the
 * end of the resource itself, after which there is nothing to wait for. Some resources name no state: what they are in
 * follows from which members they have, and a wait for a value of the field would never end.
 */
export function wireLifecycles(models: readonly VersionModel[]): WireLifecycle[] {
  const marked = new Set(models.flatMap(({ document }) => markedMachines(document.components.schemas)))
  return Object.entries(states).flatMap(([name, machine]) => {
    const { field, open, initial } = machine
    const values: readonly string[] = machine.values
    const transitions: readonly Transition[] = machine.transitions
    const id = name as StateMachineId
    if (!marked.has(id)) return []
    const onward = transitions.filter(
      (each) => values.includes(each.to) && !beginsAnew(each, initial, transitions),
    )
    const pairs = new Map(onward.map(({ from, to }) => [`${from} ${to}`, [from, to] as const]))
    return [{ id, field, values, open, transitions: [...pairs.values()] }]
  })
}

interface Transition {
  readonly from: string
  readonly to: string
  readonly trigger: string
}

/**
 * Whether a transition goes back to a state that every way here came by, and not by itself: somebody does a thing again,
 * as with an index that is given another definition after it failed. Who waits for the end of the first time would wait
 * in vain.
 */
function beginsAnew({ from, to, trigger }: Transition, initial: string, all: readonly Transition[]): boolean {
  if (trigger === 'time') return false
  const reached = new Set(to === initial ? [] : [initial])
  // A set that grows while it is walked: each state is visited once.
  for (const at of reached) {
    for (const each of all) if (each.from === at && each.to !== to) reached.add(each.to)
  }
  return !reached.has(from)
}

/** The state machines that some schema in the value says its values are of. */
function markedMachines(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(markedMachines)
  if (typeof value !== 'object' || value === null) return []
  const own: unknown = Reflect.get(value, 'x-state-machine')
  return [...(own === undefined ? [] : [own]), ...Object.values(value).flatMap(markedMachines)]
}
