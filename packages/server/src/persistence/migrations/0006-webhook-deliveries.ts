import { index, type Migration, table } from './migration.ts'

/** Creates the table for webhook deliveries. A delivery is pending until it succeeds or is dropped. */
export const webhookDeliveries: Migration = {
  id: 6,
  name: 'webhook-deliveries',
  up: (db) => [
    table(db, 'webhook_deliveries', {
      text: ['id', 'group_id', 'config_id', 'notifier_id', 'body', 'outcome', 'last'],
      numbers: ['attempts', 'leased_until'],
      maybe: ['due_at'],
      key: ['id'],
    }),
    index(db, 'webhook_deliveries', 'due_at', 'id'),
    index(db, 'webhook_deliveries', 'group_id'),
  ],
}
