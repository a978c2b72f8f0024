import type { Session } from './database.ts'
import { type Slots, statement } from './statement.ts'

const get = statement((db, $: Slots<{ groupId: string }>) =>
  db.selectFrom('custom_dns').select('enabled').where('group_id', '=', $('groupId')),
)
const put = statement((db, $: Slots<{ groupId: string; enabled: number }>) =>
  db
    .insertInto('custom_dns')
    .values({ group_id: $('groupId'), enabled: $('enabled') })
    .onConflict((conflict) => conflict.column('group_id').doUpdateSet({ enabled: $('enabled') })),
)

/** Whether a project's clusters use custom DNS. Disabled by default. */
export const customDns = {
  async get(session: Session, groupId: string): Promise<boolean> {
    return (await session.one(get, { groupId }))?.enabled === 1
  },

  async put(session: Session, groupId: string, enabled: boolean): Promise<void> {
    await session.all(put, { groupId, enabled: enabled ? 1 : 0 })
  },
}
