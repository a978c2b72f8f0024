import type { Notice } from '../../domain/alert.ts'
import { timestamp } from '../../domain/timestamp.ts'
import type { Alert } from '../../persistence/alerts.ts'

/** The type of notifications that are sent to a URL. All other notifications are only stored in the outbox. */
export const webhookKind = 'WEBHOOK'

/** Returns a webhook's body. It contains a type, a timestamp and data, as Standard Webhooks recommends. */
export function webhookBody(alert: Alert, notice: Notice): string {
  const { links: _, ...data } = { links: undefined, ...alert.document.value() }
  return JSON.stringify({
    type: `alert.${alert.status.toLowerCase()}`,
    timestamp: timestamp(notice.at),
    data: { ...data, severity: alert.severity, notifierId: notice.notifierId },
  })
}
