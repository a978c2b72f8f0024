import { firstSlice } from './0001-first-slice.ts'
import { cloudBackups } from './0002-cloud-backups.ts'
import { search } from './0003-search.ts'
import { settingsMigrationsRoles } from './0004-settings-migrations-roles.ts'
import { removalByProject } from './0005-removal.ts'
import { webhookDeliveries } from './0006-webhook-deliveries.ts'
import { rowCounts } from './0007-row-counts.ts'
import { rowCountsByConnection } from './0008-row-counts-by-connection.ts'
import { alertsByCondition } from './0009-alerts-by-condition.ts'
import { unfinishedSnapshots } from './0010-unfinished-snapshots.ts'
import { overwritingPolicies } from './0011-overwriting-policies.ts'
import { alertsInOrder } from './0012-alerts-in-order.ts'
import { reachedStates } from './0013-reached-states.ts'
import { dueBackups } from './0014-due-backups.ts'
import type { Migration } from './migration.ts'

/** All migrations in order. Add new migrations at the end. */
export const migrations: readonly Migration[] = [
  firstSlice,
  cloudBackups,
  search,
  settingsMigrationsRoles,
  removalByProject,
  webhookDeliveries,
  rowCounts,
  rowCountsByConnection,
  alertsByCondition,
  unfinishedSnapshots,
  overwritingPolicies,
  alertsInOrder,
  reachedStates,
  dueBackups,
]
