/** Kysely types of the webhook delivery table. */
export interface DeliveryTables {
  webhook_deliveries: {
    /** The ID of the notification in the outbox. */
    id: string
    group_id: string
    config_id: string
    notifier_id: string
    /** The exact bytes to sign and send, the same for every attempt. */
    body: string
    attempts: number
    /** Time of the next attempt by the world's clock; null if there is none. */
    due_at: number | null
    /** End of one process's claim by the system clock. With a frozen world clock, a claim would never end. */
    leased_until: number
    outcome: string
    /** The latest attempt, as JSON; empty before the first one. */
    last: string
  }
}
