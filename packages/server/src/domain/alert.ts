import { states } from '@svc-admin/types'
import { after, type StateMachine, stateAt } from './state-machine.ts'

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

const machine: StateMachine = states.alert
const minute = 60_000

/**
 * How many notices one target gets for a jump of the clock. A clock set ahead by a century must not send
 * millions: the latest go out.
 */
const noticesPerJump = 100

/** What time has done to an alert by now. */
export function advance(alert: AlertState, now: number): AdvancedAlert {
  if (alert.status === 'CLOSED') return { ...alert, openedAt: undefined, notices: [], dueAt: undefined }
  const delay = Math.min(...alert.targets.map((target) => target.delayMin * 60))
  const seen = stateAt(machine, { state: alert.status, since: alert.since }, now, (transition) =>
    Number.isFinite(delay) ? delay : transition.afterSeconds,
  )
  const open = seen.state === 'OPEN'
  const rounds = open ? alert.targets.map((target) => ring(alert, target, now)) : []
  return {
    ...alert,
    status: seen.state,
    targets: open ? rounds.map((round) => round.target) : alert.targets,
    openedAt: seen.passed.find((one) => one.state === 'OPEN')?.at,
    notices: rounds.flatMap((round) => round.notices).sort((a, b) => a.at - b.at),
    dueAt: earliest([seen.dueAt, ...rounds.map((round) => round.nextAt)]),
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

/** The notices of one target by now: first after its delay, then each interval, none while acknowledged. */
function ring(alert: AlertState, target: AlertTarget, now: number): Round {
  const first = alert.since + target.delayMin * minute
  const interval = target.intervalMin * minute
  const from = Math.max(target.lastSentAt === undefined ? first : target.lastSentAt + 1, 0)
  const quietUntil = Math.max(from, alert.acknowledgedUntil ?? 0)
  const next = tickAtOrAfter(first, interval, quietUntil)
  if (next === undefined) return { target, notices: [], nextAt: undefined }
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

function tickAtOrAfter(first: number, interval: number, moment: number): number | undefined {
  if (moment <= first) return first
  return interval > 0 ? first + Math.ceil((moment - first) / interval) * interval : undefined
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
