import type { Session } from './database.ts'
import { rowsOf } from './rows.ts'

const rows = rowsOf('custom_dns', { key: ['group_id'], changing: ['enabled'] })
const get = rows.get(['group_id'])

/** Reads and writes each project's custom DNS setting, which is disabled by default. */
export const customDns = {
  async get(session: Session, groupId: string): Promise<boolean> {
    return (await session.one(get, { groupId }))?.enabled === 1
  },

  async put(session: Session, groupId: string, enabled: boolean): Promise<void> {
    await session.all(rows.put, { groupId, enabled: enabled ? 1 : 0 })
  },
}
