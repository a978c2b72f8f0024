/** Kysely types of the webhook delivery table. */
export interface DeliveryTables {
  webhook_deliveries: {
    /** The notification's ID in the outbox. */
    id: string
    group_id: string
    config_id: string
    notifier_id: string
    /** The exact bytes to sign and send. They are the same for all attempts. */
    body: string
    attempts: number
    /** The time of the next attempt by the world's clock, or null if there is none. */
    due_at: number | null
    /**
     * The time when a process's claim ends, by the system clock. By the world's clock, a claim would never end while
     * that clock is frozen.
     */
    leased_until: number
    outcome: string
    /** The latest attempt as JSON, or an empty string before the first attempt. */
    last: string
  }
}
