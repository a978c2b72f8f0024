import { type StateMachineId, states } from '@svc-admin/types'
import type { VersionModel } from './model.ts'

/** The rules that determine the state of a resource without a state field. */
interface StateByFields {
  /** Boolean fields that each represent a state. */
  readonly flags: readonly string[]
  /** The state if no flag is set and the field is absent (`without`) or present (`withField`). */
  readonly without: string
  readonly withField: string
}

/** A lifecycle. The state is the value of a field, or is derived from other fields. */
export interface WireLifecycle {
  readonly id: StateMachineId
  readonly field: string
  readonly byFields: StateByFields | undefined
  readonly values: readonly string[]
  readonly open: boolean
  readonly transitions: readonly (readonly [from: string, to: string])[]
}

/**
 * Returns the lifecycles and forward transitions of resources whose state is visible in responses. Transitions that
 * restart a process or delete the resource are excluded. If the resource has no state field, the lifecycle contains the
 * fields that determine the state instead. Otherwise, clients would wait indefinitely on a field that doesn't exist.
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
      (each) => values.includes(each.to) && !isRestart(each, initial, transitions),
    )
    const pairs = new Map(onward.map(({ from, to }) => [`${from} ${to}`, [from, to] as const]))
    return [{ id, field, byFields, values, open, transitions: [...pairs.values()] }]
  })
}

/**
 * Returns the fields that determine the state: boolean fields with the same names as states, and `field`, whose
 * presence indicates another state. Returns `undefined` if these fields can't represent all states.
 */
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
 * Returns whether a transition restarts the process. An operation triggers a restart, which returns the resource to a
 * state that it must have passed through before. For example, a new definition restarts the build of a failed index. A
 * caller that waits for the first build must treat the failed state as final.
 */
function isRestart({ from, to, trigger }: Transition, initial: string, all: readonly Transition[]): boolean {
  if (trigger === 'time') return false
  const reached = new Set(to === initial ? [] : [initial])
  // The loop also visits states that are added to the set while it runs.
  for (const at of reached) {
    for (const each of all) if (each.from === at && each.to !== to) reached.add(each.to)
  }
  return !reached.has(from)
}

/** Returns the IDs of all state machines that schemas in the value refer to. */
function markedMachines(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(markedMachines)
  if (typeof value !== 'object' || value === null) return []
  const own: unknown = Reflect.get(value, 'x-state-machine')
  return [...(own === undefined ? [] : [own]), ...Object.values(value).flatMap(markedMachines)]
}
