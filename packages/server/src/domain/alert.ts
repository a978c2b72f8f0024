import { states } from '@svc-admin/types'
import { after, type StateMachine, stateAt } from './state-machine.ts'
import { momentAfter } from './timestamp.ts'

/** A target of notifications, and what went out to it. */
export interface AlertTarget {
  readonly notifierId: string
  readonly typeName: string
  readonly delayMin: number
  readonly intervalMin: number
  readonly lastSentAt?: number
}

/** What the kept state of an alert consists of; the document holds what is only shown. */
export interface AlertState {
  readonly status: string
  /** When the condition was seen. */
  readonly since: number
  readonly acknowledgedUntil: number | undefined
  /**
   * Until when it is silent besides: its acknowledgement was taken back then, or its configuration changed, and what was
   * not sent before is not sent after all.
   */
  readonly silentUntil: number | undefined
  readonly targets: readonly AlertTarget[]
}

export interface Notice {
  readonly notifierId: string
  readonly typeName: string
  readonly at: number
}

export interface AdvancedAlert extends AlertState {
  /** When it became open, if it did just now. */
  readonly openedAt: number | undefined
  readonly notices: readonly Notice[]
  /** When time alone changes something next. */
  readonly dueAt: number | undefined
}

/** The state that ends the life of an alert. */
export const over = 'CLOSED'

const machine: StateMachine = states.alert
const minute = 60_000

/**
 * How many notices one target gets for a jump of the clock. A clock set ahead by a century must not send
 * millions: the latest go out.
 */
const noticesPerJump = 100

/** The silence of an alert whose configuration is switched off or gone: nobody looks at it until it is over. */
export const untilWatched = Number.MAX_SAFE_INTEGER

/** What time has done to an alert by now. */
export function advance(alert: AlertState, now: number): AdvancedAlert {
  const { silentUntil = 0 } = alert
  if (alert.status === over || silentUntil === untilWatched)
    return { ...alert, openedAt: undefined, notices: [], dueAt: undefined }
  const delay = Math.min(...alert.targets.map((target) => target.delayMin * 60))
  const seen = stateAt(machine, { state: alert.status, since: alert.since }, now, (transition) =>
    Number.isFinite(delay) ? delay : transition.afterSeconds,
  )
  const open = seen.state === 'OPEN'
  const opened = seen.passed.find((one) => one.state === 'OPEN')?.at
  const rounds = open ? alert.targets.map((target) => ring(alert, target, now)) : []
  return {
    ...alert,
    status: seen.state,
    targets: open ? rounds.map((round) => round.target) : alert.targets,
    openedAt: opened === undefined ? undefined : Math.max(opened, silentUntil),
    notices: rounds.flatMap((round) => round.notices).sort((a, b) => a.at - b.at),
    dueAt: earliest([seen.dueAt, ...rounds.map((round) => round.nextAt)]),
  }
}

/** When time changes an alert next, which is by now for what it has not been let do yet. */
export function nextDue(alert: AlertState, now: number): number | undefined {
  const { openedAt, notices, dueAt } = advance(alert, now)
  return earliest([openedAt, notices[0]?.at, dueAt])
}

/** The targets of now, each with what went out to it before if it was one already. */
export function retargeted(before: readonly AlertTarget[], targets: readonly AlertTarget[]): AlertTarget[] {
  const sentAt = new Map(before.map(({ notifierId, lastSentAt }) => [notifierId, lastSentAt]))
  return targets.map((target) => {
    const lastSentAt = sentAt.get(target.notifierId)
    return lastSentAt === undefined ? target : { ...target, lastSentAt }
  })
}

/** The alert as it goes on from where the clock went back to: nothing of it lies ahead. */
export function rewound<A extends AlertState>(alert: A, now: number): A {
  const { since, silentUntil, targets } = alert
  return {
    ...alert,
    since: Math.min(since, now),
    silentUntil: silentUntil === untilWatched ? silentUntil : silentUntil && Math.min(silentUntil, now),
    targets: targets.map((target) =>
      target.lastSentAt === undefined ? target : { ...target, lastSentAt: Math.min(target.lastSentAt, now) },
    ),
  }
}

/** The status that the end of its condition leads to, or undefined if the alert is over already. */
export function closedFrom(status: string): string | undefined {
  return after(machine, status, 'event')
}

/** Where an alert starts. */
export const initialStatus = states.alert.initial

interface Round {
  readonly target: AlertTarget
  readonly notices: readonly Notice[]
  readonly nextAt: number | undefined
}

/**
 * The notices of one target by now: first after its delay, then each interval, none while acknowledged. What goes out
 * once does so after an acknowledgement that it fell in.
 */
function ring(alert: AlertState, target: AlertTarget, now: number): Round {
  const { lastSentAt } = target
  const first = momentAfter(alert.since, target.delayMin * minute)
  const interval = momentAfter(0, target.intervalMin * minute)
  if (interval === 0 && lastSentAt !== undefined) return { target, notices: [], nextAt: undefined }
  const from = lastSentAt === undefined ? first : lastSentAt + 1
  const quietUntil = Math.max(first, from, alert.acknowledgedUntil ?? 0, alert.silentUntil ?? 0)
  const next = tickAtOrAfter(first, interval, quietUntil)
  const times = ticks(next, interval, now)
  const last = times.at(-1)
  const nextAt = last === undefined ? next : interval > 0 ? last + interval : undefined
  const { notifierId, typeName } = target
  return {
    target: last === undefined ? target : { ...target, lastSentAt: last },
    notices: times.map((at) => ({ notifierId, typeName, at })),
    nextAt,
  }
}

function tickAtOrAfter(first: number, interval: number, moment: number): number {
  return interval > 0 ? first + Math.ceil((moment - first) / interval) * interval : moment
}

function ticks(next: number, interval: number, now: number): number[] {
  if (next > now) return []
  if (interval === 0) return [next]
  const count = Math.floor((now - next) / interval) + 1
  const kept = Math.min(count, noticesPerJump)
  return Array.from({ length: kept }, (_, index) => next + (count - kept + index) * interval)
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}
