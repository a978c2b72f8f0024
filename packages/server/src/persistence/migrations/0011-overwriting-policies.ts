import type { Migration } from './migration.ts'

/** Adds a column that stores whether a compliance policy rewrites schedules when it becomes active. */
export const overwritingPolicies: Migration = {
  id: 11,
  name: 'overwriting-policies',
  up: (db) => [
    db.schema
      .alterTable('compliance_policies')
      .addColumn('overwrites', 'bigint', (column) => column.notNull().defaultTo(0)),
  ],
}
