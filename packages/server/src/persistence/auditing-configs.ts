import type { AuditingDocument } from '../domain/auditing/auditing-config.ts'
import { Stored } from '../domain/stored.ts'
import type { Session, Transaction } from './database.ts'
import { rowsOf } from './rows.ts'
import { type Slots, statement } from './statement.ts'

const rows = rowsOf('auditing_configs', { key: ['group_id'], changing: ['document'] })
const get = rows.get(['group_id'])
const lock = rows.find(['group_id'])
const insertFirst = statement((db, $: Slots<{ groupId: string; document: string }>) =>
  db
    .insertInto('auditing_configs')
    .values({ group_id: $('groupId'), document: $('document') })
    .onConflict((conflict) => conflict.column('group_id').doNothing()),
)

export const auditingConfigs = {
  async get(session: Session, groupId: string): Promise<Stored<AuditingDocument> | undefined> {
    const row = await session.one(get, { groupId })
    return row && Stored.from(row.document)
  },

  /**
   * Locks and returns a project's auditing configuration. If the project has no configuration, first stores the given
   * default, because a row that doesn't exist can't be locked.
   */
  async lock(
    transaction: Transaction,
    groupId: string,
    first: Stored<AuditingDocument>,
  ): Promise<Stored<AuditingDocument>> {
    await transaction.all(insertFirst, { groupId, document: first.text })
    const row = await transaction.one(lock, { groupId })
    return row ? Stored.from(row.document) : first
  },

  async put(session: Session, groupId: string, document: Stored<AuditingDocument>): Promise<void> {
    await session.all(rows.put, { groupId, document: document.text })
  },
}
