import { eventTypes } from '@svc-admin/types'
import type { components } from '@svc-admin/types/newest'
import { parseTime, timestamp } from './clock.ts'
import type { Holder } from './holders.ts'
import type { Alert, AlertConfig, ConfigRequest } from './lifecycle.ts'
import { invalid } from './problem.ts'
import type { AlertOperationId } from './routes.ts'
import { type Query, secretFields } from './schemas.ts'
import type { World } from './world.ts'

/** A request that has passed every check except those on the resource itself. */
export interface Call {
  readonly world: World
  readonly version: string
  readonly holder: Holder
  readonly path: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: unknown
  /** Returns the URL for a path in the request's API generation. */
  readonly address: (path: string) => string
  /** The fault to inject, if any. */
  readonly fault: Fault | undefined
}

/** Faults for testing the conformance kit. Each fault violates one rule. */
export const faults = [
  'status-ignored',
  'secrets-returned',
  'toggle-loses-matchers',
  'toggle-loses-severity',
  'toggle-keeps-one-notification',
  'update-merges',
  'every-config-listed',
  'roles-ignored',
] as const
export type Fault = (typeof faults)[number]

type Handler = (call: Call) => unknown

/** Marks a result as a paginated list. */
export class Listed {
  readonly items: readonly object[]

  constructor(items: readonly object[]) {
    this.items = items
  }
}

const self = (href: string) => [{ href, rel: 'self' }]

const readable = (notification: object, { fault }: Call): object =>
  fault === 'secrets-returned'
    ? notification
    : Object.fromEntries(Object.entries(notification).filter(([field]) => !secretFields.has(field)))

const showConfig = (config: AlertConfig, call: Call): object => ({
  ...config,
  notifications: config.notifications.map((notification) => readable(notification, call)),
  created: timestamp(config.created),
  updated: timestamp(config.updated),
  links: self(call.address(`/groups/${config.groupId}/alertConfigs/${config.id}`)),
})

const showAlert = (alert: Alert, { address }: Call): object => {
  const { config, acknowledgement, created, updated, resolved, lastNotified, ...rest } = alert
  return {
    ...rest,
    alertConfigId: config.id,
    created: timestamp(created),
    updated: timestamp(updated),
    ...(resolved !== undefined && { resolved: timestamp(resolved) }),
    ...(lastNotified !== undefined && { lastNotified: timestamp(lastNotified) }),
    ...(acknowledgement && {
      acknowledgedUntil: timestamp(acknowledgement.until),
      acknowledgingUsername: acknowledgement.username,
      acknowledgementComment: acknowledgement.comment,
    }),
    links: self(address(`/groups/${alert.groupId}/alerts/${alert.id}`)),
  }
}

const configOf = ({ world, path }: Call): AlertConfig =>
  world.config(path.groupId ?? '', path.alertConfigId ?? '')

const alertOf = ({ world, path }: Call): Alert => world.alert(path.groupId ?? '', path.alertId ?? '')

/** Returns the configuration from the request body. Webhook URLs must use http or https. */
const configIn = ({ body }: Call): ConfigRequest => {
  const config = body as ConfigRequest
  config.notifications?.forEach((notification, index) => {
    const { webhookUrl } = notification as { webhookUrl?: unknown }
    const scheme =
      typeof webhookUrl === 'string' ? /^[a-z][a-z\d+.-]*(?=:)/i.exec(webhookUrl)?.[0] : undefined
    if (scheme !== undefined && !/^https?$/i.test(scheme))
      throw invalid('webhookUrl must have the scheme http or https.', `/notifications/${index}/webhookUrl`)
  })
  return config
}

type Acknowledge = components['schemas']['AcknowledgeAlertRequest']

const acknowledge = (call: Call): object => {
  const body = call.body as Acknowledge
  const until = body.acknowledgedUntil === undefined ? undefined : parseTime(body.acknowledgedUntil)
  if (body.acknowledgedUntil !== undefined && until === undefined)
    throw invalid('acknowledgedUntil must be an RFC 3339 date-time.', '/acknowledgedUntil')
  const alert = alertOf(call)
  const hasFlag = call.version !== 'v1.0' && call.version >= '2024-05-30'
  if (hasFlag && until === undefined && body.unacknowledgeAlert !== true) {
    const { acknowledgement: now } = alert
    const { acknowledgementComment: comment } = body
    if (now !== undefined && comment !== undefined) call.world.acknowledge(alert, { ...now, comment })
    return showAlert(alert, call)
  }
  const acknowledged =
    until === undefined || body.unacknowledgeAlert === true
      ? undefined
      : { until, username: call.holder.name, comment: body.acknowledgementComment }
  call.world.acknowledge(alert, acknowledged)
  return showAlert(alert, call)
}

/** The operations. The status and the envelope are added later. */
export const handlers: Readonly<Record<AlertOperationId, Handler>> = {
  listMatcherFieldNames: () => eventTypes.matcherFields,

  listAlertConfigs: (call) =>
    new Listed(call.world.configsOf(call.path.groupId ?? '').map((config) => showConfig(config, call))),

  createAlertConfig: (call) =>
    showConfig(call.world.createConfig(call.path.groupId ?? '', configIn(call)), call),

  getAlertConfig: (call) => showConfig(configOf(call), call),

  updateAlertConfig: (call) => {
    const config = configOf(call)
    const before = call.fault === 'update-merges' ? config : {}
    call.world.replaceConfig(config, { ...before, ...configIn(call) })
    return showConfig(config, call)
  },

  toggleAlertConfig: (call) => {
    const config = configOf(call)
    call.world.toggleConfig(config, (call.body as components['schemas']['AlertConfigToggle']).enabled)
    if (call.fault === 'toggle-loses-matchers') config.matchers = undefined
    if (call.fault === 'toggle-loses-severity') config.severityOverride = undefined
    if (call.fault === 'toggle-keeps-one-notification')
      config.notifications = config.notifications.slice(0, 1)
    return showConfig(config, call)
  },

  deleteAlertConfig: (call) => {
    call.world.configs.delete(configOf(call).id)
    return undefined
  },

  listAlertConfigsByAlert: (call) => {
    const { config, groupId } = alertOf(call)
    const raised = call.world.configsOf(groupId).filter((one) => one === config)
    const listed = call.fault === 'every-config-listed' ? call.world.configsOf(groupId) : raised
    return new Listed(listed.map((one) => showConfig(one, call)))
  },

  listAlertsByAlertConfig: (call) => {
    const config = configOf(call)
    const raised = call.world.alertsOf(config.groupId).filter((alert) => alert.config === config)
    return new Listed(raised.filter(({ status }) => status === 'OPEN').map((alert) => showAlert(alert, call)))
  },

  listAlerts: (call) => {
    const status = call.fault === 'status-ignored' ? undefined : call.query.status
    const alerts = call.world.alertsOf(call.path.groupId ?? '')
    return new Listed(
      alerts
        .filter((alert) => status === undefined || alert.status === status)
        .map((alert) => showAlert(alert, call)),
    )
  },

  getAlert: (call) => showAlert(alertOf(call), call),

  acknowledgeAlert: acknowledge,
}
