import type { Notice } from '../../domain/alert.ts'
import { timestamp } from '../../domain/timestamp.ts'
import type { Alert } from '../../persistence/alerts.ts'

/** The kind of notification that is sent to a web address; of the others no more is known than their outbox. */
export const webhookKind = 'WEBHOOK'

/** What a webhook says: the type, the moment and the data that Standard Webhooks advises. */
export function webhookBody(alert: Alert, notice: Notice): string {
  const { links: _, ...data } = { links: undefined, ...alert.document.value() }
  return JSON.stringify({
    type: `alert.${alert.status.toLowerCase()}`,
    timestamp: timestamp(notice.at),
    data: { ...data, severity: alert.severity, notifierId: notice.notifierId },
  })
}
