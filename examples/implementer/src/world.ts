import { randomBytes } from 'node:crypto'
import type { Clock } from './clock.ts'
import type { Project } from './holders.ts'
import {
  type Acknowledgement,
  type Alert,
  type AlertConfig,
  type ConfigRequest,
  type Event,
  type Notification,
  settle,
  touch,
  watches,
} from './lifecycle.ts'
import { notFound } from './problem.ts'

const byAge = <T extends { created: number; id: string }>(one: T, other: T): number =>
  one.created - other.created || (one.id < other.id ? -1 : 1)

/** Stores all data in memory. */
export class World {
  readonly projects = new Map<string, Project>()
  readonly configs = new Map<string, AlertConfig>()
  readonly alerts = new Map<string, Alert>()
  readonly #clock: Clock
  readonly #process = randomBytes(5).toString('hex')
  #count = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Creates an identifier. Identifiers sort by creation time. */
  id(): string {
    const seconds = Math.floor(this.#clock.now() / 1000)
    this.#count += 1
    return `${seconds.toString(16).padStart(8, '0').slice(-8)}${this.#process}${this.#count.toString(16).padStart(6, '0')}`
  }

  configsOf(groupId: string): AlertConfig[] {
    return [...this.configs.values()].filter((config) => config.groupId === groupId).sort(byAge)
  }

  config(groupId: string, id: string): AlertConfig {
    const found = this.configs.get(id)
    if (found?.groupId === groupId) return found
    throw notFound('alert configuration', id)
  }

  createConfig(groupId: string, request: ConfigRequest): AlertConfig {
    const now = this.#clock.now()
    const config = { id: this.id(), groupId, created: now, updated: now, ...this.#contents(request) }
    this.configs.set(config.id, config)
    return config
  }

  replaceConfig(config: AlertConfig, request: ConfigRequest): void {
    Object.assign(config, this.#contents(request))
    touch(config, this.#clock.now())
  }

  toggleConfig(config: AlertConfig, enabled: boolean): void {
    config.enabled = enabled
    touch(config, this.#clock.now())
  }

  alertsOf(groupId: string): Alert[] {
    const found = [...this.alerts.values()].filter((alert) => alert.groupId === groupId)
    for (const alert of found) settle(alert, this.#clock.now())
    return found.sort(byAge)
  }

  alert(groupId: string, id: string): Alert {
    const found = this.alerts.get(id)
    if (found?.groupId !== groupId) throw notFound('alert', id)
    settle(found, this.#clock.now())
    return found
  }

  acknowledge(alert: Alert, acknowledgement: Acknowledgement | undefined): void {
    const now = this.#clock.now()
    alert.acknowledgement = acknowledgement && acknowledgement.until > now ? acknowledgement : undefined
    touch(alert, now)
  }

  /** Starts or ends a condition, and returns the IDs of the affected alerts. */
  applyEvent(event: Event): string[] {
    const now = this.#clock.now()
    const current = this.alertsOf(event.groupId).filter(
      (alert) =>
        alert.status !== 'CLOSED' &&
        alert.eventTypeName === event.eventTypeName &&
        alert.clusterName === event.clusterName,
    )
    if (event.active === false) {
      for (const alert of current) {
        alert.status = 'CLOSED'
        alert.resolved = now
        touch(alert, now)
      }
      return current.map(({ id }) => id)
    }
    return this.configsOf(event.groupId)
      .filter((config) => config.enabled && watches(config, event))
      .map((config) => current.find((alert) => alert.config === config) ?? this.#raise(config, event, now))
      .map(({ id }) => id)
  }

  #raise(config: AlertConfig, { groupId, eventTypeName, clusterName }: Event, now: number): Alert {
    const orgId = this.projects.get(groupId)?.orgId ?? ''
    const alert: Alert = {
      id: this.id(),
      groupId,
      orgId,
      config,
      eventTypeName,
      clusterName,
      created: now,
      updated: now,
      status: 'TRACKING',
    }
    this.alerts.set(alert.id, alert)
    return alert
  }

  /** Returns a request's configuration fields, with defaults for missing fields. */
  #contents(request: ConfigRequest) {
    const notifications = request.notifications as Notification[]
    return {
      enabled: request.enabled ?? false,
      eventTypeName: request.eventTypeName,
      matchers: request.matchers,
      notifications: notifications.map((notification) => ({ notifierId: this.id(), ...notification })),
      severityOverride: request.severityOverride,
    }
  }
}
