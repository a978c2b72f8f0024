import { type StateMachineId, states } from '@svc-admin/types'
import type { VersionModel } from './model.ts'

/** How a state follows from members, where none holds its name. */
interface StateByFields {
  /** States that are members too: a job is in one where that is true. */
  readonly flags: readonly string[]
  /** Otherwise the state without the field, and the one with it. */
  readonly without: string
  readonly withField: string
}

/** A lifecycle whose states are values of a field, or follow from members. */
export interface WireLifecycle {
  readonly id: StateMachineId
  readonly field: string
  readonly byFields: StateByFields | undefined
  readonly values: readonly string[]
  readonly open: boolean
  readonly transitions: readonly (readonly [from: string, to: string])[]
}

/**
 * The lifecycles whose state is on the wire, with the transitions that lead on: not those that begin anew, and not the
 * end of the resource itself, after which there is nothing to wait for. Some resources name no state: what they are in
 * follows from their members, and a wait for a value of the field would never end.
 */
export function wireLifecycles(models: readonly VersionModel[]): WireLifecycle[] {
  const marked = new Set(models.flatMap(({ document }) => markedMachines(document.components.schemas)))
  return Object.entries(states).flatMap(([name, machine]) => {
    const { field, open, initial } = machine
    const values: readonly string[] = machine.values
    const transitions: readonly Transition[] = machine.transitions
    const id = name as StateMachineId
    const byFields = marked.has(id) ? undefined : stateByFields(machine, models)
    if (!marked.has(id) && !byFields) return []
    const onward = transitions.filter(
      (each) => values.includes(each.to) && !beginsAnew(each, initial, transitions),
    )
    const pairs = new Map(onward.map(({ from, to }) => [`${from} ${to}`, [from, to] as const]))
    return [{ id, field, byFields, values, open, transitions: [...pairs.values()] }]
  })
}

/** What tells the states apart: members of their names, and whether the field is there; undefined where that is not enough. */
function stateByFields(
  machine: (typeof states)[StateMachineId],
  models: readonly VersionModel[],
): StateByFields | undefined {
  const { schema, field, initial } = machine
  const properties = models.map(({ document }) => document.components.schemas[schema]?.properties)
  const newest = properties.findLast((each) => each !== undefined) ?? {}
  const values: readonly string[] = machine.values
  const flags = values.filter((value) => Object.hasOwn(newest, value))
  const [withField, ...others] = values.filter((value) => value !== initial && !flags.includes(value))
  if (!Object.hasOwn(newest, field) || withField === undefined || others.length > 0) return undefined
  return { flags, without: initial, withField }
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
