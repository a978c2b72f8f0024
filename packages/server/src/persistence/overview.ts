import type { Session } from './database.ts'
import { type Slots, statement } from './statement.ts'
import { tablesOwnedBy, type WorldTable } from './world-tables.ts'

const organizations = statement((db) => db.selectFrom('organizations').select(['id', 'name']).orderBy('id'))
const projects = statement((db) =>
  db.selectFrom('projects').select(['id', 'org_id as orgId', 'name']).orderBy('id'),
)

/**
 * Tables whose rows don't count as resources. These tables contain parts of other resources, logs, settings that exist
 * even without a row, and snapshots. Snapshots are counted separately.
 */
const uncounted = [
  'cluster_hosts',
  'outbox',
  'webhook_deliveries',
  'auditing_configs',
  'custom_dns',
  'search_analyzers',
  'backup_schedules',
  'compliance_policies',
  'snapshots',
] as const satisfies readonly WorldTable[]

type Uncounted = (typeof uncounted)[number]
const isUncounted = (table: WorldTable): table is Uncounted => uncounted.some((each) => each === table)

const countedTables = tablesOwnedBy('group_id').filter((table) => !isUncounted(table))

const counts = countedTables.map((table) => ({
  table,
  rows: statement((db) =>
    db
      .selectFrom(table)
      .select((eb) => ['group_id as groupId', eb.fn.countAll<number>().as('count')])
      .groupBy('group_id'),
  ),
}))

const snapshots = statement((db, $: Slots<{ now: number }>) =>
  db
    .selectFrom('snapshots')
    .select((eb) => ['group_id as groupId', eb.fn.countAll<number>().as('count')])
    .where('expires_at', '>', $('now'))
    .groupBy('group_id'),
)

/** Counts resources for the sandbox's overview. Counting is slow, because it reads all rows. */
export const overview = {
  organizations: (session: Session) => session.all(organizations, {}),

  projects: (session: Session) => session.all(projects, {}),

  /** Returns the number of resources in each project by kind, such as `alertConfigs`. */
  async counts(session: Session, now: number): Promise<ReadonlyMap<string, Record<string, number>>> {
    const found = new Map<string, Record<string, number>>()
    const keep = (kind: string, rows: readonly { groupId: string; count: number }[]) => {
      for (const { groupId, count } of rows) {
        found.set(groupId, { ...found.get(groupId), [kind]: Number(count) })
      }
    }
    for (const { table, rows } of counts) {
      const kind = table.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
      keep(kind, await session.all(rows, {}))
    }
    keep('snapshots', await session.all(snapshots, { now }))
    return found
  },
}
