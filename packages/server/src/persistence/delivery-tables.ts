/** The Kysely types for the webhook delivery table. */
export interface DeliveryTables {
  webhook_deliveries: {
    /** The ID of the notification in the outbox. */
    id: string
    group_id: string
    config_id: string
    notifier_id: string
    /** The bytes to sign and send, which are the same for all attempts. */
    body: string
    attempts: number
    /** The time of the next attempt by the world's clock, or null if there is none. */
    due_at: number | null
    /**
     * The time when a process's claim ends, by the system clock. If the world's clock were used, a claim
     * would never end while that clock is stopped.
     */
    leased_until: number
    outcome: string
    /** The latest attempt as JSON. Empty before the first attempt. */
    last: string
  }
}
