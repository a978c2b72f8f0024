import type { AuditingDocument } from '../domain/auditing/auditing-config.ts'
import { Stored } from '../domain/stored.ts'
import type { Session, Transaction } from './database.ts'
import { type Slots, statement } from './statement.ts'

const get = statement((db, $: Slots<{ groupId: string }>) =>
  db.selectFrom('auditing_configs').select('document').where('group_id', '=', $('groupId')),
)
const lock = statement((db, $: Slots<{ groupId: string }>, dialect) =>
  db
    .selectFrom('auditing_configs')
    .select('document')
    .where('group_id', '=', $('groupId'))
    .$if(dialect.locksRows, (query) => query.forUpdate()),
)
const insertFirst = statement((db, $: Slots<{ groupId: string; document: string }>) =>
  db
    .insertInto('auditing_configs')
    .values({ group_id: $('groupId'), document: $('document') })
    .onConflict((conflict) => conflict.column('group_id').doNothing()),
)
const put = statement((db, $: Slots<{ groupId: string; document: string }>) =>
  db
    .insertInto('auditing_configs')
    .values({ group_id: $('groupId'), document: $('document') })
    .onConflict((conflict) => conflict.column('group_id').doUpdateSet({ document: $('document') })),
)

/** Each project's auditing configuration. */
export const auditingConfigs = {
  async get(session: Session, groupId: string): Promise<Stored<AuditingDocument> | undefined> {
    const row = await session.one(get, { groupId })
    return row && Stored.from(row.document)
  },

  /**
   * Locks and returns the configuration, or the given default if the project has none. The default is stored first,
   * because a missing row can't be locked.
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
    await session.all(put, { groupId, document: document.text })
  },
}
