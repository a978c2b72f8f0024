import { timeAfter } from './timestamp.ts'
import { currentPace } from './transition-pace.ts'

/** A lifecycle as the facts describe it. */
export interface StateMachine {
  readonly title?: string
  readonly initial: string
  readonly transitions: readonly StateTransition[]
}

export interface StateTransition {
  readonly from: string
  readonly to: string
  /** `time` happens by itself after `afterSeconds`; anything else is done by somebody. */
  readonly trigger: string
  readonly afterSeconds?: number
}

/** What is kept of a lifecycle: the last state that something put it in, and when. */
export interface StoredState {
  /** Tells it from others of its kind, where there may be several. */
  readonly id?: string
  readonly state: string
  /** Milliseconds since the epoch. */
  readonly since: number
  /** Where it is heading when time could lead to several states. */
  readonly target?: string
}

export interface CurrentState {
  readonly state: string
  readonly since: number
  /** When time alone moves it next; undefined for never. */
  readonly dueAt: number | undefined
  /** The states passed since the kept one, oldest first. */
  readonly passed: readonly { readonly state: string; readonly at: number }[]
}

/** Seconds until a transition happens by itself; undefined for never. */
export type Delay = (transition: StateTransition) => number | undefined

const asDescribed: Delay = (transition) => transition.afterSeconds

/**
 * The state as of a moment. Nothing runs between two looks: what time does to a resource follows from what is
 * kept and the clock, so it survives restarts and needs no timers.
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
  // A lifecycle that loops by itself in no time would never end: each state is passed once at most.
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

/** The state that an act leads to, or undefined if the act does not start from this state. */
export function after(machine: StateMachine, state: string, trigger: string): string | undefined {
  return machine.transitions.find((one) => one.from === state && one.trigger === trigger)?.to
}

function byTime(machine: StateMachine, state: string, target: string | undefined) {
  const candidates = machine.transitions.filter((one) => one.from === state && one.trigger === 'time')
  return candidates.find((one) => one.to === target) ?? candidates[0]
}
