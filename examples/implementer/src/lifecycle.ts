import type { components } from '@svc-admin/types/newest'

type Schemas = components['schemas']
export type ConfigRequest = Schemas['AlertConfigRequest']
export type Notification = Schemas['Notification'] & Readonly<Record<string, unknown>>
export type Matcher = Schemas['Matcher']
export type Status = Schemas['AlertStatus']
export type Severity = Schemas['EventSeverity']

export interface AlertConfig {
  readonly id: string
  readonly groupId: string
  readonly created: number
  updated: number
  enabled: boolean
  eventTypeName: string
  matchers?: Matcher[] | undefined
  notifications: Notification[]
  severityOverride?: Severity | undefined
}

export interface Acknowledgement {
  readonly until: number
  readonly username: string
  readonly comment?: string | undefined
}

export interface Alert {
  readonly id: string
  readonly groupId: string
  readonly orgId: string
  /** A copy of the configuration, which the alert keeps even after the configuration is deleted. */
  readonly config: AlertConfig
  readonly eventTypeName: string
  readonly clusterName?: string | undefined
  readonly created: number
  updated: number
  status: Status
  resolved?: number
  lastNotified?: number
  acknowledgement?: Acknowledgement | undefined
}

export interface Event {
  readonly groupId: string
  readonly eventTypeName: string
  readonly clusterName?: string
  readonly active?: boolean
  /** Fields to compare with matchers, in addition to the cluster name. */
  readonly fields?: Readonly<Record<string, string | number | boolean>>
}

const minute = 60_000
const minutes = (value: unknown): number => (typeof value === 'number' ? value * minute : 0)

/** Returns the time when the first notification is due. */
const opensAt = ({ created, config }: Alert): number =>
  created +
  Math.min(...config.notifications.map(({ delayMin }) => minutes(delayMin)), Number.MAX_SAFE_INTEGER)

/** Returns the latest time, up to `now`, when a notification was due, or undefined if there is none. */
const dueBy = (alert: Alert, { delayMin, intervalMin }: Notification, now: number): number | undefined => {
  const first = alert.created + minutes(delayMin)
  const interval = minutes(intervalMin)
  if (now < first) return undefined
  return interval === 0 ? first : first + Math.floor((now - first) / interval) * interval
}

/**
 * Updates an alert to reflect the time that has passed. Time-based changes are calculated on access. Call this function
 * before changing an alert, so that the current acknowledgment is applied to the time since the last call.
 */
export const settle = (alert: Alert, now: number): void => {
  if (alert.status === 'CLOSED') return
  const opens = alert.config.notifications.length === 0 ? alert.created : opensAt(alert)
  if (alert.status === 'TRACKING' && now >= opens) {
    alert.status = 'OPEN'
    alert.updated = Math.max(alert.updated, opens)
  }
  const silentUntil = alert.acknowledgement?.until ?? 0
  for (const notification of alert.config.notifications) {
    const due = dueBy(alert, notification, now)
    if (due !== undefined && due >= silentUntil && due > (alert.lastNotified ?? 0)) alert.lastNotified = due
  }
  if (silentUntil <= now) alert.acknowledgement = undefined
}

/** Increases `updated`, even if the previous change was in the same millisecond. */
export const touch = (resource: { updated: number }, now: number): void => {
  resource.updated = Math.max(now, resource.updated + 1)
}

type Test = (actual: string, expected: string) => boolean

const tests: Readonly<Record<string, Test>> = {
  EQUALS: (actual, expected) => actual === expected,
  NOT_EQUALS: (actual, expected) => actual !== expected,
  CONTAINS: (actual, expected) => actual.includes(expected),
  NOT_CONTAINS: (actual, expected) => !actual.includes(expected),
  STARTS_WITH: (actual, expected) => actual.startsWith(expected),
  ENDS_WITH: (actual, expected) => actual.endsWith(expected),
  REGEX: (actual, expected) => {
    try {
      return new RegExp(expected).test(actual)
    } catch {
      return false
    }
  },
}

/**
 * Returns whether a configuration matches an event. A matcher never matches if the event doesn't have the matcher's
 * field.
 */
export const watches = (config: AlertConfig, event: Event): boolean => {
  if (config.groupId !== event.groupId || config.eventTypeName !== event.eventTypeName) return false
  const fields: Readonly<Record<string, unknown>> = { CLUSTER_NAME: event.clusterName, ...event.fields }
  return (config.matchers ?? []).every(({ fieldName = '', operator = '', value = '' }) => {
    const actual = fields[fieldName]
    return actual !== undefined && tests[operator]?.(String(actual), value) === true
  })
}
