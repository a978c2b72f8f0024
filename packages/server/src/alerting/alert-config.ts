import { isDeepStrictEqual } from 'node:util'
import { problem } from '../domain/problem.ts'
import { Stored } from '../domain/stored.ts'
import { timestamp } from '../domain/timestamp.ts'
import type { AlertConfig, AlertConfigDocument, NotificationSecrets } from '../persistence/alert-configs.ts'
import type { BodyOf, Newest } from '../specification/operation-types.ts'
import { writeOnlyFields } from '../specification/write-only.ts'
import type { Ids } from '../world/ids.ts'
import { untracked } from '../world/read-tracking.ts'
import { webhookKind } from './webhooks/message.ts'

export type AlertConfigBody = BodyOf<Newest['createAlertConfig']>

/** A notification as sent by a client, which can contain properties that aren't in the schema. */
type OpenNotification = Readonly<Record<string, unknown>>

interface AlertConfigKey {
  readonly id: string
  readonly groupId: string
  readonly createdAt: number
}

/** Builds a configuration from a request body. `before` is the previous version of the configuration. */
export function alertConfigFrom(
  sent: AlertConfigBody,
  place: AlertConfigKey,
  at: { readonly now: number; readonly ids: Ids },
  before?: AlertConfig,
): AlertConfig {
  const body = untracked(sent)
  const { shown, secrets } = separateSecrets(body.notifications, at, before?.secrets)
  // The generated type requires fields that have a default, although requests can omit them.
  const enabled = body.enabled ?? false
  const { eventTypeName } = body
  // Avoid object spread here, because V8 creates new hidden classes each time it spreads parsed JSON.
  const document: AlertConfigDocument = Object.assign({}, body, {
    enabled,
    notifications: shown,
    id: place.id,
    groupId: place.groupId,
    created: timestamp(place.createdAt),
    updated: timestamp(at.now),
  })
  const { id, groupId, createdAt } = place
  return { id, groupId, createdAt, eventTypeName, enabled, document: Stored.of(document), secrets }
}

/**
 * Checks the rules that the notification schema can't express.
 *
 * @throws {Problem} `VALIDATION_ERROR` for the first invalid notification.
 */
export function requireValidNotifications(sent: AlertConfigBody): void {
  const { notifications } = untracked(sent)
  requireUniqueNotifierIds(notifications)
  requireWebhookUrls(notifications)
}

/**
 * Requires unique notifier IDs. The server looks up secrets and addresses by `notifierId`, so a duplicate ID could send
 * a secret to the wrong receiver. Identical notifications are allowed.
 */
function requireUniqueNotifierIds(notifications: readonly OpenNotification[]): void {
  const known = new Map<unknown, OpenNotification>()
  for (const [index, notification] of notifications.entries()) {
    const { notifierId } = notification
    if (notifierId === undefined) continue
    const first = known.get(notifierId) ?? notification
    known.set(notifierId, first)
    if (isDeepStrictEqual(first, notification)) continue
    const pointer = `/notifications/${index}/notifierId`
    throw problem('VALIDATION_ERROR', {
      detail: `The field ${pointer} must be unique among the notifications.`,
      parameters: [pointer],
    })
  }
}

/** Matches an absolute URL with a scheme other than `http` or `https`. */
const unusableScheme = /^\s*(?!https?:)[a-z][a-z0-9+.-]*:(?!\d)/i

/**
 * Requires an `http` or `https` scheme in every webhook URL, to reject URLs such as `file:///etc/passwd`. The host
 * isn't checked, because its DNS record may not exist yet.
 */
function requireWebhookUrls(notifications: readonly OpenNotification[]): void {
  for (const [index, { typeName, webhookUrl }] of notifications.entries()) {
    if (typeName !== webhookKind || typeof webhookUrl !== 'string' || !unusableScheme.test(webhookUrl))
      continue
    const pointer = `/notifications/${index}/webhookUrl`
    throw problem('VALIDATION_ERROR', {
      detail: `The field ${pointer} must be an HTTP or HTTPS URL.`,
      parameters: [pointer],
    })
  }
}

export function withEnabled(config: AlertConfig, enabled: boolean, now: number): AlertConfig {
  const document = { ...config.document.value(), enabled, updated: timestamp(now) }
  return { ...config, enabled, document: Stored.of(document) }
}

interface SeparatedNotification {
  readonly id: string
  readonly shown: OpenNotification
  readonly secrets: OpenNotification
}

/**
 * Separates the secrets from the notifications, because responses must not contain secrets. Secrets are grouped by
 * `notifierId`.
 */
export function separateSecrets(
  notifications: readonly OpenNotification[],
  at: { readonly now: number; readonly ids: Ids },
  before: NotificationSecrets = {},
) {
  const hidden = writeOnlyFields()
  const parts = notifications.map((notification): SeparatedNotification => {
    const { shown, sent } = splitBy(hidden, notification)
    const sentId = shown.notifierId
    const id = typeof sentId === 'string' ? sentId : at.ids.next(at.now)
    const withId = sentId === id ? shown : { ...shown, notifierId: id }
    // Clients never see stored secrets, so they can't send them back. If a request omits a secret, keep the stored one.
    return { id, shown: withId, secrets: { ...before[id], ...sent } }
  })
  const withSecrets = parts.filter(({ secrets }) => Object.keys(secrets).length > 0)
  return {
    shown: parts.map(({ shown }) => shown),
    secrets: Object.fromEntries(withSecrets.map(({ id, secrets }) => [id, secrets])),
  }
}

function splitBy(hidden: ReadonlySet<string>, notification: OpenNotification) {
  const entries = Object.entries(notification)
  // Most notifications contain no secrets. Copying only the notifications with secrets makes this function much faster.
  if (!entries.some(([name]) => hidden.has(name))) return { shown: notification, sent: {} }
  return {
    shown: Object.fromEntries(entries.filter(([name]) => !hidden.has(name))),
    sent: Object.fromEntries(entries.filter(([name]) => hidden.has(name))),
  }
}
