import type { Notice } from '../../domain/alert.ts'
import { timestamp } from '../../domain/timestamp.ts'
import type { Alert } from '../../persistence/alerts.ts'

/** The type of notifications that are sent to a URL. Notifications of other types are only stored in the outbox. */
export const webhookKind = 'WEBHOOK'

/** Returns a webhook body with a type, a timestamp and data, as recommended by Standard Webhooks. */
export function webhookBody(alert: Alert, notice: Notice): string {
  const { links: _, ...data } = { links: undefined, ...alert.document.value() }
  return JSON.stringify({
    type: `alert.${alert.status.toLowerCase()}`,
    timestamp: timestamp(notice.at),
    data: { ...data, severity: alert.severity, notifierId: notice.notifierId },
  })
}
