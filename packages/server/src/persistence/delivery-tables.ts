/** Kysely types of the webhook delivery table. */
export interface DeliveryTables {
  webhook_deliveries: {
    /** The notification's id in the outbox. */
    id: string
    group_id: string
    config_id: string
    notifier_id: string
    /** The exact bytes to sign and send. All attempts send the same bytes. */
    body: string
    attempts: number
    /** Time of the next attempt by the world's clock. Null if there is none. */
    due_at: number | null
    /**
     * Time when a process's claim ends, by the system clock. With the world's clock, a claim would never end while the
     * clock is frozen.
     */
    leased_until: number
    outcome: string
    /** The latest attempt as JSON. Empty before the first attempt. */
    last: string
  }
}
