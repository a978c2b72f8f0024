/** The table of webhook deliveries, as Kysely sees it. */
export interface DeliveryTables {
  webhook_deliveries: {
    /** That of the notification in the outbox. */
    id: string
    group_id: string
    config_id: string
    notifier_id: string
    /** The exact bytes that are signed and sent, the same at each attempt. */
    body: string
    attempts: number
    /** When it is tried next, by the world's clock; null if it is over. */
    due_at: number | null
    /** Until when one process has it to itself, by the wall's clock: a frozen clock must not hold it for ever. */
    leased_until: number
    outcome: string
    /** The latest attempt, as JSON; empty before the first. */
    last: string
  }
}
