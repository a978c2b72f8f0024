import type { components } from '@svc-admin/types/newest'
import type { AlertState, AlertTarget } from '../domain/alert.ts'
import { Stored } from '../domain/stored.ts'
import type { Session, Transaction } from './database.ts'
import { type Slots, statement } from './statement.ts'

export type AlertDocument = Omit<components['schemas']['Alert'], 'links'>

export interface Alert extends AlertState {
  readonly id: string
  readonly groupId: string
  readonly configId: string
  /** The condition that raised the alert. Each condition can have only one open alert at a time. */
  readonly condition: string
  readonly severity: string | undefined
  /** The number of notices sent for the alert. */
  readonly told: number
  readonly dueAt: number | undefined
  readonly createdAt: number
  readonly document: Stored<AlertDocument>
}

/** Stored information about an alert, including its notification targets. */
interface Targets {
  readonly severity?: string
  readonly silentUntil?: number
  readonly seededAt?: number
  readonly told?: number
  readonly targets: readonly AlertTarget[]
}

type Key = { groupId: string; id: string }

const columns = [
  'id',
  'group_id as groupId',
  'config_id as configId',
  'condition',
  'status',
  'since',
  'due_at as dueAt',
  'acknowledged_until as acknowledgedUntil',
  'targets',
  'created_at as createdAt',
  'document',
] as const

const counted = statement((db, $: Slots<{ id: string }>) =>
  db.selectFrom('alerts').select('targets').where('id', '=', $('id')),
)
const find = statement((db, $: Slots<Key>, dialect) =>
  db
    .selectFrom('alerts')
    .select(columns)
    .where('id', '=', $('id'))
    .where('group_id', '=', $('groupId'))
    .$if(dialect.locksRows, (query) => query.forUpdate()),
)
const get = statement((db, $: Slots<Key>) =>
  db
    .selectFrom('alerts')
    .select(['document', 'due_at as dueAt', 'config_id as configId'])
    .where('id', '=', $('id'))
    .where('group_id', '=', $('groupId')),
)
const due = statement((db, $: Slots<{ groupId: string; now: number; limit: number }>, dialect) =>
  db
    .selectFrom('alerts')
    .select(columns)
    .where('group_id', '=', $('groupId'))
    .where('due_at', '<=', $('now'))
    .orderBy('due_at')
    .orderBy('id')
    .limit($('limit'))
    /** This statement doesn't skip locked rows, because another transaction may still be processing these alerts. */
    .$if(dialect.locksRows, (query) => query.forUpdate()),
)
const anyDue = statement((db, $: Slots<{ groupId: string; now: number }>) =>
  db
    .selectFrom('alerts')
    .select('id')
    .where('group_id', '=', $('groupId'))
    .where('due_at', '<=', $('now'))
    .limit(1),
)
const groupDue = statement((db, $: Slots<{ now: number }>) =>
  db
    .selectFrom('alerts')
    .select('group_id as groupId')
    .where('due_at', '<=', $('now'))
    .orderBy('due_at')
    .orderBy('id')
    .limit(1),
)
const active = statement((db, $: Slots<{ configId: string; condition: string; over: string }>, dialect) =>
  db
    .selectFrom('alerts')
    .select(columns)
    .where('config_id', '=', $('configId'))
    .where('condition', '=', $('condition'))
    .where('status', '<>', $('over'))
    .$if(dialect.locksRows, (query) => query.forUpdate()),
)
const dueAfter = statement((db, $: Slots<{ now: number }>) =>
  db.selectFrom('alerts').select(columns).where('due_at', '>', $('now')),
)
const ofCondition = statement((db, $: Slots<{ groupId: string; condition: string; over: string }>, dialect) =>
  db
    .selectFrom('alerts')
    .select(columns)
    .where('group_id', '=', $('groupId'))
    .where('condition', '=', $('condition'))
    .where('status', '<>', $('over'))
    .$if(dialect.locksRows, (query) => query.forUpdate()),
)
const ofConfig = statement((db, $: Slots<{ configId: string; over: string }>, dialect) =>
  db
    .selectFrom('alerts')
    .select(columns)
    .where('config_id', '=', $('configId'))
    .where('status', '<>', $('over'))
    .$if(dialect.locksRows, (query) => query.forUpdate()),
)

interface Values extends Record<string, string | number | null> {
  id: string
  groupId: string
  configId: string
  condition: string
  status: string
  since: number
  dueAt: number | null
  acknowledgedUntil: number | null
  targets: string
  createdAt: number
  document: string
}

const put = statement((db, $: Slots<Values>) => {
  const changing = {
    status: $('status'),
    since: $('since'),
    due_at: $('dueAt'),
    acknowledged_until: $('acknowledgedUntil'),
    targets: $('targets'),
    document: $('document'),
  }
  return db
    .insertInto('alerts')
    .values({
      id: $('id'),
      group_id: $('groupId'),
      config_id: $('configId'),
      condition: $('condition'),
      created_at: $('createdAt'),
      ...changing,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
})

/** Reads and writes individual alerts. Lists of alerts are in `alert-lists.ts`. */
export const alerts = {
  /** Returns an alert's document and the time of its next change. */
  async get(session: Session, groupId: string, id: string) {
    const row = await session.one(get, { groupId, id })
    return row && { ...row, document: Stored.from<AlertDocument>(row.document) }
  },

  /** Returns the number of notices sent for an alert in any project, or 0 if the alert doesn't exist. */
  async told(session: Session, id: string): Promise<number> {
    const row = await session.one(counted, { id })
    const { told = 0 }: Partial<Targets> = row ? JSON.parse(row.targets) : {}
    return told
  },

  /** Returns an alert with all its columns. In a transaction, also locks the alert. */
  async find(session: Session, groupId: string, id: string): Promise<Alert | undefined> {
    const row = await session.one(find, { groupId, id })
    return row && alertOf(row)
  },

  /**
   * Returns the active alert for a condition. If seed data created several alerts for the condition, returns the oldest
   * one.
   */
  async active(session: Session, configId: string, condition: string, over: string) {
    const rows = await session.all(active, { configId, condition, over })
    return rows.map(alertOf).sort(byCreation)[0]
  },

  /** Returns all alerts whose next change is in the future. */
  async dueAfter(transaction: Transaction, now: number): Promise<Alert[]> {
    return (await transaction.all(dueAfter, { now })).map(alertOf)
  },

  /** Returns the active alerts of all configurations for a condition, oldest first. */
  async ofCondition(transaction: Transaction, groupId: string, condition: string, over: string) {
    const rows = await transaction.all(ofCondition, { groupId, condition, over })
    return rows.map(alertOf).sort(byCreation)
  },

  /** Returns a configuration's active alerts, oldest first. */
  async ofConfig(transaction: Transaction, configId: string, over: string) {
    return (await transaction.all(ofConfig, { configId, over })).map(alertOf).sort(byCreation)
  },

  async anyDue(session: Session, groupId: string, now: number): Promise<boolean> {
    return (await session.one(anyDue, { groupId, now })) !== undefined
  },

  /** Returns the ID of a project with due alerts. */
  async groupDue(session: Session, now: number): Promise<string | undefined> {
    return (await session.one(groupDue, { now }))?.groupId
  },

  /** Locks and returns a project's due alerts, most overdue first. */
  async due(transaction: Transaction, groupId: string, now: number, limit: number): Promise<Alert[]> {
    return (await transaction.all(due, { groupId, now, limit })).map(alertOf)
  },

  async put(session: Session, alert: Alert): Promise<void> {
    const { severity, silentUntil, seededAt, told, targets } = alert
    await session.all(put, {
      id: alert.id,
      groupId: alert.groupId,
      configId: alert.configId,
      condition: alert.condition,
      status: alert.status,
      since: alert.since,
      dueAt: alert.dueAt ?? null,
      acknowledgedUntil: alert.acknowledgedUntil ?? null,
      targets: JSON.stringify({ severity, silentUntil, seededAt, told, targets }),
      createdAt: alert.createdAt,
      document: alert.document.text,
    })
  },
}

interface Row {
  id: string
  groupId: string
  configId: string
  condition: string
  status: string
  since: number
  dueAt: number | null
  acknowledgedUntil: number | null
  targets: string
  createdAt: number
  document: string
}

function alertOf({ targets: kept, ...row }: Row): Alert {
  const { severity, silentUntil, seededAt, told = 0, targets }: Targets = JSON.parse(kept)
  return {
    ...row,
    severity,
    silentUntil,
    seededAt,
    told,
    targets,
    dueAt: row.dueAt ?? undefined,
    acknowledgedUntil: row.acknowledgedUntil ?? undefined,
    document: Stored.from(row.document),
  }
}

const byCreation = (a: Alert, b: Alert): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)
