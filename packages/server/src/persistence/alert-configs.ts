import type { components } from '@svc-admin/types/newest'
import { Stored } from '../domain/stored.ts'
import type { Session } from './database.ts'
import type { LinkText } from './page-text.ts'
import { countOf } from './row-counts.ts'
import { type RowOf, rowsOf } from './rows.ts'
import { type Slots, statement } from './statement.ts'

export type AlertConfigDocument = Omit<components['schemas']['AlertConfig'], 'links'>

/** The secret fields of notifications, keyed by notifier ID. Responses never contain secret fields. */
export type NotificationSecrets = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export interface AlertConfig {
  readonly id: string
  readonly groupId: string
  readonly createdAt: number
  readonly eventTypeName: string
  readonly enabled: boolean
  readonly document: Stored<AlertConfigDocument>
  readonly secrets: NotificationSecrets
}

export interface ListedAlertConfig {
  readonly id: string
  readonly document: Stored<AlertConfigDocument>
}

type Key = { groupId: string; id: string }
type Page = { groupId: string; limit: number; offset: number }

const rows = rowsOf('alert_configs', {
  key: ['id'],
  fixed: ['group_id', 'created_at'],
  changing: ['event_type_name', 'enabled', 'document', 'secrets'],
})
const find = rows.find(['id', 'group_id'])
const get = statement((db, $: Slots<Key>) =>
  db
    .selectFrom('alert_configs')
    .select('document')
    .where('id', '=', $('id'))
    .where('group_id', '=', $('groupId')),
)
const page = statement((db, $: Slots<Page>) =>
  db
    .selectFrom('alert_configs')
    .select(['id', 'document'])
    .where('group_id', '=', $('groupId'))
    .orderBy('created_at')
    .orderBy('id')
    .limit($('limit'))
    .offset($('offset')),
)
const count = statement((db, $: Slots<{ groupId: string }>, dialect) =>
  countOf(db, dialect, 'alert_configs group_id', $('groupId')),
)
const raising = statement((db, $: Slots<{ groupId: string; eventTypeName: string }>) =>
  db
    .selectFrom('alert_configs')
    .select(['id', 'document'])
    .where('group_id', '=', $('groupId'))
    .where('event_type_name', '=', $('eventTypeName'))
    .where('enabled', '=', 1)
    .orderBy('created_at')
    .orderBy('id'),
)
const remove = statement((db, $: Slots<Key>) =>
  db
    .deleteFrom('alert_configs')
    .where('id', '=', $('id'))
    .where('group_id', '=', $('groupId'))
    .returning('id'),
)

/** Reads and writes alert configurations. Lists are sorted by creation time. */
export const alertConfigs = {
  /** Returns only the configuration's document, because responses don't need the other columns. */
  async get(session: Session, groupId: string, id: string) {
    const row = await session.one(get, { groupId, id })
    return row && Stored.from<AlertConfigDocument>(row.document)
  },

  /** Returns a configuration with all its columns. In a transaction, also locks the configuration. */
  async find(session: Session, groupId: string, id: string): Promise<AlertConfig | undefined> {
    const row = await session.one(find, { groupId, id })
    if (!row) return undefined
    const { document, secrets, enabled } = row
    return {
      ...row,
      enabled: enabled === 1,
      document: Stored.from(document),
      secrets: JSON.parse(secrets),
    }
  },

  async page(session: Session, groupId: string, limit: number, offset: number) {
    return (await session.all(page, { groupId, limit, offset })).map(listed)
  },

  pageText: (session: Session, groupId: string, limit: number, offset: number, link: LinkText) =>
    session.page(page, { groupId, limit, offset }, link),

  async count(session: Session, groupId: string): Promise<number> {
    return Number((await session.one(count, { groupId }))?.total ?? 0)
  },

  async raising(session: Session, groupId: string, eventTypeName: string) {
    return (await session.all(raising, { groupId, eventTypeName })).map(listed)
  },

  insert: (session: Session, config: AlertConfig): Promise<unknown> =>
    session.all(rows.insert, valuesOf(config)),

  async put(session: Session, config: AlertConfig): Promise<void> {
    await session.all(rows.put, valuesOf(config))
  },

  /** Removes a configuration. Returns whether the configuration existed. */
  async remove(session: Session, groupId: string, id: string): Promise<boolean> {
    return (await session.one(remove, { groupId, id })) !== undefined
  },
}

const valuesOf = (config: AlertConfig): RowOf<'alert_configs'> => ({
  id: config.id,
  groupId: config.groupId,
  createdAt: config.createdAt,
  eventTypeName: config.eventTypeName,
  enabled: config.enabled ? 1 : 0,
  document: config.document.text,
  secrets: JSON.stringify(config.secrets),
})

const listed = (row: { id: string; document: string }): ListedAlertConfig => ({
  id: row.id,
  document: Stored.from(row.document),
})
