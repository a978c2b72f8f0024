import { isDeepStrictEqual } from 'node:util'
import { problem } from '../domain/problem.ts'
import { Stored } from '../domain/stored.ts'
import { timestamp } from '../domain/timestamp.ts'
import type { OperationInput } from '../operations/operation.ts'
import type { AlertConfig, AlertConfigDocument, NotificationSecrets } from '../persistence/alert-configs.ts'
import { writeOnlyFields } from '../specification/write-only.ts'
import type { Ids } from '../world/ids.ts'
import { untracked } from '../world/read-tracking.ts'

/** What creating and replacing a configuration send. */
export type AlertConfigBody = OperationInput<'createAlertConfig'>['body']

/** A notification as open as its schema: any member may be there. */
type OpenNotification = Readonly<Record<string, unknown>>

interface AlertConfigKey {
  readonly id: string
  readonly groupId: string
  readonly createdAt: number
}

/** A configuration as a body describes it; `before` is what it replaces, if anything. */
export function alertConfigFrom(
  sent: AlertConfigBody,
  place: AlertConfigKey,
  at: { readonly now: number; readonly ids: Ids },
  before?: AlertConfig,
): AlertConfig {
  const body = untracked(sent)
  const { shown, secrets } = separateSecrets(body.notifications, at, before?.secrets)
  // The generated type says that a member with a default is always there; in a request it need not be.
  const enabled = body.enabled ?? false
  const { eventTypeName } = body
  // V8 makes shapes anew for each spread of what `JSON.parse` made, which takes as long as to parse and write it.
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
 * Secrets and addresses are found by `notifierId`: those of one notification must not go to the receiver of another. The
 * same notification twice has nothing that could be mistaken.
 *
 * @throws {Problem} `VALIDATION_ERROR` if notifications that differ have one.
 */
export function requireUniqueNotifierIds(sent: AlertConfigBody): void {
  const notifications: readonly OpenNotification[] = untracked(sent).notifications
  const known = new Map<unknown, OpenNotification>()
  for (const [index, notification] of notifications.entries()) {
    const { notifierId } = notification
    if (notifierId === undefined) continue
    const first = known.get(notifierId) ?? notification
    known.set(notifierId, first)
    if (isDeepStrictEqual(first, notification)) continue
    const pointer = `/notifications/${index}/notifierId`
    throw problem('VALIDATION_ERROR', {
      detail: `The field ${pointer} belongs to another notification.`,
      parameters: [pointer],
    })
  }
}

/** The same configuration with the flag as said. */
export function withEnabled(config: AlertConfig, enabled: boolean, now: number): AlertConfig {
  const document = { ...config.document.value(), enabled, updated: timestamp(now) }
  return { ...config, enabled, document: Stored.of(document) }
}

interface SeparatedNotification {
  readonly id: string
  readonly shown: OpenNotification
  readonly secrets: OpenNotification
}

/** Notifications without their secrets, which are never sent back, and the secrets by `notifierId`. */
export function separateSecrets(
  notifications: readonly OpenNotification[],
  at: { readonly now: number; readonly ids: Ids },
  before: NotificationSecrets = {},
) {
  const hidden = writeOnlyFields()
  const parts = notifications.map((notification): SeparatedNotification => {
    const { shown, sent } = splitBy(hidden, notification)
    const given = shown.notifierId
    const id = typeof given === 'string' ? given : at.ids.next(at.now)
    const withId = given === id ? shown : { ...shown, notifierId: id }
    // Who replaces a configuration as he read it cannot send the secrets again: those of the same notifier stay.
    return { id, shown: withId, secrets: { ...before[id], ...sent } }
  })
  const kept = parts.filter(({ secrets }) => Object.keys(secrets).length > 0)
  return {
    shown: parts.map(({ shown }) => shown),
    secrets: Object.fromEntries(kept.map(({ id, secrets }) => [id, secrets])),
  }
}

function splitBy(hidden: ReadonlySet<string>, notification: OpenNotification) {
  const entries = Object.entries(notification)
  // Most have no secret: to copy them takes longer than all else here.
  if (!entries.some(([name]) => hidden.has(name))) return { shown: notification, sent: {} }
  return {
    shown: Object.fromEntries(entries.filter(([name]) => !hidden.has(name))),
    sent: Object.fromEntries(entries.filter(([name]) => hidden.has(name))),
  }
}
