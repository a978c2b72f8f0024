import { states } from '@svc-admin/types'
import type { StateMachine } from './lifecycle.ts'
import { after, stateAt } from './state-machine.ts'
import { earliestTime, timeAfter } from './timestamp.ts'

/** A notification target and the notices sent to it. */
export interface AlertTarget {
  readonly notifierId: string
  readonly typeName: string
  readonly delayMin: number
  readonly intervalMin: number
  readonly lastSentAt?: number
}

/** The stored state of an alert. */
export interface AlertState {
  readonly status: string
  /** The time when the condition was detected. */
  readonly since: number
  readonly acknowledgedUntil: number | undefined
  /**
   * The end of the silence that starts when an acknowledgment is undone or the configuration changes. When the silence
   * ends, each target that missed notices receives only one notice.
   */
  readonly silentUntil: number | undefined
  /**
   * The time when seed data created the alert, or undefined for other alerts. As after a clock jump, only the latest of
   * the notices that were due before this time are sent.
   */
  readonly seededAt?: number | undefined
  readonly targets: readonly AlertTarget[]
}

export interface Notice {
  readonly notifierId: string
  readonly typeName: string
  readonly at: number
}

export interface AdvancedAlert extends AlertState {
  /** The time when the alert opened, or undefined if the alert didn't open during this update. */
  readonly openedAt: number | undefined
  readonly notices: readonly Notice[]
  /** The time of the next automatic change. */
  readonly dueAt: number | undefined
}

export const closed = 'CLOSED'

const machine: StateMachine = states.alert
const minute = 60_000

/**
 * The maximum number of notices per target after a clock jump. Only the latest notices are sent. Without the limit,
 * setting the clock ahead by a century would send millions of notices. This number also appears in the OpenAPI document
 * of the control interface.
 */
const noticesPerJump = 100

/**
 * The maximum number of notifications to store and list. An alert that isn't read for a long time sends only its latest
 * notices, up to this number. This number also appears in the OpenAPI document of the control interface.
 */
export const outboxSize = 10_000

/**
 * The end of the silence for alerts that stay silent until they close, because their configuration is disabled or
 * deleted.
 */
export const indefinitely = Number.MAX_SAFE_INTEGER

/**
 * Advances an alert to the current time. If there is a limit, returns only the earliest notices. The remaining notices
 * stay due.
 *
 * @param jumpedTo The time that the clock was last set to, if any. The limit for clock jumps applies only to notices up
 *   to this time.
 */
export function advance(
  alert: AlertState,
  now: number,
  limit: number = Number.POSITIVE_INFINITY,
  jumpedTo: number = earliestTime,
): AdvancedAlert {
  const { silentUntil = 0 } = alert
  if (alert.status === closed || silentUntil === indefinitely)
    return { ...alert, openedAt: undefined, notices: [], dueAt: undefined }
  const delay = Math.min(...alert.targets.map((target) => target.delayMin * 60))
  const current = stateAt(machine, { state: alert.status, since: alert.since }, now, (transition) =>
    Number.isFinite(delay) ? delay : transition.afterSeconds,
  )
  const open = current.state === 'OPEN'
  const opened = current.passed.find((one) => one.state === 'OPEN')?.at
  const rounds = open ? roundsOf(alert, now, Math.max(jumpedTo, alert.seededAt ?? earliestTime)) : []
  const sent = earliestOf(rounds, limit)
  const sentCounts = rounds.map(() => 0)
  for (const { index } of sent) sentCounts[index] = (sentCounts[index] ?? 0) + 1
  return {
    ...alert,
    status: current.state,
    targets: open
      ? rounds.map((round, index) => notifiedTarget(round, sentCounts[index] ?? 0))
      : alert.targets,
    openedAt: opened === undefined ? undefined : Math.max(opened, silentUntil),
    notices: sent.map(({ notice }) => notice),
    dueAt: earliest([current.dueAt, ...rounds.map((round, index) => timeOf(round, sentCounts[index] ?? 0))]),
  }
}

/** Returns the time of an alert's next change, or a time in the past if a change is already due. */
export function nextDue(alert: AlertState, now: number): number | undefined {
  const { openedAt, notices, dueAt } = advance(alert, now, 1)
  return earliest([openedAt, notices[0]?.at, dueAt])
}

/** Replaces the notification targets. Existing targets keep the time of their last notice. */
export function retargeted(before: readonly AlertTarget[], targets: readonly AlertTarget[]): AlertTarget[] {
  const sentAt = new Map(before.map(({ notifierId, lastSentAt }) => [notifierId, lastSentAt]))
  return targets.map((target) => {
    const lastSentAt = sentAt.get(target.notifierId)
    return lastSentAt === undefined ? target : { ...target, lastSentAt }
  })
}

/** After the clock is set back, adjusts an alert so that none of its times are in the future. */
export function rewound<A extends AlertState>(alert: A, now: number): A {
  const { since, silentUntil, seededAt, targets } = alert
  return {
    ...alert,
    since: Math.min(since, now),
    seededAt: seededAt && Math.min(seededAt, now),
    silentUntil: silentUntil === indefinitely ? silentUntil : silentUntil && Math.min(silentUntil, now),
    targets: targets.map((target) =>
      target.lastSentAt === undefined ? target : { ...target, lastSentAt: Math.min(target.lastSentAt, now) },
    ),
  }
}

/** Returns an alert's status after its condition ends, or undefined if the alert is already closed. */
export function closedFrom(status: string): string | undefined {
  return after(machine, status, 'event')
}

export const initialStatus = states.alert.initial

/** The notices that are due for a target. */
interface Round {
  readonly target: AlertTarget
  /**
   * The time of the next notice, even if that notice isn't due yet. Undefined if the target receives no more notices.
   */
  readonly next: number | undefined
  /**
   * The time of the notice after the next one. Later notices follow at regular intervals. Undefined if the target
   * receives only one more notice.
   */
  readonly second: number | undefined
  readonly interval: number
  readonly due: number
}

/** Returns the due notices for all targets. After a clock jump, includes only the latest notices. */
function roundsOf(alert: AlertState, now: number, jumpedTo: number): readonly Round[] {
  const rounds = alert.targets.map((target) => {
    const round = roundOf(alert, target, now)
    return without(round, ticksBy(round, Math.min(jumpedTo, now)) - noticesPerJump)
  })
  const dueAfter = (time: number) =>
    rounds.reduce((sum, round) => sum + round.due - ticksBy(round, Math.min(time, now)), 0)
  if (dueAfter(jumpedTo) <= outboxSize) return rounds
  const from = firstWhere(jumpedTo, now, (time) => dueAfter(time) <= outboxSize)
  return rounds.map((round) => without(round, ticksBy(round, from)))
}

/**
 * Returns the due notices for one target. A target receives the first notice after its delay or when the silence ends,
 * and later notices at regular intervals. While the alert is acknowledged, no notices are sent.
 */
function roundOf(alert: AlertState, target: AlertTarget, now: number): Round {
  const { lastSentAt } = target
  const first = timeAfter(alert.since, target.delayMin * minute)
  const interval = timeAfter(0, target.intervalMin * minute)
  const tickFrom = (time: number) => first + Math.ceil((time - first) / interval) * interval
  const quietUntil = Math.max(first, alert.acknowledgedUntil ?? 0, alert.silentUntil ?? 0)
  const isOver = interval === 0 && lastSentAt !== undefined
  if (isOver) return { target, next: undefined, second: undefined, interval, due: 0 }
  const next = lastSentAt === undefined ? quietUntil : tickFrom(Math.max(quietUntil, lastSentAt + 1))
  const second = interval === 0 ? undefined : tickFrom(next + 1)
  const round = { target, next, second, interval }
  return { ...round, due: ticksBy(round, now) }
}

/** Removes the first `skipped` notices from a round. */
function without(round: Round, skipped: number): Round {
  if (skipped <= 0) return round
  const [next, second] = [timeOf(round, skipped), timeOf(round, skipped + 1)]
  return { ...round, next, second, due: round.due - skipped }
}

type RoundTimes = Pick<Round, 'next' | 'second' | 'interval'>

/** Returns the time of the notice with the given index, counted from the next notice. */
function timeOf({ next, second, interval }: RoundTimes, index: number): number | undefined {
  if (index === 0) return next
  return second === undefined ? undefined : second + (index - 1) * interval
}

function ticksBy({ next, second, interval }: RoundTimes, time: number): number {
  if (next === undefined || next > time) return 0
  return second === undefined || second > time ? 1 : Math.floor((time - second) / interval) + 2
}

/** Returns the round's target with the time of the latest notice that was sent to it. */
function notifiedTarget(round: Round, sentCount: number): AlertTarget {
  const lastSentAt = sentCount === 0 ? undefined : timeOf(round, sentCount - 1)
  return lastSentAt === undefined ? round.target : { ...round.target, lastSentAt }
}

/** Returns the earliest notices from all rounds, up to the limit. Each notice includes the index of its round. */
function earliestOf(rounds: readonly Round[], limit: number) {
  const until = timeWhenDue(rounds, limit)
  const found = rounds.flatMap((round, index) => {
    const { notifierId, typeName } = round.target
    return Array.from({ length: Math.min(round.due, ticksBy(round, until)) }, (_, tick) => {
      const notice: Notice = { notifierId, typeName, at: timeOf(round, tick) ?? 0 }
      return { index, notice }
    })
  })
  return found.sort((a, b) => a.notice.at - b.notice.at).slice(0, limit)
}

/**
 * Returns the earliest time at which at least `limit` notices are due. The caller doesn't need any notices after this
 * time.
 */
function timeWhenDue(rounds: readonly Round[], limit: number): number {
  const dueBy = (time: number) =>
    rounds.reduce((sum, round) => sum + Math.min(round.due, ticksBy(round, time)), 0)
  const lasts = rounds.flatMap((round) => (round.due > 0 ? [timeOf(round, round.due - 1) ?? 0] : []))
  const last = lasts.reduce((latest, at) => Math.max(latest, at), earliestTime)
  return dueBy(last) <= limit ? last : firstWhere(earliestTime, last, (time) => dueBy(time) >= limit)
}

/**
 * Uses a binary search to find the first time when a condition is true. The condition must be true at the end of the
 * period.
 */
function firstWhere(from: number, to: number, holds: (time: number) => boolean): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return high
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length > 0 ? Math.min(...known) : undefined
}
