import type { Session } from './database.ts'
import { type Slots, statement } from './statement.ts'

const organizations = statement((db) => db.selectFrom('organizations').select(['id', 'name']).orderBy('id'))
const projects = statement((db) =>
  db.selectFrom('projects').select(['id', 'org_id as orgId', 'name']).orderBy('id'),
)

const countedTables = [
  'access_logs',
  'alert_configs',
  'alerts',
  'clusters',
  'export_buckets',
  'restore_jobs',
  'search_indexes',
] as const

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

/** How much there is, for somebody who looks at a sandbox: everything is counted, so it takes its time. */
export const overview = {
  organizations: (session: Session) => session.all(organizations, {}),

  projects: (session: Session) => session.all(projects, {}),

  /** Numbers of resources by project, then by kind (`alertConfigs`). */
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
