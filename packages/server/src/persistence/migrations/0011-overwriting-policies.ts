import type { Migration } from './migration.ts'

/** Remembers of a compliance policy whether it rewrites the schedules that fall short when it becomes active. */
export const overwritingPolicies: Migration = {
  id: 11,
  name: 'overwriting-policies',
  up: (db) => [
    db.schema
      .alterTable('compliance_policies')
      .addColumn('overwrites', 'bigint', (column) => column.notNull().defaultTo(0)),
  ],
}
