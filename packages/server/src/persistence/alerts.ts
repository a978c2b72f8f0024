import type { components } from '@svc-admin/types/newest'
import type { AlertState, AlertTarget } from '../domain/alert.ts'
import { Stored } from '../domain/stored.ts'
import type { Session, Transaction } from './database.ts'
import { type Slots, statement } from './statement.ts'

export type AlertDocument = Omit<components['schemas']['Alert'], 'links'>

/** An alert as it is kept: its state, and the document that shows it. */
export interface Alert extends AlertState {
  readonly id: string
  readonly groupId: string
  readonly configId: string
  /** Which condition raised it: of one, only one alert is open at a time. */
  readonly condition: string
  readonly severity: string | undefined
  /** How many notices of it went out. */
  readonly told: number
  readonly dueAt: number | undefined
  readonly createdAt: number
  readonly document: Stored<AlertDocument>
}

/** What is kept of the notifications of an alert. */
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
    // Whoever looks meanwhile waits: he would be shown what is no longer so, if he passed over what another settles.
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

/** Alerts one by one: what happens to them. Lists are in `alert-lists.ts`. */
export const alerts = {
  /** What is shown of an alert, and when that changes by itself. */
  async get(session: Session, groupId: string, id: string) {
    const row = await session.one(get, { groupId, id })
    return row && { ...row, document: Stored.from<AlertDocument>(row.document) }
  },

  /** How many notices there were of the alert of an id, wherever it is; 0 if there is none. */
  async told(session: Session, id: string): Promise<number> {
    const row = await session.one(counted, { id })
    const { told = 0 }: Partial<Targets> = row ? JSON.parse(row.targets) : {}
    return told
  },

  /** The whole alert, locked if the session is a transaction that will change it. */
  async find(session: Session, groupId: string, id: string): Promise<Alert | undefined> {
    const row = await session.one(find, { groupId, id })
    return row && alertOf(row)
  },

  /** The alert that a condition has raised and that is not over: of several that were seeded, the oldest. */
  async active(session: Session, configId: string, condition: string, over: string) {
    const rows = await session.all(active, { configId, condition, over })
    return rows.map(alertOf).sort(byCreation)[0]
  },

  /** Alerts that time has something to do to, but not yet. */
  async dueAfter(transaction: Transaction, now: number): Promise<Alert[]> {
    return (await transaction.all(dueAfter, { now })).map(alertOf)
  },

  /** The alerts of any configuration that a condition has raised and that are not over, the oldest first. */
  async ofCondition(transaction: Transaction, groupId: string, condition: string, over: string) {
    const rows = await transaction.all(ofCondition, { groupId, condition, over })
    return rows.map(alertOf).sort(byCreation)
  },

  /** The alerts that a configuration has raised and that are not over, the oldest first. */
  async ofConfig(transaction: Transaction, configId: string, over: string) {
    return (await transaction.all(ofConfig, { configId, over })).map(alertOf).sort(byCreation)
  },

  async anyDue(session: Session, groupId: string, now: number): Promise<boolean> {
    return (await session.one(anyDue, { groupId, now })) !== undefined
  },

  /** A project in which time has something to do. */
  async groupDue(session: Session, now: number): Promise<string | undefined> {
    return (await session.one(groupDue, { now }))?.groupId
  },

  /** Alerts that time has something to do to, the most overdue first, locked. */
  async due(transaction: Transaction, groupId: string, now: number, limit: number): Promise<Alert[]> {
    return (await transaction.all(due, { groupId, now, limit })).map(alertOf)
  },

  /** Keeps an alert, new or changed. */
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
