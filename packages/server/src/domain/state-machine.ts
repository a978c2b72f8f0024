import type { StateMachine, StateTransition, StoredState } from './lifecycle.ts'
import { timeAfter } from './timestamp.ts'
import { currentPace } from './transition-pace.ts'

export interface CurrentState {
  readonly state: string
  readonly since: number
  /** The time of the next automatic transition, or undefined if there is none. */
  readonly dueAt: number | undefined
  /** The states that the resource has passed through since its stored state, oldest first. */
  readonly passed: readonly { readonly state: string; readonly at: number }[]
}

/** Returns the number of seconds until an automatic transition, or undefined if there is none. */
export type Delay = (transition: StateTransition) => number | undefined

const asDescribed: Delay = (transition) => transition.afterSeconds

/**
 * Calculates the state at a given time from the stored state and the clock. The state survives restarts and doesn't
 * require a timer or a background job.
 *
 * @example
 * ```ts
 * stateAt(states.alert, { state: 'TRACKING', since }, clock.now(), () => 300).state // 'OPEN' after five minutes
 * ```
 */
export function stateAt(
  machine: StateMachine,
  stored: StoredState,
  now: number,
  delay: Delay = asDescribed,
): CurrentState {
  const pace = currentPace()
  const passed: { state: string; at: number }[] = []
  let { state, since } = stored
  // Limit the number of steps, because a cycle of transitions without delays would never end.
  for (const _ of machine.transitions) {
    const next = byTime(machine, state, stored.target)
    const seconds = next && delay(next)
    if (!next || seconds === undefined) return { state, since, dueAt: undefined, passed }
    const described = timeAfter(since, seconds * 1000)
    const at = pace
      ? pace.timeOf({ stored: stored, machine, transition: next, described }, since, now)
      : described
    if (at === undefined) return { state, since, dueAt: undefined, passed }
    if (at > now) return { state, since, dueAt: at, passed }
    state = next.to
    since = at
    passed.push({ state, at })
  }
  return { state, since, dueAt: undefined, passed }
}

/** Returns the state after a trigger, or undefined if the current state doesn't allow the trigger. */
export function after(machine: StateMachine, state: string, trigger: string): string | undefined {
  return machine.transitions.find((one) => one.from === state && one.trigger === trigger)?.to
}

function byTime(machine: StateMachine, state: string, target: string | undefined) {
  const candidates = machine.transitions.filter((one) => one.from === state && one.trigger === 'time')
  return candidates.find((one) => one.to === target) ?? candidates[0]
}
