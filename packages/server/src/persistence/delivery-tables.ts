/** Kysely types for the webhook delivery table. */
export interface DeliveryTables {
  webhook_deliveries: {
    /** The ID of the notification in the outbox. */
    id: string
    group_id: string
    config_id: string
    notifier_id: string
    /** The request body to sign and send, which is the same for all attempts. */
    body: string
    attempts: number
    /** The time of the next attempt on the world's clock, or null if there are no more attempts. */
    due_at: number | null
    /**
     * The time when a process's claim expires, on the system clock. The world's clock isn't suitable, because a claim
     * would never expire while the world's clock is stopped.
     */
    leased_until: number
    outcome: string
    /** The latest attempt as JSON, or an empty string if there was no attempt yet. */
    last: string
  }
}
