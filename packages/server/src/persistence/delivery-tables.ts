/** The Kysely types for the webhook delivery table. */
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
    /** The time of the next attempt on the world's clock. Null if there won't be another attempt. */
    due_at: number | null
    /**
     * The time when a process's claim ends, on the system clock. The world's clock isn't suitable, because it can be
     * stopped and the claim would never end.
     */
    leased_until: number
    outcome: string
    /** The latest attempt as JSON. Empty before the first attempt. */
    last: string
  }
}
