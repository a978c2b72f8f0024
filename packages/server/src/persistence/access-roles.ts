import type { AccessRoleDocument } from '../domain/cloud-provider-access/access-role.ts'
import { Stored } from '../domain/stored.ts'
import type { Session } from './database.ts'
import { type RowOf, rowsOf } from './rows.ts'
import { type Slots, statement } from './statement.ts'

/** A cloud provider role that a project can assume. */
export interface AccessRole {
  readonly id: string
  readonly groupId: string
  /** The cloud provider: `AWS`, `AZURE` or `GCP`. */
  readonly provider: string
  /** The time when the role was authorized, or undefined if the role can't be used because it isn't authorized. */
  readonly authorizedAt: number | undefined
  readonly createdAt: number
  readonly document: Stored<AccessRoleDocument>
}

type Key = { groupId: string; id: string }

const rows = rowsOf('access_roles', {
  key: ['id'],
  fixed: ['group_id', 'created_at'],
  changing: ['provider', 'authorized_at', 'document'],
})
const get = rows.get(['id', 'group_id'])
const find = rows.find(['id', 'group_id'])
const ofProject = rows.list(['group_id'])
const remove = statement((db, $: Slots<Key>) =>
  db.deleteFrom('access_roles').where('id', '=', $('id')).where('group_id', '=', $('groupId')),
)

/** Reads and writes cloud provider access roles. Lists are sorted by creation time. */
export const accessRoles = {
  async get(session: Session, groupId: string, id: string): Promise<AccessRole | undefined> {
    const row = await session.one(get, { groupId, id })
    return row && roleOf(row)
  },

  /**
   * Returns a role. In a transaction, also locks the role. Lock a role before a feature starts to use it, because
   * another request could otherwise deauthorize the role.
   */
  async find(session: Session, groupId: string, id: string): Promise<AccessRole | undefined> {
    const row = await session.one(find, { groupId, id })
    return row && roleOf(row)
  },

  async ofProject(session: Session, groupId: string): Promise<AccessRole[]> {
    return (await session.all(ofProject, { groupId })).map(roleOf)
  },

  async put(session: Session, { authorizedAt, document, ...role }: AccessRole): Promise<void> {
    await session.all(rows.put, { ...role, authorizedAt: authorizedAt ?? null, document: document.text })
  },

  async remove(session: Session, groupId: string, id: string): Promise<void> {
    await session.all(remove, { groupId, id })
  },
}

const roleOf = (row: RowOf<'access_roles'>): AccessRole => ({
  ...row,
  authorizedAt: row.authorizedAt ?? undefined,
  document: Stored.from(row.document),
})
