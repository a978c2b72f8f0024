import { states } from '@svc-admin/types'
import { after, type StateMachine, stateAt } from './state-machine.ts'
import { earliestTime, timeAfter } from './timestamp.ts'

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
   * Until when it is silent besides: its acknowledgement was taken back then, or its configuration changed. Of what was
   * not sent before, only the first notice of a target is sent after all.
   */
  readonly silentUntil: number | undefined
  /** When it was seeded, if it was: no clock has run over what was due before. */
  readonly seededAt?: number | undefined
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
export const closed = 'CLOSED'

const machine: StateMachine = states.alert
const minute = 60_000

/**
 * How many notices one target gets for a jump of the clock. A clock set ahead by a century must not send
 * millions: the latest go out. The control document says this number.
 */
const noticesPerJump = 100

/**
 * How many notifications are kept, the latest of them: as many as are shown. An alert that nobody has looked at while the
 * clock ran tells as many, so that none is missed there. The control document says this number.
 */
export const outboxSize = 10_000

/** The silence of an alert whose configuration is switched off or gone: nobody looks at it until it is over. */
export const indefinitely = Number.MAX_SAFE_INTEGER

/**
 * What time has done to an alert by now; with a limit, the earliest notices are told, and the others are due already.
 *
 * @param jumpedTo where the clock was put to, if it was: what is later has come round by itself, and is told whole.
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

/** When time changes an alert next, which is by now for what it has not been let do yet. */
export function nextDue(alert: AlertState, now: number): number | undefined {
  const { openedAt, notices, dueAt } = advance(alert, now, 1)
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

/** The status that the end of its condition leads to, or undefined if the alert is over already. */
export function closedFrom(status: string): string | undefined {
  return after(machine, status, 'event')
}

/** Where an alert starts. */
export const initialStatus = states.alert.initial

/** The notices of one target that are due. */
interface Round {
  readonly target: AlertTarget
  /** When the first goes out, due or not; undefined if none does any more. */
  readonly next: number | undefined
  /** When the second does, from which on each interval counts; undefined for what goes out once. */
  readonly second: number | undefined
  readonly interval: number
  readonly due: number
}

/** The rounds of all targets: of a jump, and of what has come round since, the latest notices. */
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
 * The notices of one target by now: the first after its delay, or once nothing silences the alert any more; then each
 * interval, counted from the delay, none while acknowledged.
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

/** A round without so many of its first notices. */
function without(round: Round, skipped: number): Round {
  if (skipped <= 0) return round
  const [next, second] = [timeOf(round, skipped), timeOf(round, skipped + 1)]
  return { ...round, next, second, due: round.due - skipped }
}

type RoundTimes = Pick<Round, 'next' | 'second' | 'interval'>

/** When a notice of a round goes out, counted from the next one. What goes out once has no second. */
function timeOf({ next, second, interval }: RoundTimes, index: number): number | undefined {
  if (index === 0) return next
  return second === undefined ? undefined : second + (index - 1) * interval
}

function ticksBy({ next, second, interval }: RoundTimes, time: number): number {
  if (next === undefined || next > time) return 0
  return second === undefined || second > time ? 1 : Math.floor((time - second) / interval) + 2
}

/** The target once so many of its notices have gone out. */
function notifiedTarget(round: Round, sentCount: number): AlertTarget {
  const lastSentAt = sentCount === 0 ? undefined : timeOf(round, sentCount - 1)
  return lastSentAt === undefined ? round.target : { ...round.target, lastSentAt }
}

/** The earliest notices of all rounds, at most so many, each with the place of its round. */
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

/** The first moment by which so many notices are due; what comes after it need not be looked at one by one. */
function timeWhenDue(rounds: readonly Round[], limit: number): number {
  const dueBy = (time: number) =>
    rounds.reduce((sum, round) => sum + Math.min(round.due, ticksBy(round, time)), 0)
  const lasts = rounds.flatMap((round) => (round.due > 0 ? [timeOf(round, round.due - 1) ?? 0] : []))
  const last = lasts.reduce((latest, at) => Math.max(latest, at), earliestTime)
  return dueBy(last) <= limit ? last : firstWhere(earliestTime, last, (time) => dueBy(time) >= limit)
}

/** The first moment from which on something holds that does at the end of a span. */
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
