import { Stored } from '../domain/stored.ts'
import type { AlertDocument } from './alerts.ts'
import type { Session } from './database.ts'
import type { LinkText } from './page-text.ts'
import { countOf } from './row-counts.ts'
import { type Slots, statement } from './statement.ts'

export interface Window {
  readonly limit: number
  readonly offset: number
}

/** Selects either the alerts of a project (all or by status) or the alerts of a configuration with a given status. */
export type AlertSelection =
  | { readonly groupId: string; readonly status?: string }
  | { readonly configId: string; readonly status: string }

type Part = { limit: number; offset: number }

const page = statement((db, $: Slots<{ groupId: string } & Part>) =>
  db
    .selectFrom('alerts')
    .select(['id', 'document'])
    .where('group_id', '=', $('groupId'))
    .orderBy('created_at')
    .orderBy('id')
    .limit($('limit'))
    .offset($('offset')),
)
const pageByStatus = statement((db, $: Slots<{ groupId: string; status: string } & Part>) =>
  db
    .selectFrom('alerts')
    .select(['id', 'document'])
    .where('group_id', '=', $('groupId'))
    .where('status', '=', $('status'))
    .orderBy('created_at')
    .orderBy('id')
    .limit($('limit'))
    .offset($('offset')),
)
const pageByConfig = statement((db, $: Slots<{ configId: string; status: string } & Part>) =>
  db
    .selectFrom('alerts')
    .select(['id', 'document'])
    .where('config_id', '=', $('configId'))
    .where('status', '=', $('status'))
    .orderBy('created_at')
    .orderBy('id')
    .limit($('limit'))
    .offset($('offset')),
)
const count = statement((db, $: Slots<{ groupId: string }>, dialect) =>
  countOf(db, dialect, 'alerts group_id', $('groupId')),
)
const countByStatus = statement((db, $: Slots<{ groupId: string; status: string }>, dialect) =>
  countOf(db, dialect, 'alerts group_id status', $('groupId'), $('status')),
)
const countByConfig = statement((db, $: Slots<{ configId: string; status: string }>, dialect) =>
  countOf(db, dialect, 'alerts config_id status', $('configId'), $('status')),
)
/** Lists of alerts, sorted by creation time. */
export const alertLists = {
  async page(session: Session, which: AlertSelection, { limit, offset }: Window) {
    const rows = await pageRows(session, which, { limit, offset })
    return rows.map(({ id, document }) => ({ id, document: Stored.from<AlertDocument>(document) }))
  },

  pageText(session: Session, which: AlertSelection, part: Window, link: LinkText) {
    if ('configId' in which) return session.page(pageByConfig, { ...which, ...part }, link)
    const { groupId, status } = which
    if (status === undefined) return session.page(page, { groupId, ...part }, link)
    return session.page(pageByStatus, { groupId, status, ...part }, link)
  },

  async count(session: Session, which: AlertSelection): Promise<number> {
    return Number((await countRow(session, which))?.total ?? 0)
  },
}

function pageRows(session: Session, which: AlertSelection, part: Part) {
  if ('configId' in which) return session.all(pageByConfig, { ...which, ...part })
  const { groupId, status } = which
  if (status === undefined) return session.all(page, { groupId, ...part })
  return session.all(pageByStatus, { groupId, status, ...part })
}

function countRow(session: Session, which: AlertSelection) {
  if ('configId' in which) return session.one(countByConfig, which)
  const { groupId, status } = which
  return status === undefined
    ? session.one(count, { groupId })
    : session.one(countByStatus, { groupId, status })
}
